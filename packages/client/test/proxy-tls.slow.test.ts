import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createPlatform, type Platform } from '@servicekit/platform'
import { createCertificate } from '@servicekit/testing/certificate'
import { endOf, runChild } from '@servicekit/testing/child-program'
import { startHttpProxy } from '@servicekit/testing/http-proxy'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { credentials, storefront } from './storefront.ts'

const { projectKey } = JSON.parse(await readFile(`${storefront}/project.json`, 'utf8')) as {
  projectKey: string
}
const host = 'service.test'
const baseUrl = `https://${host}`
const source = new URL('../src/', import.meta.url).href
const logIn = new URL('log-in.ts', import.meta.url).href

let folder: string
let platform: Platform
let authority: string
let port: number
/** Requests that the service received, after TLS. */
const received: string[] = []
/** Ports from which it was connected to. */
const callers = new Set<number>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-proxy-tls-'))
  const { path, key, cert } = await createCertificate(folder, host)
  authority = path
  platform = await createPlatform({ projects: [storefront], publicUrl: baseUrl })
  const server = createServer(
    { key, cert },
    getRequestListener(async (request) => {
      const authorization = request.headers.get('authorization')
      received.push(
        `${request.method} ${new URL(request.url).pathname}${authorization ? ' with a token' : ''}`,
      )
      return platform.fetch(request)
    }),
  )
  server.on('connection', (socket) => callers.add((socket as Socket).remotePort!))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  return () => {
    server.closeAllConnections()
    server.close()
  }
})
afterAll(async () => {
  await platform?.close()
  await rm(folder, { recursive: true, force: true })
})

/**
 * Runs a program through a proxy that needs a password: only a new process reads
 * `NODE_EXTRA_CA_CERTS`.
 */
async function runThroughProxy(code: string, trusted: string) {
  received.length = 0
  callers.clear()
  const proxy = await startHttpProxy({ target: port, credentials: 'ada:lovelace' })
  onTestFinished(() => proxy.close())
  vi.stubEnv('HTTPS_PROXY', `http://ada:lovelace@127.0.0.1:${proxy.port}`)
  vi.stubEnv('NODE_EXTRA_CA_CERTS', trusted)
  onTestFinished(() => void vi.unstubAllEnvs())
  const program = `
import { bindClient, createCore } from '${source}index.ts'
import { createServerClient, forwardCookies } from '${source}server.ts'
import { keepCookies } from '${source}testing.ts'
import { environmentFetch, environmentTransport } from '${source}proxy.ts'
import { logIn } from '${logIn}'
const options = {
  baseUrl: '${baseUrl}',
  projectKey: '${projectKey}',
  transport: environmentTransport(),
  retry: { attempts: 1 },
}
const credentials = ${JSON.stringify(credentials)}
try {
  const result = await (async () => { ${code} })()
  console.log(JSON.stringify(result))
} catch (error) {
  console.log(JSON.stringify({ code: error.code, message: String(error), cause: String(error.cause) }))
}`
  const { output, errors } = await endOf(runChild(program))
  expect(errors).toBe('')
  // Nothing reaches the service past the proxy.
  expect([...callers].filter((one) => !proxy.ports.has(one))).toEqual([])
  return { result: JSON.parse(output) as unknown, output, tunnels: proxy.requests }
}

/** Exchanges client credentials for a token, and uses it. */
const machineCalls = `
  const client = createServerClient({ ...options, credentials })
  return await client.storage.listFiles().page()`

/** Signs a person in with a password, renews the session, reads data, and signs out. */
const personCalls = `
  const client = bindClient(forwardCookies(createCore(options), undefined).core)
  const kept = new Map()
  const store = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  }
  const start = {
    clientId: 'storefront-web',
    redirectUri: 'http://localhost:5173/callback',
    store,
  }
  const { url } = await client.auth.startSignIn(start)
  const address = await logIn(keepCookies(environmentFetch()), url, 'ines', 'storefront')
  await client.auth.completeSignIn(address, { store })
  const session = await client.auth.getSession()
  const { token_type } = await client.auth.refresh({ clientId: 'storefront-web' })
  const { email } = await client.iam.getMe()
  const query = '{ Products { totalCount } }'
  const { data } = await client.data.execute({ query })
  await client.auth.logout()
  return {
    user: session.accounts[0].userId,
    token_type,
    email,
    products: data.Products.totalCount,
    after: (await client.auth.getSession()) ?? null,
  }`

describe('a service on https behind a proxy', { timeout: 60_000 }, () => {
  it('is reached through a tunnel, and its own authority is trusted', async () => {
    const { result, tunnels } = await runThroughProxy(machineCalls, authority)
    expect(result).toMatchObject({ items: [] })
    expect(received).toEqual([
      'POST /iam/v4/oidc/token',
      'POST /data/v4/Files/GetFilesInfo with a token',
    ])
    // All that the proxy sees.
    expect(new Set(tunnels)).toEqual(new Set([`CONNECT ${host}:443`]))
  })

  it('signs a person in, renews the session, serves data and signs out', async () => {
    const { result, output, tunnels } = await runThroughProxy(personCalls, authority)
    expect(result).toEqual({
      user: 'user-ines',
      token_type: 'Bearer',
      email: 'ines@storefront.example',
      products: expect.any(Number),
      after: null,
    })
    expect(output).not.toMatch(/lovelace/)
    const server = `/iam/v4/oidc/projects/${projectKey}`
    expect(
      received.map((one) => one.replace(/(?<=\/(?:login|authorize)\/)[\w-]+$/, '<id>')),
    ).toEqual([
      'GET /iam/v4/idp/initiate',
      `GET ${server}/authorize`,
      `GET ${server}/login/<id>`,
      `POST ${server}/login/<id>`,
      `GET ${server}/authorize/<id>`,
      'GET /iam/v4/idp/callback',
      'GET /iam/v4/oidc/session',
      'POST /iam/v4/oidc/token',
      'GET /iam/v4/iam/me',
      'POST /data/v4/gateway',
      'POST /iam/v4/auth/Logout',
      'GET /iam/v4/oidc/session',
    ])
    expect(new Set(tunnels)).toEqual(new Set([`CONNECT ${host}:443`]))
    expect(callers.size).toBe(tunnels.length)
  })

  it('receives nothing if its authority is not trusted', async () => {
    const { result, output, tunnels } = await runThroughProxy(machineCalls, '')
    expect(result).toMatchObject({
      code: 'REQUEST_FAILED',
      message: expect.stringMatching(
        /through the proxy http:\/\/127\.0\.0\.1:\d+ failed \(\w*CERT\w*\)/,
      ),
    })
    expect(output).not.toMatch(/lovelace|secret/)
    expect(received).toEqual([])
    expect(new Set(tunnels)).toEqual(new Set([`CONNECT ${host}:443`]))
  })
})
