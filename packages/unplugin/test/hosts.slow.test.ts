import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { build, type Plugin, resolveConfig } from 'vite'
import { afterAll, describe, expect, it, vi } from 'vitest'
import webpack from 'webpack'
import { uilm as forEsbuild } from '../src/esbuild.ts'
import type { UilmOptions } from '../src/index.ts'
import { uilm as forRolldown } from '../src/rolldown.ts'
import { uilm as forRollup } from '../src/rollup.ts'
import { uilm } from '../src/vite.ts'
import { uilm as forWebpack } from '../src/webpack.ts'
import { removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'

// Behaviour of frameworks and tools around the bundlers, without running them.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
afterAll(removeFolders)

async function application(): Promise<string> {
  const root = await temporaryFolder()
  await writeSnapshot(root, {
    'en-US/shop': { BUY: 'Buy now' },
    'de-DE/shop': { BUY: 'Kaufen' },
  })
  await writeApp(root, {
    'package.json': '{"type": "module"}',
    'src/main.js': `import { createLocalizer } from '~uilm/server'
import { BUY } from '~uilm/shop'
export const inGerman = async () => (await createLocalizer('de-DE')).translate(BUY)
`,
  })
  return root
}

describe('code that another tool bundles again', () => {
  // As done by the adapters of SvelteKit and of Nuxt's Nitro for servers, and by
  // applications for libraries.
  const builds: Record<string, (root: string) => Promise<unknown>> = {
    'of vite': (root) =>
      build({
        root,
        configFile: false,
        logLevel: 'silent',
        plugins: [uilm()],
        build: { ssr: 'src/main.js', rollupOptions: { output: { entryFileNames: 'main.js' } } },
      }),
    'of rolldown for Node': async (root) => {
      const bundle = await rolldown({
        input: join(root, 'src/main.js'),
        platform: 'node',
        plugins: [forRolldown({ root })],
      })
      await bundle.write({ dir: join(root, 'dist') })
    },
    'of rollup for a library': async (root) => {
      const bundle = await rollup({
        input: join(root, 'src/main.js'),
        plugins: [forRollup({ root, library: true })],
      })
      await bundle.write({ dir: join(root, 'dist') })
    },
    'of esbuild for Node': (root) =>
      esbuild.build({
        absWorkingDir: root,
        entryPoints: ['src/main.js'],
        bundle: true,
        platform: 'node',
        format: 'esm',
        outdir: 'dist',
        plugins: [forEsbuild({ root })],
      }),
    'of a library by vite': (root) =>
      build({
        root,
        configFile: false,
        logLevel: 'silent',
        plugins: [uilm()],
        build: { lib: { entry: 'src/main.js', formats: ['es'], fileName: () => 'main.js' } },
      }),
  }
  it.each(Object.entries(builds))('%s includes its packs', async (_name, buildIt) => {
    const root = await application()
    await buildIt(root)
    const again = await rollup({ input: join(root, 'dist/main.js'), external: /^node:/ })
    await again.write({ dir: join(root, 'elsewhere') })
    await again.close()
    await writeApp(root, { 'elsewhere/package.json': '{"type": "module"}' })
    const url = pathToFileURL(join(root, 'elsewhere/main.js')).href
    const { inGerman } = (await import(url)) as { inGerman: () => Promise<string> }
    expect(await inGerman()).toBe('Kaufen')
  })
})

it('finds the project of pages with a separate root', async () => {
  const root = await application()
  await writeApp(root, { 'src/index.html': '<script type="module" src="/main.js"></script>' })
  await build({
    root: join(root, 'src'),
    configFile: false,
    logLevel: 'silent',
    plugins: [uilm()],
    build: { target: 'esnext', outDir: join(root, 'dist') },
  })
  expect(await readdir(root)).toContain('.servicekit')
  expect(await readdir(join(root, 'src'))).not.toContain('.servicekit')
})

it('does not take a plugin that only mentions a framework for that framework', async () => {
  const root = await application()
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [{ name: 'fullstack:patch-vue-scoped-css-hmr' }, uilm()],
    build: { ssr: 'src/main.js' },
  })
  const texts = await Promise.all(
    (await readdir(join(root, 'dist'))).map((file) => readFile(join(root, 'dist', file), 'utf8')),
  )
  expect(texts.join('')).not.toContain('from "vue"')
})

it("does not inline scripts that load messages into Astro's pages", async () => {
  const root = await application()
  const limitOf = async (assetsInlineLimit?: number) => {
    const astro: Plugin = { name: 'astro:build' }
    const own = assetsInlineLimit === undefined ? {} : { build: { assetsInlineLimit } }
    const plugins = [astro, [uilm({ root })]]
    const { build } = await resolveConfig({ root, configFile: false, plugins, ...own }, 'build')
    return build.assetsInlineLimit as (file: string, content: Buffer) => boolean | undefined
  }
  const script = Buffer.from('pack(l=>import(`./uilm-12345678.${l}.js`))')
  const limit = await limitOf()
  expect(limit('_astro/page.js', script)).toBe(false)
  expect(limit('_astro/page.js', Buffer.from('alert(1)'))).toBe(true)
  expect((await limitOf(0))('_astro/page.css', Buffer.from('a{}'))).toBe(false)
})

describe('webpack', () => {
  const run = async (root: string, options: UilmOptions, more: webpack.Configuration = {}) => {
    const compiler = webpack({
      mode: 'production',
      context: root,
      entry: './src/page.js',
      cache: { type: 'filesystem', cacheDirectory: join(root, 'cache') },
      output: { path: join(root, 'dist'), filename: 'main.js', clean: true },
      plugins: [forWebpack({ root, ...options })],
      ...more,
    })!
    const stats = await new Promise<webpack.Stats | undefined>((done, fail) =>
      compiler.run((error, result) => (error ? fail(error) : done(result))),
    )
    await new Promise((done) => compiler.close(done))
    expect(stats!.compilation.errors).toEqual([])
    return [
      await readFile(join(root, 'dist/main.js'), 'utf8'),
      (await readdir(join(root, 'dist'))).length,
    ] as const
  }

  it('does not reuse the disk cache of a build with other options', async () => {
    const root = await application()
    await writeApp(root, {
      'src/page.js': `import { BUY } from '~uilm/shop'\nglobalThis.shown = BUY()\n`,
    })
    expect(await run(root, { inline: 'en-US' })).toEqual([expect.stringContaining('Buy now'), 1])
    expect((await run(root, {}))[1]).toBe(3)
    expect(await run(root, { inline: 'de-DE' })).toEqual([expect.stringContaining('Kaufen'), 1])
  })

  it('rejects Next.js, whose entries cannot await messages, and explains what to do', async () => {
    const root = await application()
    const next = { resolve: { alias: { 'private-next-root-dir': root } } }
    await expect(run(root, {}, next)).rejects.toThrow(/Next\.js/)
  })
})
