import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkSetup } from '../doctor/check-setup.ts'
import { type FileEdit, isManual, writeEdits } from './edits.ts'
import { detectFramework } from './frameworks.ts'
import { planSetup } from './plan.ts'
import { readFacts } from './project-facts.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'servicekit-language-'))
  return () => rm(root, { recursive: true, force: true })
})

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

/** Writes an application that depends on a framework. */
const writeApp = (
  dependencies: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
): Promise<void> =>
  write({
    'package.json': JSON.stringify({ type: 'module', dependencies }),
    'tsconfig.json': '{}',
    '.gitignore': '.servicekit\n',
    ...files,
  })

async function plan() {
  const facts = await readFacts(root)
  const framework = detectFramework(facts)!
  return planSetup({ facts, framework, service: undefined, hasGateway: false, isPulled: false })
}

/** Makes the edits; returns the new content of the files, without that of the declarations. */
async function setUp(): Promise<Readonly<Record<string, string>>> {
  const planned = await plan()
  const edits = planned.filter((edit): edit is FileEdit => !isManual(edit))
  expect(planned).toEqual(edits)
  await writeEdits(root, edits)
  const own = edits.filter(({ path }) => !path.endsWith('servicekit-env.d.ts'))
  return Object.fromEntries(own.map(({ path, after }) => [path, after]))
}

const findings = async () =>
  (await checkSetup(await readFacts(root))).map(({ code, where, fix }) => [
    code,
    where.slice(root.length + 1),
    fix,
  ])

const rootFile = `import { Outlet } from "react-router";

export function Layout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en" dir="ltr">
      <body>{children}</body>
    </html>
  );
}
`
const layout = `export default function RootLayout({ children }: LayoutProps<"/">) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
`
const viteConfig = 'export default { plugins: [framework()] }\n'

