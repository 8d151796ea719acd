import type { SourcePath } from '@servicekit/catalog'
import { upperFirst } from '@servicekit/core'
import {
  nextLanguage,
  reactCompilerLanguage,
  reactRouterLanguage,
  solidStartLanguage,
  svelteKitLanguage,
} from './framework-language.ts'
import type { LanguageSetup } from './language-setup.ts'
import type { ProjectFacts } from './project-facts.ts'
import type { ConfigWrapper, PluginUse } from './edit-config.ts'

/**
 * Code of an example: the syntax of a component, code that changes the page (`dom`), or a
 * program that prints.
 */
export type PageKind =
  | 'react'
  | 'vue'
  | 'svelte'
  | 'solid'
  | 'astro'
  | 'angular'
  | 'dom'
  | 'program'

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
  readonly wrap?: ConfigWrapper
  /** Lines to add by hand, if they are not those of a configuration. */
  readonly manual?: readonly string[]
  /** Reads compiled messages, which `servicekit compile` writes. */
  readonly isCompiled?: boolean
  /** Runs without a bundler. */
  readonly runsInNode?: boolean
  /** Compiled messages must not await. */
  readonly isSync?: boolean
  /** Folder of the code. */
  readonly sourceDir: string
  /** Folder of compiled messages, if it is not below that of the code. */
  readonly messagesDir?: string
  /** Files that may show the example; the first one that exists does. */
  readonly page: { readonly kind: PageKind; readonly paths: readonly SourcePath[] }
  /** Code that shows each page in the language of its visitor, apart from the plugin. */
  readonly language?: readonly LanguageSetup[]
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
    const pages = ['app/page.tsx', 'app/page.jsx', 'app/page.js', 'pages/index.tsx'] as const
    return {
      name: 'Next.js',
      configNames: ['next.config'],
      newConfig: { path: 'next.config.mjs', text: 'export default {}\n' },
      wrap: { from: '@servicekit/unplugin/next', name: 'withUilm' },
      sourceDir: source,
      page: { kind: 'react', paths: pages.flatMap((path) => [path, `src/${path}` as const]) },
      language: nextLanguage(facts.root),
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
      plugin: {
        from: '@servicekit/unplugin/nuxt',
        path: ['modules'],
        replaces: '@servicekit/unplugin/vite',
      },
      sourceDir: app,
      page: { kind: 'vue', paths: ['app/pages/index.vue', 'app/app.vue', 'app.vue'] },
      language: [],
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
      plugin: {
        ...plugin('astro', ['integrations']),
        replaces: '@servicekit/unplugin/vite',
      },
      sourceDir: 'src',
      page: { kind: 'astro', paths: ['src/pages/index.astro'] },
      language: [],
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
      language: svelteKitLanguage(facts),
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
      language: reactRouterLanguage(facts),
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
      language: solidStartLanguage(facts),
    }
  }
  if (has('vite') || has('rolldown-vite')) return vite(facts, source)
  if (has('react-native') || has('expo') || has('metro')) {
    return {
      name: 'Metro',
      configNames: [],
      isCompiled: true,
      isSync: true,
      sourceDir: source,
      page: { kind: 'program', paths: entries },
      gatewayOutput: 'js',
    }
  }
  for (const [name, bundler, kind] of [
    ['@rspack/core', 'rspack', 'dom'],
    ['webpack', 'webpack', 'dom'],
    ['rolldown', 'rolldown', 'program'],
    ['rollup', 'rollup', 'program'],
  ] as const) {
    if (!has(name)) continue
    return {
      name: bundler,
      configNames: [`${bundler}.config`],
      // webpack and Rspack need no configuration.
      ...(kind === 'dom'
        ? { newConfig: { path: `${bundler}.config.mjs`, text: 'export default {}\n' } }
        : {}),
      plugin: plugin(bundler),
      sourceDir: source,
      page: pageOf(has) ?? { kind, paths: entries },
      ...providerOf(facts),
      gatewayOutput: 'js',
    }
  }
  if (has('esbuild')) {
    return {
      name: 'esbuild',
      configNames: ['build', 'esbuild', 'esbuild.config'],
      plugin: plugin('esbuild'),
      manual: [
        "import { uilm } from '@servicekit/unplugin/esbuild'",
        "await esbuild.build({ format: 'esm', plugins: [uilm()] })",
      ],
      sourceDir: source,
      page: pageOf(has) ?? { kind: 'program', paths: entries },
      gatewayOutput: 'js',
    }
  }
  return undefined
}

/** Framework of a program without a bundler: Node, Bun, Deno, Jest. */
export const plainProgram = ({
  files,
  isTypeScript,
  manifest,
  ...facts
}: ProjectFacts): Framework => ({
  name: 'program without a bundler',
  configNames: [],
  isCompiled: true,
  runsInNode: true,
  isSync: manifest.type !== 'module' || Object.hasOwn(facts.dependencies, 'jest'),
  sourceDir: files.includes('src') ? 'src' : '.',
  // TypeScript does not copy JavaScript from the sources to the folder of its output.
  ...(isTypeScript ? { messagesDir: 'messages' } : {}),
  page: { kind: 'program', paths: entries },
})

/** Usual names of the first file of a program. */
const entries: readonly SourcePath[] = ['src/', ''].flatMap((folder) =>
  ['index', 'main', 'server', 'app', 'App'].flatMap((name) =>
    (['ts', 'mts', 'tsx', 'js', 'mjs', 'cjs', 'jsx'] as const).map(
      (ending): SourcePath => `${folder}${name}.${ending}`,
    ),
  ),
)

function vite(facts: ProjectFacts, sourceDir: string): Framework {
  const has = (name: string): boolean => Object.hasOwn(facts.dependencies, name)
  const page = pageOf(has)
  const title = page && upperFirst(page.kind)
  return {
    name: title === undefined ? 'Vite' : `Vite + ${title}`,
    configNames: ['vite.config'],
    newConfig: {
      path: 'vite.config.js',
      text: "import { defineConfig } from 'vite'\n\nexport default defineConfig({})\n",
    },
    plugin: plugin('vite'),
    sourceDir,
    page: page ?? { kind: 'dom', paths: entries },
    ...providerOf(facts),
  }
}

/** Returns the setup of an application that React Compiler compiles. */
function providerOf(facts: ProjectFacts): Pick<Framework, 'language'> {
  const language = reactCompilerLanguage(facts, rootFiles)
  return language.length > 0 ? { language } : {}
}

/** Usual names of the file that renders an application of React. */
const rootFiles = [
  'src/main.tsx',
  'src/main.jsx',
  'src/index.tsx',
  'src/index.jsx',
  'src/index.js',
] as const

/** Returns the first page of an application with a library for components. */
function pageOf(has: (name: string) => boolean): Framework['page'] | undefined {
  const names = (['App.tsx', 'App.jsx', 'app.tsx', 'app.jsx'] as const).map(
    (name): SourcePath => `src/${name}`,
  )
  if (has('solid-js')) return { kind: 'solid', paths: names }
  if (has('react')) return { kind: 'react', paths: names }
  if (has('vue')) return { kind: 'vue', paths: ['src/App.vue', 'src/app.vue'] }
  if (has('svelte')) return { kind: 'svelte', paths: ['src/App.svelte'] }
  return undefined
}
