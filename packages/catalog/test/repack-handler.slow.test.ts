import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type StartedPlatform, startPlatform } from '@servicekit/platform/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  type BuildManifest,
  createManifest,
  emitPackFiles,
  type LivePointer,
  openProject,
  type Problem,
} from '../src/index.ts'
import { repackHandler, type RepackHandlerOptions, type TenantProject } from '../src/repack.ts'

const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))
const keys = [
  ['cart', 'CART_EMPTY'],
  ['cart', 'CART_ITEMS'],
  ['common', 'FOOTER_NOTE'],
] as const
const webhook = { headerKey: 'x-hook', secret: 'secret of acme' }

let root: string
let platform: StartedPlatform
let manifest: BuildManifest
let projects: Map<string, TenantProject>

/** Starts the storefront with two project keys, and builds it with the first one. */
async function startTenants(): Promise<void> {
  root = await mkdtemp(join(tmpdir(), 'servicekit-catalog-'))
  const copy = await copyStorefront('Pother')
  platform = await startPlatform({ projectDir: [storefront, copy], port: 0 })
  const [acme, zeta] = platform.projectKeys.map((projectKey) => ({
    baseUrl: platform.baseUrl,
    projectKey,
  }))
  projects = new Map<string, TenantProject>([
    ['acme', { ...acme!, webhook }],
    ['zeta', zeta!],
  ])
  const project = openProject({ ...acme, root }, { environment: {} })
  await project.pull()
  const model = await project.load()
  const messageOf = (module: string, key: string) =>
    model.modules.find(({ name }) => name === module)!.messages.find((one) => one.key === key)!
  const messages = keys.map(([module, key]) => messageOf(module, key))
  manifest = createManifest(model, [{ keys, ...emitPackFiles(model, messages) }], messageOf)
}

async function copyStorefront(projectKey: string): Promise<string> {
  const folder = join(root, projectKey)
  await cp(storefront, folder, { recursive: true })
  const file = join(folder, 'project.json')
  const project = JSON.parse(await readFile(file, 'utf8')) as object
  await writeFile(file, JSON.stringify({ ...project, projectKey }))
  return folder
}

beforeAll(startTenants)
afterAll(async () => {
  await platform?.close()
  await rm(root, { recursive: true, force: true })
})

async function edit(tenant: string, language: string, key: string, value: string): Promise<void> {
  const { projectKey } = projects.get(tenant)!
  const module = keys.find(([, one]) => one === key)![0]
  const response = await fetch(`${platform.baseUrl}/_platform/projects/${projectKey}/texts`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ language, module, key, value }]),
  })
  expect(response.status, await response.text()).toBe(200)
}

/** Creates a handler that never looks for changes by itself. */
function createHandler(options: Partial<RepackHandlerOptions> = {}) {
  const problems: [string, readonly Problem[]][] = []
  const errors: [string, string][] = []
  const handler = repackHandler({
    manifest,
    source: (tenant) => projects.get(tenant),
    maxAgeMs: 3_600_000,
    onProblems: (found, tenant) => void problems.push([tenant, found]),
    onError: (error, tenant) =>
      void errors.push([tenant, (error as Error).message.split('\n')[0]!]),
    ...options,
  })
  const get = (path: string, init?: RequestInit): Promise<Response> =>
    handler(new Request(`https://live.test/${path}`, init))
  const pointer = async (tenant: string) =>
    (await (await get(`live/${tenant}/uilm-current.json`)).json()) as LivePointer
  /** Returns the pack that a tenant's pointer names for a language. */
  const pack = async (tenant: string, language: string): Promise<string> => {
    const [hash] = Object.values((await pointer(tenant)).packs)
    return (await get(`live/${tenant}/uilm-${hash}.${language}.js`)).text()
  }
  const publish = (tenant: string, header = webhook.secret, guid: string = crypto.randomUUID()) =>
    get(`live/${tenant}/webhook`, {
      method: 'POST',
      headers: { 'x-hook': header },
      body: JSON.stringify({ GenerateUilmFilesEvent: { Guid: guid, ProjectKey: 'P' } }),
    })
  return { handler, get, pointer, pack, publish, problems, errors }
}