describe.each([
  {
    name: 'Next.js',
    dependencies: { next: '16.4.3' },
    files: { 'next.config.ts': 'export default {};\n', 'app/layout.tsx': layout },
    expected: {
      'next.config.ts': expect.stringContaining('export default withUilm({});\n'),
      'app/layout.tsx': `import { htmlAttributes } from "~uilm"\n\n${layout.replace('lang="en"', '{...htmlAttributes()}')}`,
    },
    missing: [
      ['PLUGIN_MISSING', 'next.config.ts'],
      ['LANGUAGE_UNHANDLED', 'app/layout.tsx'],
    ],
  },
  {
    name: 'Next.js with several root layouts below src',
    dependencies: { next: '16.4.3' },
    files: {
      'next.config.ts': 'export default withUilm({}) // from @servicekit/unplugin/next\n',
      'src/app/(shop)/layout.tsx': layout,
      'src/app/(shop)/cart/layout.tsx': 'export default ({ children }) => children\n',
      'src/app/(admin)/[lang]/layout.tsx': layout,
    },
    expected: {
      'next.config.ts': expect.any(String),
      'src/app/(admin)/[lang]/layout.tsx': expect.stringContaining('<html {...htmlAttributes()}>'),
      'src/app/(shop)/layout.tsx': expect.stringContaining('<html {...htmlAttributes()}>'),
    },
    missing: [
      ['PLUGIN_MISSING', 'next.config.ts'],
      ['LANGUAGE_UNHANDLED', 'src/app/(admin)/[lang]/layout.tsx'],
      ['LANGUAGE_UNHANDLED', 'src/app/(shop)/layout.tsx'],
    ],
  },
  {
    name: 'SvelteKit',
    dependencies: { '@sveltejs/kit': '^3' },
    files: { 'vite.config.ts': viteConfig },
    expected: {
      'vite.config.ts': expect.stringContaining('[framework(), uilm()]'),
      'src/hooks.server.ts': "export { handle } from '~uilm/sveltekit'\n",
    },
    missing: [
      ['PLUGIN_MISSING', 'vite.config.ts'],
      ['LANGUAGE_UNHANDLED', 'src/hooks.server.ts'],
    ],
  },
  {
    name: 'SvelteKit with other server hooks',
    dependencies: { '@sveltejs/kit': '^3' },
    files: {
      'vite.config.ts': viteConfig,
      'src/hooks.server.ts':
        'import { report } from "./report";\n\nexport const handleError = report;\n',
    },
    expected: {
      'vite.config.ts': expect.stringContaining('[framework(), uilm()]'),
      'src/hooks.server.ts':
        'import { report } from "./report";\n\nexport { handle } from "~uilm/sveltekit";\n\nexport const handleError = report;\n',
    },
    missing: [
      ['PLUGIN_MISSING', 'vite.config.ts'],
      ['LANGUAGE_UNHANDLED', 'src/hooks.server.ts'],
    ],
  },
  {
    name: 'Nuxt',
    dependencies: { nuxt: '^4' },
    files: { 'nuxt.config.ts': "export default defineNuxtConfig({\n  modules: ['@nuxt/a'],\n})\n" },
    expected: {
      'nuxt.config.ts':
        "export default defineNuxtConfig({\n  modules: ['@nuxt/a', '@servicekit/unplugin/nuxt'],\n})\n",
    },
    missing: [['PLUGIN_MISSING', 'nuxt.config.ts']],
  },
  {
    name: 'Astro',
    dependencies: { astro: '^7' },
    files: {
      'astro.config.mjs':
        "import { defineConfig } from 'astro/config';\n\nexport default defineConfig({});\n",
    },
    expected: {
      'astro.config.mjs':
        "import { defineConfig } from 'astro/config';\nimport { uilm } from '@servicekit/unplugin/astro';\n\nexport default defineConfig({\n  integrations: [uilm()],\n});\n",
    },
    missing: [['PLUGIN_MISSING', 'astro.config.mjs']],
  },
  {
    name: 'React Router',
    dependencies: { '@react-router/dev': '8.4.0' },
    files: { 'vite.config.ts': viteConfig, 'app/root.tsx': rootFile },
    expected: {
      'vite.config.ts': expect.stringContaining('[framework(), uilm()]'),
      'app/root.tsx': `import { Outlet } from "react-router";
import { htmlAttributes } from "~uilm";
import { createMiddleware } from "~uilm/react-router";

export const middleware = [createMiddleware()];

${rootFile.slice(rootFile.indexOf('export')).replace('lang="en" dir="ltr"', '{...htmlAttributes()}')}`,
    },
    missing: [
      ['PLUGIN_MISSING', 'vite.config.ts'],
      ['LANGUAGE_UNHANDLED', 'app/root.tsx'],
      ['LANGUAGE_UNHANDLED', 'app/root.tsx'],
    ],
  },
  {
    name: 'React Router 7',
    dependencies: { '@react-router/dev': '^7.9.0' },
    files: {
      'vite.config.ts': viteConfig,
      'app/root.tsx': rootFile,
      'react-router.config.ts': 'export default {\n  ssr: true,\n} satisfies Config;\n',
    },
    expected: {
      'vite.config.ts': expect.any(String),
      'app/root.tsx': expect.stringContaining('export const middleware = [createMiddleware()];\n'),
      'react-router.config.ts':
        'export default {\n  ssr: true,\n  future: {\n    v8_middleware: true,\n  },\n} satisfies Config;\n',
    },
    missing: [
      ['PLUGIN_MISSING', 'vite.config.ts'],
      ['LANGUAGE_UNHANDLED', 'app/root.tsx'],
      ['LANGUAGE_UNHANDLED', 'app/root.tsx'],
      ['LANGUAGE_UNHANDLED', 'react-router.config.ts'],
    ],
  },
  {
    name: 'SolidStart',
    dependencies: { '@solidjs/start': '^2' },
    files: {
      'vite.config.ts': 'export default defineConfig({ plugins: [solidStart(), nitro()] });\n',
      'src/entry-server.tsx': 'export default () => <html lang="en"></html>;\n',
    },
    expected: {
      'vite.config.ts':
        "import { uilm } from '@servicekit/unplugin/vite';\n\nexport default defineConfig({ plugins: [solidStart({ middleware: './src/middleware.ts' }), nitro(), uilm()] });\n",
      'src/entry-server.tsx':
        "import { htmlAttributes } from '~uilm';\n\nexport default () => <html {...htmlAttributes()}></html>;\n",
      'src/middleware.ts':
        "import { createMiddleware } from '~uilm/solid-start'\n\nexport default [createMiddleware()]\n",
    },
    missing: [
      ['PLUGIN_MISSING', 'vite.config.ts'],
      ['LANGUAGE_UNHANDLED', 'src/entry-server.tsx'],
      ['LANGUAGE_UNHANDLED', 'src/middleware.ts'],
      ['LANGUAGE_UNHANDLED', 'vite.config.ts'],
    ],
  },
])('$name', ({ dependencies, files, expected, missing }) => {
  it('handles the language of requests after init, and doctor finds it missing before', async () => {
    await writeApp(dependencies, files as Record<string, string>)
    expect(await findings()).toEqual(
      missing.map((one) => [
        ...one,
        expect.stringMatching(/^Run "servicekit init", or add `.+`\.$/),
      ]),
    )
    expect(await setUp()).toEqual(expected)
    expect(await findings()).toEqual([])
    expect(await plan()).toEqual([])
  })
})

