import type { ProjectFacts } from './project-facts.ts'
import type { PluginUse } from './edit-config.ts'

/** Code of a page: the syntax of a component. */
export type PageKind = 'react' | 'vue' | 'svelte' | 'solid' | 'astro' | 'angular'

/** Bundler or framework that `init` sets up. */
export interface Framework {
  /** Name for the output: `Vite + React`. */
  readonly name: string
  /** Names of the configuration file without extension. */
  readonly configNames: readonly string[]
  /** Configuration file to create if there is none. */
  readonly newConfig?: { readonly path: string; readonly text: string }
  /** Plugin to add; `wrap` for a function around the configuration. */
  readonly plugin?: PluginUse
  readonly wrap?: Pick<PluginUse, 'from' | 'name'>
  /** Lines to add by hand: the configuration is a program. */
  readonly manual?: readonly string[]
  /** Reads compiled messages, which `servicekit compile` writes. */
  readonly isCompiled?: boolean
  /** Folder of the code. */
  readonly sourceDir: string
  readonly page?: { readonly kind: PageKind; readonly paths: readonly string[] }
  /** Files, of which the first one renders the element `html`, which the browser hydrates. */
  readonly documents?: readonly string[]
  /** Commands before the type check that write the framework's own types. */
  readonly prepareTypes?: readonly string[]
  /** Output of codegen: `js` where a bundler does not resolve `./product.js` to `product.ts`. */
  readonly gatewayOutput?: 'js'
}

const plugin = (bundler: string, path: readonly string[] = ['plugins']): PluginUse => ({
  from: `@servicekit/unplugin/${bundler}`,
  name: 'uilm',
  path,
})

/** Returns the framework of an application; undefined if it has none that is known. */
export function detectFramework(facts: ProjectFacts): Framework | undefined {
  const has = (name: string): boolean => Object.hasOwn(facts.dependencies, name)
  const folder = (...names: readonly string[]): string =>
    names.find((name) => facts.files.includes(name)) ?? '.'
  const source = folder('src')

  if (has('next')) {
    // Routes are below src if the project has that folder.
    const pages = ['app/page.tsx', 'app/page.jsx', 'app/page.js', 'pages/index.tsx']
    return {
      name: 'Next.js',
      configNames: ['next.config'],
      newConfig: { path: 'next.config.mjs', text: 'export default {}\n' },
      wrap: { from: '@servicekit/unplugin/next', name: 'withUilm' },
      sourceDir: source,
      page: { kind: 'react', paths: pages.flatMap((path) => [path, `src/${path}`]) },
      prepareTypes: ['next', 'typegen'],
      gatewayOutput: 'js',
    }
  }
  if (has('nuxt')) {
    const app = folder('app')
    return {
      name: 'Nuxt',
      configNames: ['nuxt.config'],
      newConfig: { path: 'nuxt.config.ts', text: 'export default defineNuxtConfig({})\n' },
      plugin: plugin('vite', ['vite', 'plugins']),
      sourceDir: app,
      page: { kind: 'vue', paths: ['app/pages/index.vue', 'app/app.vue', 'app.vue'] },
      prepareTypes: ['nuxt', 'prepare'],
    }
  }
  if (has('astro')) {
    return {
      name: 'Astro',
      configNames: ['astro.config'],
      newConfig: {
        path: 'astro.config.mjs',
        text: "import { defineConfig } from 'astro/config'\n\nexport default defineConfig({})\n",
      },
      plugin: plugin('vite', ['vite', 'plugins']),
      sourceDir: 'src',
      page: { kind: 'astro', paths: ['src/pages/index.astro'] },
      prepareTypes: ['astro', 'sync'],
    }
  }
  if (has('@angular/core')) {
    return {
      name: 'Angular',
      configNames: [],
      isCompiled: true,
      sourceDir: 'src',
      page: { kind: 'angular', paths: ['src/app/app.ts', 'src/app/app.component.ts'] },
    }
  }
  if (has('@sveltejs/kit')) {
    return {
      name: 'SvelteKit',
      configNames: ['vite.config'],
      plugin: plugin('vite'),
      sourceDir: 'src',
      page: { kind: 'svelte', paths: ['src/routes/+page.svelte'] },
      prepareTypes: ['svelte-kit', 'sync'],
    }
  }
  if (has('@react-router/dev')) {
    return {
      name: 'React Router',
      configNames: ['vite.config'],
      plugin: plugin('vite'),
      sourceDir: 'app',
      page: {
        kind: 'react',
        paths: ['app/routes/home.tsx', 'app/routes/_index.tsx', 'app/routes/index.tsx'],
      },
      documents: ['app/root.tsx', 'app/root.jsx'],
      prepareTypes: ['react-router', 'typegen'],
    }
  }
  if (has('@solidjs/start')) {
    return {
      name: 'SolidStart',
      configNames: ['vite.config'],
      plugin: plugin('vite'),
      sourceDir: 'src',
      page: { kind: 'solid', paths: ['src/routes/index.tsx'] },
      documents: ['src/entry-server.tsx'],
    }
  }
  if (has('vite') || has('rolldown-vite')) return vite(has, source)
  if (has('react-native') || has('expo')) {
    return { name: 'Metro', configNames: [], isCompiled: true, sourceDir: source }
  }
  for (const [name, bundler] of [
    ['@rspack/core', 'rspack'],
    ['webpack', 'webpack'],
    ['rolldown', 'rolldown'],
    ['rollup', 'rollup'],
  ] as const) {
    if (!has(name)) continue
    return {
      name: bundler,
      configNames: [`${bundler}.config`],
      plugin: plugin(bundler),
      sourceDir: source,
      ...pageOf(has),
      gatewayOutput: 'js',
    }
  }
  if (has('esbuild')) {
    return {
      name: 'esbuild',
      configNames: [],
      manual: [
        "import { uilm } from '@servicekit/unplugin/esbuild'",
        "await esbuild.build({ format: 'esm', plugins: [uilm()] })",
      ],
      sourceDir: source,
      gatewayOutput: 'js',
    }
  }
  return undefined
}

/** Framework of a program without a bundler: Node, Bun, Deno, Jest. */
export const plainProgram = (facts: ProjectFacts): Framework => ({
  name: 'program without a bundler',
  configNames: [],
  isCompiled: true,
  sourceDir: facts.files.includes('src') ? 'src' : '.',
})

function vite(has: (name: string) => boolean, sourceDir: string): Framework {
  const page = pageOf(has)
  const name = page.page?.kind
  const title = name && name[0]!.toUpperCase() + name.slice(1)
  return {
    name: title === undefined ? 'Vite' : `Vite + ${title}`,
    configNames: ['vite.config'],
    newConfig: {
      path: 'vite.config.js',
      text: "import { defineConfig } from 'vite'\n\nexport default defineConfig({})\n",
    },
    plugin: plugin('vite'),
    sourceDir,
    ...page,
  }
}

function pageOf(has: (name: string) => boolean): Pick<Framework, 'page'> {
  const names = ['App.tsx', 'App.jsx', 'app.tsx', 'app.jsx'].map((name) => `src/${name}`)
  if (has('solid-js')) return { page: { kind: 'solid', paths: names } }
  if (has('react')) return { page: { kind: 'react', paths: names } }
  if (has('vue')) return { page: { kind: 'vue', paths: ['src/App.vue', 'src/app.vue'] } }
  if (has('svelte')) return { page: { kind: 'svelte', paths: ['src/App.svelte'] } }
  return {}
}
