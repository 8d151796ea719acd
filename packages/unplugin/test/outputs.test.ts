import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { build, createServer } from 'vite'
import { afterAll, describe, expect, it, vi } from 'vitest'
import webpack from 'webpack'
import { uilm as forEsbuild } from '../src/esbuild.ts'
import { uilm as forVite } from '../src/vite.ts'
import { uilm as forWebpack } from '../src/webpack.ts'
import { type Build, bundlers } from './bundlers.ts'
import { type Files, removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'
import { runNode } from './run-node.ts'

// Runs bundlers and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

afterAll(removeFolders)

const texts: Files = {
  'en-US/shop': {
    BUY: 'Buy now',
    HELLO: 'Hello {{name}}',
    ITEMS_one: '{{count}} item',
    ITEMS_other: '{{count}} items',
    SECRET: 'never shown',
  },
  'de-DE/shop': {
    BUY: 'Kaufen',
    HELLO: 'Hallo {{name}}',
    ITEMS_one: '{{count}} Ding',
    ITEMS_other: '{{count}} Dinge',
    SECRET: 'nie gezeigt',
  },
}

async function application(sources: Record<string, string>): Promise<string> {
  const root = await temporaryFolder()
  await writeApp(root, { 'package.json': '{"type": "module"}', ...sources })
  await writeSnapshot(root, texts)
  return root
}

const allText = async (folder: string): Promise<string> => {
  const files = (await readdir(folder)).filter((file) => /\.m?js$/.test(file))
  return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n')
}

describe.each(Object.entries(bundlers))('an inline build of %s', (_name, build: Build) => {
  it('contains the translations of one language, and no code that loads or selects any', async () => {
    const root = await application({
      'src/main.js': `import { BUY, HELLO, ITEMS } from '~uilm/shop'
globalThis.shown = [BUY(), HELLO({ name: 'Ada' }), ITEMS({ count: 1 }), ITEMS({ count: 2 })]
`,
    })
    await build(root, { inline: 'de-DE' })
    const files = await readdir(join(root, 'dist'))
    expect(files.filter((file) => file.endsWith('.js'))).toEqual(['main.js'])
    const code = await readFile(join(root, 'dist/main.js'), 'utf8')
    expect(code).toContain('Kaufen')
    expect(code).not.toMatch(/nie gezeigt|Buy now|localStorage|import\(|uilm-language/)
    const run = `await import('./dist/main.js'); const result = globalThis.shown`
    expect(await runNode(root, run)).toEqual(['Kaufen', 'Hallo Ada', '1 Ding', '2 Dinge'])
  })
})

const server = `import { HELLO } from '~uilm/shop'
import { createLocalizer, matchLanguage } from '~uilm/server'

let waiting = []
/** Two requests are under way at once, and each goes on when the other has begun. */
const both = () => new Promise((done) => {
  waiting.push(done)
  if (waiting.length === 2) for (const one of waiting.splice(0)) one()
})
export const handle = async (accept) => {
  const localizer = await createLocalizer(matchLanguage(accept))
  return localizer.run(async () => {
    const before = HELLO({ name: accept })
    await both()
    return [before, HELLO({ name: accept }), localizer.translate(HELLO, { name: 'x' })]
  })
}
`
const serve = (file: string): string => `const { handle } = (await import(${JSON.stringify(file)}))
const result = Promise.all([handle('fr, de;q=0.9, en;q=0.5'), handle('en-GB;q=0.8')])`
const answers = [
  ['Hallo fr, de;q=0.9, en;q=0.5', 'Hallo fr, de;q=0.9, en;q=0.5', 'Hallo x'],
  ['Hello en-GB;q=0.8', 'Hello en-GB;q=0.8', 'Hello x'],
]

describe('a server', () => {
  it('built by vite gives each request its own language', async () => {
    const root = await application({ 'src/server.js': server })
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [forVite({ root })],
      build: { ssr: 'src/server.js', target: 'esnext' },
    })
    expect(await runNode(root, serve('./dist/server.js'))).toEqual(answers)
  })

  it('built by esbuild gives each request its own language', async () => {
    const root = await application({ 'src/server.js': server })
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: ['src/server.js'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outdir: 'dist',
      logLevel: 'silent',
      plugins: [forEsbuild({ root })],
    })
    expect(await runNode(root, serve('./dist/server.js'))).toEqual(answers)
  })

  it('built by webpack as CommonJS gives each request its own language', async () => {
    const root = await application({
      'src/server.js': `${server}globalThis.handle = handle\n`,
      'dist/package.json': '{"type": "commonjs"}',
    })
    const compiler = webpack({
      mode: 'production',
      target: 'node',
      context: root,
      entry: './src/server.js',
      output: { path: join(root, 'dist'), filename: 'server.js' },
      plugins: [forWebpack({ root })],
    })!
    const stats = await new Promise<webpack.Stats>((done, fail) =>
      compiler.run((error, stats) => (error ? fail(error) : done(stats!))),
    )
    expect(stats.toJson({ all: false, errors: true }).errors).toEqual([])
    const code = `await import('./dist/server.js')
while (!globalThis.handle) await new Promise((done) => setImmediate(done))
const { handle } = globalThis
${serve('').split('\n')[1]}`
    expect(await runNode(root, code)).toEqual(answers)
  })
})