describe('repackHandler', () => {
  // Each test begins with other texts than those of the build, and of the test before.
  let count = 0
  let text = ''
  beforeEach(async () => {
    text = `Leer ${++count}`
    await edit('acme', 'de-DE', 'CART_EMPTY', text)
    await edit('zeta', 'de-DE', 'CART_EMPTY', `Zeta ${text}`)
  })

  it('serves each tenant its own packs, immutable, and a pointer that is revalidated', async () => {
    const { get, pack, pointer } = createHandler()
    expect(await pack('acme', 'de-DE')).toContain(`["${text}",`)
    expect(await pack('zeta', 'de-DE')).toContain(`["Zeta ${text}",`)
    const current = await get('live/acme/uilm-current.json')
    expect(Object.fromEntries(current.headers)).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
    })
    const etag = current.headers.get('etag')!
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get('live/acme/uilm-current.json', {
        headers: { 'if-none-match': known },
      })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
    const [hash] = Object.values((await pointer('acme')).packs)
    const response = await get(`live/acme/uilm-${hash}.de-DE.js`)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    // The packs of one tenant are not below the address of another one.
    expect((await get(`live/zeta/uilm-${hash}.de-DE.js`)).status).toBe(404)
    const head = await get('live/acme/uilm-current.json', { method: 'HEAD' })
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
  })

  it('points at new packs after an event, keeps the old ones, and compiles other tenants not at all', async () => {
    const { get, pack, pointer, publish } = createHandler()
    const [before] = Object.values((await pointer('acme')).packs)
    const zeta = await pointer('zeta')
    await edit('acme', 'de-DE', 'CART_EMPTY', `${text} neu`)
    await edit('zeta', 'de-DE', 'CART_EMPTY', `${text} neu`)
    expect(Object.values((await pointer('acme')).packs)).toEqual([before])
    expect((await publish('acme')).status).toBe(200)
    expect(await pack('acme', 'de-DE')).toContain(`["${text} neu",`)
    expect((await get(`live/acme/uilm-${before}.de-DE.js`)).status).toBe(200)
    expect(await pointer('zeta')).toEqual(zeta)
  })

  it('looks for changes itself after maxAgeMs', async () => {
    const { pack } = createHandler({ maxAgeMs: 0 })
    expect(await pack('acme', 'de-DE')).toContain(`["${text}",`)
    await edit('acme', 'de-DE', 'CART_EMPTY', `${text} neu`)
    expect(await pack('acme', 'de-DE')).toContain(`["${text} neu",`)
  })

  it('refuses events without the secret of the project, and those of a project without webhook', async () => {
    const { pointer, publish } = createHandler()
    const before = await pointer('acme')
    await edit('acme', 'de-DE', 'CART_EMPTY', `${text} neu`)
    expect((await publish('acme', 'wrong')).status).toBe(401)
    expect((await publish('zeta')).status).toBe(404)
    expect(await pointer('acme')).toEqual(before)
  })

  it('refuses a translation with other parameters, and reports it', async () => {
    const { pack, problems } = createHandler()
    await edit('acme', 'de-DE', 'FOOTER_NOTE', 'Stand {{jahr}}')
    onTestFinished(() => edit('acme', 'de-DE', 'FOOTER_NOTE', '© {{year}}'))
    expect(await pack('acme', 'de-DE')).not.toContain('jahr')
    expect(problems).toEqual([
      [
        'acme',
        [
          expect.objectContaining({
            code: 'TRANSLATION_REFUSED',
            language: 'de-DE',
            message: 'the build passes no parameter jahr; the built translation remains',
          }),
        ],
      ],
    ])
  })

  it('compiles once for concurrent requests', async () => {
    const { proxy, requests } = await startProxy()
    const { pointer } = createHandler({
      source: () => ({ ...projects.get('acme')!, baseUrl: proxy }),
    })
    const all = await Promise.all(Array.from({ length: 20 }, () => pointer('acme')))
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1)
    // Languages, modules, and two modules of the build in six languages.
    expect(requests).toHaveLength(2 + 2 * 6)
    await Promise.all(Array.from({ length: 20 }, () => pointer('acme')))
    expect(requests).toHaveLength(2 + 2 * 6)
  })

  it('serves the last packs while the service is down, and 503 if there are none', async () => {
    const { proxy, requests, state } = await startProxy()
    const options = { source: () => ({ ...projects.get('acme')!, baseUrl: proxy }), maxAgeMs: 0 }
    const { get, pointer, errors } = createHandler(options)
    const before = await pointer('acme')
    expect(requests.length).toBeGreaterThan(0)
    state.isDown = true
    expect(await pointer('acme')).toEqual(before)
    expect(errors).toEqual([['acme', expect.stringContaining('503')]])
    const cold = createHandler(options)
    expect((await cold.get('live/acme/uilm-current.json')).status).toBe(503)
    state.isDown = false
    expect((await cold.get('live/acme/uilm-current.json')).status).toBe(200)
    expect((await get('live/acme/uilm-current.json')).status).toBe(200)
  })

  it('shares packs through a cache, and works while the cache is down', async () => {
    const stored = new Map<string, unknown>()
    const cache = {
      getItem: async (key: string) => stored.get(key),
      setItem: async (key: string, value: string) => stored.set(key, value),
    }
    const first = createHandler({ cache })
    const [hash] = Object.values((await first.pointer('acme')).packs)
    await edit('acme', 'de-DE', 'CART_EMPTY', `${text} neu`)
    // Another instance, which compiled only the newer translations.
    const second = createHandler({ cache })
    const old = await second.get(`live/acme/uilm-${hash}.de-DE.js`)
    expect(await old.text()).toContain(`["${text}",`)
    const fail = () => Promise.reject(new Error('cache is down'))
    const third = createHandler({ cache: { getItem: fail, setItem: fail } })
    expect(await third.pack('acme', 'de-DE')).toContain(`["${text} neu",`)
    expect(third.errors).toContainEqual(['acme', 'cache is down'])
  })

  it.each([
    'live/nobody/uilm-current.json',
    'live/constructor/uilm-current.json',
    'live/__proto__/uilm-current.json',
    'live/../uilm-current.json',
    'live/%2e%2e/uilm-current.json',
    'live/a%2Fb/uilm-current.json',
    'live/acme%00/uilm-current.json',
    `live/${'a'.repeat(200)}/uilm-current.json`,
    'uilm-current.json',
    'live/acme/',
    'live/acme/uilm-manifest.json',
    'live/acme/uilm-00000000.de-DE.js',
    'live/acme/uilm-00000000.de-DE.js/x',
    'live/acme/uilm-0000000G.de-DE.js',
    'live/acme/uilm-00000000.%2e%2e%2fx.js',
    'live/acme/..%2f..%2fetc%2fpasswd',
    'live//uilm-current.json',
  ])('responds to /%s with 404', async (path) => {
    const byName: Record<string, TenantProject> = Object.fromEntries(projects)
    const { get, errors } = createHandler({ source: (tenant) => byName[tenant] })
    const response = await get(path)
    expect(response.status).toBe(404)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(errors).toEqual([])
  })

  it.each(['PUT', 'DELETE', 'POST'])('responds to %s with 405', async (method) => {
    const { get } = createHandler()
    const response = await get('live/acme/uilm-current.json', { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    const hook = await get('live/acme/webhook')
    expect([hook.status, hook.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('serves one project without a tenant in the paths', async () => {
    const { get } = createHandler({ source: projects.get('acme')! })
    const response = await get('live/uilm-current.json')
    expect(((await response.json()) as LivePointer).packs).toHaveProperty(manifest.chunks[0]!.hash)
  })

  it('reports an error of source, and responds with 503', async () => {
    const source = () => Promise.reject(new Error('no database'))
    const { get, errors } = createHandler({ source })
    expect((await get('live/acme/uilm-current.json')).status).toBe(503)
    expect(errors).toEqual([['acme', 'no database']])
  })

  it('forgets a tenant that source no longer knows', async () => {
    const { get } = createHandler({ maxAgeMs: 0 })
    expect((await get('live/zeta/uilm-current.json')).status).toBe(200)
    const zeta = projects.get('zeta')!
    projects.delete('zeta')
    onTestFinished(() => void projects.set('zeta', zeta))
    expect((await get('live/zeta/uilm-current.json')).status).toBe(404)
  })
})

/** Starts a proxy of the platform that counts requests and can be down. */
async function startProxy() {
  const requests: string[] = []
  const state = { isDown: false }
  const server = createServer(async (request, response) => {
    requests.push(request.url!)
    if (state.isDown) {
      response.writeHead(503).end()
      return
    }
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'host' ? [[name, value] as [string, string]] : [],
    )
    const found = await fetch(new URL(request.url!, platform.baseUrl), { headers })
    const { status } = found
    const etag = found.headers.get('etag')
    response.writeHead(status, {
      'content-type': found.headers.get('content-type') ?? 'text/plain',
      ...(etag === null ? {} : { etag }),
    })
    response.end(Buffer.from(await found.arrayBuffer()))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((done) => server.close(() => done()))
  })
  return { proxy: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, state }
}
