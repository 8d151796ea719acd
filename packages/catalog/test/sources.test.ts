import { createServer } from 'node:http'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addKeys, type CacheStorage, folderSource, openProject, openWriter } from '../src/index.ts'
import { openCache, sharedCache } from '../src/snapshot/shared-cache.ts'
import { bytesIn, filesIn, temporaryFolder } from '@servicekit/testing/folder'
import { fakeService, projectOver } from '@servicekit/testing/translation-service'

const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))

async function write(folder: string, files: Record<string, unknown>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await writeFile(join(folder, path), text)
  }
}

describe('a folder of <language>/<module>.json', () => {
  it('is read without a copy of it', async () => {
    const root = await temporaryFolder()
    const project = openProject(
      { root, from: join(storefront, 'uilm'), defaultLanguage: 'en-US' },
      { environment: {} },
    )
    expect(project.hasSource).toBe(false)
    expect(project.folder).toMatchObject({ path: join(storefront, 'uilm') })
    expect(await project.pull()).toMatchObject({ languages: 6, modules: 8, files: 48, written: 0 })
    const { catalog } = await project.load()
    expect(catalog.languages[0]).toEqual({ code: 'en-US', name: 'American English' })
    expect(await filesIn(root)).toEqual([])
  })

  it('can be copied to a snapshot', async () => {
    const root = await temporaryFolder()
    const source = folderSource(join(storefront, 'uilm'))
    const project = openProject({ root, defaultLanguage: 'en-US' }, { environment: {}, source })
    expect(project).toMatchObject({ hasSource: true, folder: undefined })
    expect(await project.pull()).toMatchObject({ languages: 6, modules: 8, files: 48, written: 49 })
    expect(await project.pull()).toMatchObject({ written: 0, changed: [] })
  })

  it('reads a snapshot unchanged, including unusual names', async () => {
    const [first, second] = [await temporaryFolder(), await temporaryFolder()]
    const fake = fakeService({
      'en-US/my texts/ü': { A: 'a' },
      'en-US/auth': { '404': ' x\n', B: null },
      'de-DE/auth': { B: '' },
    })
    fake.served.modules = [{ moduleName: 'my texts' }, { moduleName: 'auth' }]
    fake.served.files.set('en-US/my texts', { C: 'c' })
    await projectOver(fake.fetch, { root: first }).pull()
    const source = folderSource(join(first, 'uilm'))
    const project = openProject({ root: second }, { environment: {}, source })
    await project.pull()
    expect(await bytesIn(join(second, 'uilm'))).toEqual(await bytesIn(join(first, 'uilm')))
  })

  it('reads exports of other tools: nesting, a byte order mark, languages without names', async () => {
    const [root, from] = [await temporaryFolder(), await temporaryFolder()]
    await write(from, {
      'de_AT/common.json': `\ufeff{"a": {"b": {"c": "tief"}}, "x.y": "flach", "x": {"y": "nein"}}`,
      'en/common.json': { a: { b: { c: 'deep' } }, 'x.y': 'flat' },
      'node_modules/x.json': '{',
      'README.md': '#',
    })
    const project = openProject({ root, from }, { environment: {} })
    const { problems } = await project.pull()
    expect(problems).toEqual([])
    const { catalog } = await project.load()
    expect(catalog.defaultLanguage).toBe('en')
    expect([...catalog.modules[0]!.translations.get('de_AT')!]).toEqual([
      ['a.b.c', 'tief'],
      ['x.y', 'flach'],
    ])
  })

  it('has a module with a slash for each file in a subfolder', async () => {
    const [root, from] = [await temporaryFolder(), await temporaryFolder()]
    await write(from, {
      'en/topic.json': { A: 'a' },
      'en/admin/menu.json': { B: 'b' },
      'en/admin/manage/users.json': { C: 'c' },
      'en/my%20texts/x%3Ay.json': { D: 'd' },
      'en/.history/old.json': { E: 'e' },
      'de/admin/menu.json': { B: 'be' },
    })
    const project = openProject({ root, from }, { environment: {} })
    await project.pull()
    const { modules } = (await project.load()).catalog
    expect(modules.map(({ name }) => name)).toEqual([
      'admin/manage/users',
      'admin/menu',
      'my texts/x:y',
      'topic',
    ])
    expect(modules[1]!.translations.get('de')!.get('B')).toBe('be')
  })

  it('has every file of the largest layouts: a tree of random names', async () => {
    const [root, from] = [await temporaryFolder(), await temporaryFolder()]
    const name = fc.stringMatching(/^[a-z][\w.-]{0,6}[a-z]$/)
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
    const paths = fc
      .sample(
        fc.uniqueArray(path, {
          minLength: 60,
          maxLength: 60,
          selector: (one) => one.toLowerCase(),
        }),
        { numRuns: 1, seed: 1 },
      )
      .flat()
    await write(from, Object.fromEntries(paths.map((one) => [`en/${one}.json`, { KEY: one }])))
    const project = openProject({ root, from }, { environment: {} })
    await project.pull()
    const { modules } = (await project.load()).catalog
    expect(modules.map(({ name: module }) => module).sort()).toEqual([...paths].sort())
    for (const { name: module, translations } of modules) {
      expect(translations.get('en')!.get('KEY')).toBe(module)
    }
  })

  it('names files of its languages that it does not read', async () => {
    const [root, from] = [await temporaryFolder(), await temporaryFolder()]
    await write(from, {
      'en/cart.json': { A: 'a' },
      'en/shop.yml': 'B: b',
      'en.json': { C: 'c' },
      'auth.en.json': { D: 'd' },
      'settings.json': {},
    })
    const projects = [
      openProject({ root, from }, { environment: {} }),
      openProject({ root }, { environment: {}, source: folderSource(from) }),
    ]
    for (const project of projects) {
      const { problems } = await project.pull()
      expect(problems.map(({ code, severity, message }) => [code, severity, message])).toEqual(
        ['auth.en.json', 'en.json', 'en/shop.yml'].map((path) => [
          'FILE_IGNORED',
          'warning',
          `${path} is not read, because it is not named {language}/{module}.json; rename it, or add its name to the option from: { files }`,
        ]),
      )
    }
  })

  it('names two files of the same module', async () => {
    const [root, from] = [await temporaryFolder(), await temporaryFolder()]
    await write(from, { 'en/shop/cart.json': { A: 'a' }, 'en/shop%2Fcart.json': { A: 'b' } })
    const pull = openProject({ root, from }, { environment: {} }).pull()
    await expect(pull).rejects.toThrow(/Two files are of the module "shop\/cart"/)
  })

  it('is read once if a link leads to a folder above', async () => {
    const [root, from] = [await temporaryFolder(), await temporaryFolder()]
    await write(from, { 'en/shop/cart.json': { A: 'a' } })
    await symlink('..', join(from, 'en/shop/loop'))
    const report = await openProject({ root, from }, { environment: {} }).pull()
    expect(report).toMatchObject({ modules: 1 })
  })

  it('gets new keys in its subfolders', async () => {
    const [root, from] = [await temporaryFolder(), await temporaryFolder()]
    await write(from, {
      'en/shop/cart.json': '{\n  "PAY": "Pay"\n}\n',
      'de/shop/cart.json': '{\n  "PAY": "Zahlen"\n}\n',
      'en/old%2Fform.json': '{\n  "A": "a"\n}\n',
    })
    const project = openProject({ root, from }, { environment: {} })
    await project.pull()
    const draft = (module: string) => ({ module, key: 'NEW', text: 'New' })
    await addKeys(project, [draft('shop/cart'), draft('old/form')])
    await addKeys(project, [draft('shop/gifts/wrap')], { newModules: true })
    const renames = [{ module: 'shop/cart', from: 'PAY', to: 'BUY' }]
    const call = { language: 'en', signal: new AbortController().signal }
    await openWriter(project.options).rename!(renames, call)
    expect(await bytesIn(from)).toEqual({
      'de/shop/cart.json': '{\n  "BUY": "Zahlen"\n}\n',
      'en/old%2Fform.json': '{\n  "A": "a",\n  "NEW": "New"\n}\n',
      'en/shop/cart.json': '{\n  "BUY": "Pay",\n  "NEW": "New"\n}\n',
      'en/shop/gifts/wrap.json': '{\n  "NEW": "New"\n}\n',
    })
    await project.pull()
    const names = (await project.load()).catalog.modules.map(({ name }) => name)
    expect(names).toEqual(['old/form', 'shop/cart', 'shop/gifts/wrap'])
  })

  it.each([
    ['en/a.json:1:2: the file ends too early', { 'en/a.json': '{' }],
    ['is not an object', { 'en/a.json': '[]' }],
    ['more than 1000', { 'en/a.json': { A: 'x'.repeat(1000) } }],
    ['contains no languages', { 'a.json': {} }],
  ])('reports what it cannot read: %s', async (message, files) => {
    const [root, from] = [await temporaryFolder(), await temporaryFolder()]
    await write(from, files)
    const project = openProject({ root, from, maxBytes: 1000 }, { environment: {} })
    await expect(project.pull()).rejects.toThrow(message)
    expect(await filesIn(root)).toEqual([])
  })

  it('reads nothing outside the folder', async () => {
    const [root, from] = [await temporaryFolder(), await temporaryFolder()]
    await write(from, { 'en/a.json': { A: 'a' }, 'secret.json': { S: 's' } })
    const project = openProject({ root, from, modules: ['../secret', 'a'] }, { environment: {} })
    expect(JSON.stringify((await project.load()).catalog)).not.toContain('"S"')
  })
})

