import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
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

let folder: string
let platform: Platform
let authority: string
let port: number
/** Requests that the service received, after TLS. */
const received: string[] = []

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
  const proxy = await startHttpProxy({ target: port, credentials: 'ada:lovelace' })
  onTestFinished(() => proxy.close())
  vi.stubEnv('HTTPS_PROXY', `http://ada:lovelace@127.0.0.1:${proxy.port}`)
  vi.stubEnv('NODE_EXTRA_CA_CERTS', trusted)
  onTestFinished(() => void vi.unstubAllEnvs())
  const program = `
import { createServerClient } from '${source}server.ts'
import { environmentFetch, environmentTransport } from '${source}proxy.ts'
const client = createServerClient({
  baseUrl: '${baseUrl}',
  projectKey: '${projectKey}',
  credentials: ${JSON.stringify(credentials)},
  transport: environmentTransport(),
  retry: { attempts: 1 },
})
try {
  const result = await (async () => { ${code} })()
  console.log(JSON.stringify(result))
} catch (error) {
  console.log(JSON.stringify({ code: error.code, message: String(error), cause: String(error.cause) }))
}`
  const { output, errors } = await endOf(runChild(program))
  expect(errors).toBe('')
  return { result: JSON.parse(output) as unknown, output, tunnels: new Set(proxy.requests) }
}

/** Exchanges client credentials for a token, uses it, and starts the sign-in of a person. */
const calls = `
  const { items } = await client.storage.listFiles().page()
  const redirectUri = 'http://localhost:5173/callback'
  const { url } = await client.auth.startSignIn({ clientId: 'storefront-web', redirectUri })
  const page = await environmentFetch()(url, { redirect: 'manual' })
  return { items, location: page.headers.get('location') }`

describe('a service on https behind a proxy', { timeout: 60_000 }, () => {
  it('is reached through a tunnel, and its own authority is trusted', async () => {
    const { result, tunnels } = await runThroughProxy(calls, authority)
    expect(result).toEqual({
      items: [],
      location: expect.stringContaining('/login/'),
    })
    expect(received.slice(0, 3)).toEqual([
      'POST /iam/v4/oidc/token',
      'POST /data/v4/Files/GetFilesInfo with a token',
      'GET /iam/v4/idp/initiate',
    ])
    // All that the proxy sees.
    expect(tunnels).toEqual(new Set([`CONNECT ${host}:443`]))
  })

  it('receives nothing if its authority is not trusted', async () => {
    const { result, output, tunnels } = await runThroughProxy(calls, '')
    expect(result).toMatchObject({
      code: 'REQUEST_FAILED',
      message: expect.stringMatching(
        /through the proxy http:\/\/127\.0\.0\.1:\d+ failed \(\w*CERT\w*\)/,
      ),
    })
    expect(output).not.toMatch(/lovelace|secret/)
    expect(received).toEqual([])
    expect(tunnels).toEqual(new Set([`CONNECT ${host}:443`]))
  })
})