describe('a server in development', () => {
  it('gives each request its own language and edited translations', async () => {
    const root = await application({ 'src/server.js': server })
    const vite = await createServer({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [forVite({ root })],
      server: { middlewareMode: true },
    })
    type Handle = (accept: string) => Promise<string[]>
    const ask = async () => {
      const { handle } = (await vite.ssrLoadModule('/src/server.js')) as { handle: Handle }
      return Promise.all([handle('fr, de;q=0.9, en;q=0.5'), handle('en-GB;q=0.8')])
    }
    try {
      expect(await ask()).toEqual(answers)
      await writeSnapshot(root, {
        ...texts,
        'de-DE/shop': { ...texts['de-DE/shop'], HELLO: 'Grüezi {{name}}' },
      })
      await expect.poll(async () => (await ask())[0]![2], { timeout: 20_000 }).toBe('Grüezi x')
    } finally {
      await vite.close()
    }
  })
})

it('shows keys instead of translations with showKeys', async () => {
  const root = await application({
    'src/main.js': `import { BUY, HELLO, ITEMS } from '~uilm/shop'
globalThis.shown = [BUY(), HELLO({ name: 'Ada' }), ITEMS({ count: 1 })]
`,
  })
  await bundlers.vite(root, { showKeys: true, inline: 'de-DE' })
  const shown = await runNode(
    root,
    `await import('./dist/main.js'); const result = globalThis.shown`,
  )
  expect(shown).toEqual(['BUY', 'HELLO', 'ITEMS'])
})

describe('an application that stays on i18next', () => {
  it('loads the translations of a language and module on demand', async () => {
    const root = await application({
      'src/main.js': `import { backend, options } from '~uilm/i18next'
const read = (language, module) => new Promise((done) => backend.read(language, module, (_, texts) => done(texts)))
globalThis.result = [options.ns, read('de-DE', 'shop'), read('xx', 'shop')]
`,
    })
    await bundlers.vite(root, {})
    const run = `await import('./dist/main.js'); const result = Promise.all(globalThis.result)`
    expect(await runNode(root, run)).toEqual([['shop'], texts['de-DE/shop'], {}])
    const main = await readFile(join(root, 'dist/main.js'), 'utf8')
    expect(main).not.toContain('Kaufen')
  })
})

describe('a message that is looked up by name', () => {
  it('includes its whole module, and the build prints a warning', async () => {
    const root = await application({
      'src/main.js': `import { messages } from '~uilm/shop/messages'
import * as shop from '~uilm/shop'
globalThis.say = (key) => messages[key]() + shop[key]()
`,
    })
    const warnings: string[] = []
    await build({
      root,
      configFile: false,
      plugins: [forVite({ root })],
      customLogger: {
        info: () => undefined,
        warn: (message) => void warnings.push(message),
        warnOnce: () => undefined,
        error: (message) => void warnings.push(message),
        clearScreen: () => undefined,
        hasErrorLogged: () => false,
        hasWarned: false,
      },
      build: { target: 'esnext', rollupOptions: { input: join(root, 'src/main.js') } },
    })
    expect([...warnings].sort()).toEqual([
      expect.stringMatching(
        /src\/main\.js looks up messages by name, which loads all 4 messages of shop/,
      ),
      expect.stringContaining(
        '~uilm/shop/messages looks up messages by name, which loads all 4 messages of shop',
      ),
    ])
    expect(await allText(join(root, 'dist/assets'))).toContain('nie gezeigt')
  })
})
