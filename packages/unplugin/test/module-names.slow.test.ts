import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { emitProgram, specifierOf, writeFiles } from '@servicekit/catalog'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { createServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { diagnosticsOf, writeApplication } from '@servicekit/testing/type-check'
import { uilm } from '../src/vite.ts'
import { type Build, bundlers } from './bundlers.ts'
import { projectOver, removeFolders, sourceOf, temporaryFolder, writeApp } from './project.ts'
import { runNode } from './run-node.ts'

// Runs bundlers and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

afterAll(removeFolders)

/**
 * Modules named like a built-in entry, like the folder of another module, or with special
 * characters.
 */
const names = [
  'server',
  'react',
  'Vue',
  'svelte',
  'solid',
  'i18next',
  'runtime',
  'shop',
  'shop/cart',
  'shop/messages',
  'shop/cart/total',
  'en-US/shop',
  'a:b',
  'a b',
  'server$',
  '..',
  'größe',
]
const files = Object.fromEntries(
  ['en-US', 'de-DE'].flatMap((language) =>
    names.map((name) => [`${language}/${name}`, { TEXT: `${language} ${name}`, N: '{{a}}' }]),
  ),
)
const imports = names.map(
  (name, index) => `import { TEXT as T${index} } from '${specifierOf(name)}'\n`,
)
const shown = `[${names.map((_, index) => `T${index}()`).join(', ')}]`
const main = `${imports.join('')}
import { setLanguage } from '~uilm'
import { createLocalizer } from '~uilm/server'
import { messages } from '${specifierOf('shop/cart')}/messages'
import { messages as own } from '${specifierOf('server')}/messages'
const localizer = await createLocalizer('de-DE')
await setLanguage('de-DE')
globalThis.shown = [...${shown}, messages.TEXT(), own.TEXT(), localizer.translate(T0)]
`
const expected = [...names, 'shop/cart', 'server', 'server'].map((name) => `de-DE ${name}`)

/** Creates an application with these modules, pulled from a source. */
async function application(): Promise<string> {
  const root = await temporaryFolder()
  const project = projectOver(root, sourceOf(files))
  await project.pull()
  await project.writeTypes(await project.load())
  await writeApp(root, { 'package.json': '{"type": "module"}', 'src/main.js': main })
  return root
}

describe('a module of any name', () => {
  it.each(['nodenext', 'bundler'] as const)('type checks by its specifier, %s', async (kind) => {
    const root = await application()
    const uses = names.map(
      (name, index) => `
      import { N as N${index} } from '${specifierOf(name)}'
      export const t${index}: string = T${index}() + N${index}({ a: 1 })
      // @ts-expect-error the parameter is missing
      N${index}()`,
    )
    await writeApplication(root, kind, {
      'src/page.ts': `${imports.join('')}${uses.join('\n')}
      import { messages, type Key } from '${specifierOf('shop/cart')}/messages'
      export const text = messages['TEXT' satisfies Key]()`,
    })
    expect(diagnosticsOf(root)).toEqual([])
  })

  it.each(Object.entries(bundlers))('is built by %s', async (name, build: Build) => {
    const root = await application()
    vi.spyOn(console, 'warn').mockReturnValue()
    // webpack bundles for several languages run only in browsers.
    await build(root, name.endsWith('pack') ? { inline: 'de-DE' } : {})
    const url = pathToFileURL(join(root, 'dist/main.js')).href
    const result = await runNode<string[]>(
      root,
      `await import('${url}')
      while (!globalThis.shown) await new Promise(setImmediate)
      const result = globalThis.shown`,
    )
    expect(result).toEqual(expected)
  })

  it('is compiled to plain modules of that name', async () => {
    const root = await application()
    const model = await projectOver(root, undefined).load()
    const written = emitProgram(model, { outDir: join(root, 'out'), storageKey: 'k' })
    expect(new Set(written.map(({ path }) => path.toLowerCase())).size).toBe(written.length)
    await writeFiles(written)
    const files = names.map((name) => specifierOf(name).slice('~uilm/'.length))
    const result = await runNode<string[]>(
      join(root, 'out'),
      `const { setLanguage } = await import('./runtime.js')
      await setLanguage('de-DE')
      const result = []
      for (const file of ${JSON.stringify(files)}) {
        result.push((await import('./' + encodeURI(file) + '.js')).TEXT())
      }`,
    )
    expect(result).toEqual(names.map((name) => `de-DE ${name}`))
  })

  it('keeps its name in i18next', async () => {
    const root = await application()
    const project = projectOver(root, undefined)
    await project.writeTypes(await project.load())
    const types = await readFile(join(root, '.servicekit/types/uilm/i18next.d.ts'), 'utf8')
    expect(types).toContain('readonly "shop/cart": {')
    expect(types).toContain('readonly "server": {')
  })
})

describe.skipIf(isBrowserMissing())('a module of any name, in development', () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  it('is shown in the page', async () => {
    const root = await application()
    await writeApp(root, {
      'index.html':
        '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/src/main.js"></script>',
    })
    const server = await createServer({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [uilm({ root })],
      server: { host: '127.0.0.1', port: 0 },
    })
    try {
      await server.listen()
      const page = await browser.newPage()
      await page.goto(server.resolvedUrls!.local[0]!)
      await page.waitForFunction('globalThis.shown')
      expect(await page.evaluate('globalThis.shown')).toEqual(expected)
    } finally {
      await server.close()
    }
  })
})