describe('a response', () => {
  it('that exceeds the limit when decompressed is rejected, and nothing is written', async () => {
    const bomb = gzipSync(`{"A":"${'a'.repeat(30_000_000)}"}`)
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, 'http://localhost')
      if (pathname.endsWith('/Language/Gets')) response.end('[{"languageCode":"en"}]')
      else if (pathname.endsWith('/Module/Gets')) response.end('[{"moduleName":"m"}]')
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const root = await temporaryFolder()
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const project = openProject({ root, baseUrl, projectKey: 'P' }, { environment: {} })
    expect(bomb.byteLength).toBeLessThan(100_000)
    await expect(project.pull()).rejects.toThrow(/translations of module "m" in en/)
    expect(await filesIn(root)).toEqual([])
  })

  it('that does not arrive is awaited until the signal aborts', async () => {
    const sockets = new Set<{ destroy: () => void }>()
    const server = createServer(() => undefined)
    server.on('connection', (socket) => sockets.add(socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const root = await temporaryFolder()
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const project = openProject(
      { root, baseUrl, projectKey: 'P', timeoutMs: 60_000 },
      { environment: {} },
    )
    const controller = new AbortController()
    const pull = project.pull({ signal: controller.signal })
    server.once('request', () => controller.abort(new Error('enough')))
    await expect(pull).rejects.toThrow('the call was aborted')
  })
})

describe('the shared cache', () => {
  const files = () => ({ 'en/a': { K: 'one', L: '["not JSON"]' }, 'en/b': { M: 'two' } })
  const served = () => {
    const fake = fakeService(files())
    fake.served.sendsEtags = true
    return fake
  }
  const translations = (
    requests: readonly { readonly condition: string | null; readonly url: URL }[],
  ) =>
    requests.filter(({ url }) => url.pathname.endsWith('GetUilmFile')).map((one) => one.condition)

  it('is a folder from which other machines read the files', async () => {
    const [one, two, cache] = [
      await temporaryFolder(),
      await temporaryFolder(),
      await temporaryFolder(),
    ]
    const fake = served()
    await projectOver(fake.fetch, { root: one, cache }).pull()
    expect((await readdir(cache, { recursive: true })).length).toBeGreaterThan(0)
    fake.requests.length = 0
    const report = await projectOver(fake.fetch, { root: two, cache }).pull()
    expect(report).toMatchObject({ files: 2, unchanged: 2, written: 3 })
    expect(translations(fake.requests).every((condition) => condition !== null)).toBe(true)
    expect(await bytesIn(join(two, 'uilm'))).toEqual(await bytesIn(join(one, 'uilm')))
    fake.served.files.set('en/a', { K: 'new' })
    await projectOver(fake.fetch, { root: two, cache }).pull()
    const third = await temporaryFolder()
    expect(await projectOver(fake.fetch, { root: third, cache }).pull()).toMatchObject({
      unchanged: 2,
    })
    expect((await bytesIn(join(third, 'uilm')))['en/a.json']).toContain('new')
  })

  it('works over http', async () => {
    const store = new Map<string, string>()
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      if (request.method === 'PUT') store.set(request.url!, Buffer.concat(chunks).toString())
      const found = store.get(request.url!)
      response.writeHead(found === undefined ? 404 : 200).end(found)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const cache = `http://127.0.0.1:${(server.address() as AddressInfo).port}/uilm`
    const fake = served()
    await projectOver(fake.fetch, { root: await temporaryFolder(), cache }).pull()
    expect(store.size).toBe(4)
    const second = projectOver(fake.fetch, { root: await temporaryFolder(), cache })
    expect(await second.pull()).toMatchObject({ unchanged: 2, problems: [] })
  })

  it.each(['http://cache.test/uilm', 's3://texts?endpoint=http://cache.test'])(
    'at %s is reached through the proxy of the environment',
    async (cache) => {
      const store = new Map<string, string>()
      const server = createServer(async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        if (request.method === 'PUT') store.set(request.url!, Buffer.concat(chunks).toString())
        const found = store.get(request.url!)
        response.writeHead(found === undefined ? 404 : 200).end(found)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const environment = {
        HTTP_PROXY: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'secret',
      }
      const root = await temporaryFolder()
      const storage = sharedCache(await openCache(cache, { root, environment }))
      const from = { source: 'test', path: 'en/a.json', etag: '"1"' }
      await storage.save({ hash: '1 sha256-x', content: 'text' }, from)
      expect(storage.failure()).toBeUndefined()
      expect([...store.keys()]).toHaveLength(2)
      for (const url of store.keys())
        expect(url).toMatch(/^http:\/\/cache\.test\/(?:uilm|texts)\/uilm/)
      expect(await storage.content('1 sha256-x')).toBe('text')
      expect(await storage.etag('test', 'en/a.json')).toEqual({ etag: '"1"', hash: '1 sha256-x' })
      expect(await storage.content('2 sha256-y')).toBeUndefined()
      expect(storage.failure()).toBeUndefined()
    },
  )

  it('is ignored if the content does not match the hash', async () => {
    const items = new Map<string, string>()
    const cache: CacheStorage = {
      getItem: async (key) => items.get(key) ?? null,
      setItem: async (key, value) => void items.set(key, value),
    }
    const fake = served()
    await projectOver(fake.fetch, { root: await temporaryFolder(), cache }).pull()
    for (const key of items.keys())
      if (key.includes('text')) items.set(key, '={\n  "K": "evil"\n}\n')
    const root = await temporaryFolder()
    expect(await projectOver(fake.fetch, { root, cache }).pull()).toMatchObject({ unchanged: 0 })
    expect(JSON.stringify(await bytesIn(root))).not.toContain('evil')
  })

  it('causes one warning and one timeout if it is unreachable', async () => {
    let calls = 0
    const cache: CacheStorage = {
      getItem: async () => {
        calls++
        throw new Error('connection refused')
      },
      setItem: async () => undefined,
    }
    const root = await temporaryFolder()
    const report = await projectOver(served().fetch, { root, cache, concurrency: 1 }).pull()
    expect(report.problems).toMatchObject([{ code: 'CACHE_UNUSABLE', severity: 'warning' }])
    expect(report.files).toBe(2)
    expect(calls).toBe(1)
  })

  it.each([
    ['ftp://x', 'cache does not support ftp:// URLs'],
    ['s3://bucket', 'requires credentials'],
  ])('rejects %s with a message', async (cache, message) => {
    const project = projectOver(served().fetch, { root: await temporaryFolder(), cache })
    await expect(project.pull()).rejects.toThrow(message)
  })

  it('is not used for ETags of another source', async () => {
    const [one, two] = [await temporaryFolder(), await temporaryFolder()]
    const fake = served()
    await projectOver(fake.fetch, { root: one }).pull()
    await cp(one, two, { recursive: true })
    expect(await projectOver(fake.fetch, { root: two }).pull()).toMatchObject({ unchanged: 2 })
  })
})