describe('the page of a framework', () => {
  const pages = join(import.meta.dirname, '../../../../docs/frameworks')

  /** Returns the first version of each file that a page shows. */
  async function filesOf(page: string): Promise<Readonly<Record<string, string>>> {
    const text = await readFile(join(pages, page), 'utf8')
    const shown = text.matchAll(/^```\w+ \[(.+)\]\n([^]*?)\n```$/gm)
    const files: Record<string, string> = {}
    for (const [, label, code] of shown) files[label!] ??= code!
    return files
  }

  it.each([
    ['next.md', 'next', ['app/layout.tsx', 'next.config.ts']],
    ['sveltekit.md', '@sveltejs/kit', ['src/hooks.server.ts', 'vite.config.ts']],
    ['nuxt.md', 'nuxt', ['nuxt.config.ts']],
    ['astro.md', 'astro', ['astro.config.mjs']],
    ['react-router.md', '@react-router/dev', ['app/root.tsx', 'vite.config.ts']],
    [
      'solid-start.md',
      '@solidjs/start',
      ['src/entry-server.tsx', 'src/middleware.ts', 'vite.config.ts'],
    ],
  ])('%s shows all that init writes', async (page, dependency, paths) => {
    const files = await filesOf(page)
    expect(Object.keys(files)).toEqual(expect.arrayContaining(paths))
    await writeApp({ [dependency]: '8' }, files)
    expect(await findings()).toEqual([])
    const planned = (await plan()).map(({ path }) => path)
    expect(planned.filter((path) => !path.endsWith('servicekit-env.d.ts'))).toEqual([])
  })
})

describe('code that cannot be edited', () => {
  const hooks = {
    'src/hooks.server.ts': 'export const handle = ({ event, resolve }) => resolve(event)\n',
  }
  const done = { 'vite.config.ts': "import { uilm } from '@servicekit/unplugin/vite'\n" }

  it('is named with the lines to add', async () => {
    await writeApp({ '@sveltejs/kit': '^3' }, { ...done, ...hooks })
    expect(await findings()).toEqual([
      [
        'LANGUAGE_UNHANDLED',
        'src/hooks.server.ts',
        "The file cannot be edited: it exports handle. Add `import { sequence } from '@sveltejs/kit/hooks'` and `import { handle as handleLanguage } from '~uilm/sveltekit'` and `export const handle = sequence(handleLanguage, ownHandle)`.",
      ],
    ])
  })

  it('is not reported if another file has the adapter', async () => {
    const own = "export { handle } from '~uilm/sveltekit'\n"
    await writeApp({ '@sveltejs/kit': '^3' }, { ...done, ...hooks, 'src/lib/language.ts': own })
    expect(await findings()).toEqual([])
  })

  it.each([
    ['nuxt', 'nuxt.config.ts', '`export default { modules: ['],
    ['astro', 'astro.config.mjs', '`export default { integrations: ['],
  ])('is the plugin of Vite in %s, which does not read the language', async (name, path, lines) => {
    const config =
      "import { uilm } from '@servicekit/unplugin/vite'\nexport default f({ vite: { plugins: [uilm()] } })\n"
    await writeApp({ [name]: '*' }, { [path]: config })
    expect(await findings()).toEqual([['PLUGIN_MISSING', path, expect.stringContaining(lines)]])
  })
})
