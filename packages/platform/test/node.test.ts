import { once } from 'node:events'
import { connect } from 'node:net'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { listen, type Listening, startPlatform } from '../src/node.ts'
import { project, storefront, storefrontKey } from '@servicekit/testing/projects'

describe('a platform that listens', () => {
  let platform: Platform
  let server: Listening
  beforeAll(async () => {
    platform = await createPlatform({
      projects: [project('P', { en: { m: { A: 'ü'.repeat(900) } } })],
    })
    server = await listen(platform)
  })
  afterAll(async () => {
    await server.close()
    await platform.close()
  })
  const address = () =>
    `${server.baseUrl}/uilm/v1/Key/GetUilmFile?Language=en&ModuleName=m&ProjectKey=P`
  const key = { 'x-service-key': 'P' }

  it('responds to requests over a network', async () => {
    const response = await fetch(address(), { headers: key })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.json()).toEqual({ A: 'ü'.repeat(900) })
    const etag = response.headers.get('etag')!
    const again = await fetch(address(), { headers: { ...key, 'if-none-match': etag } })
    expect(again.status).toBe(304)
    const head = await fetch(address(), { headers: key, method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('sends the plain body with its length', async () => {
    const response = await fetch(address(), { headers: { ...key, 'accept-encoding': 'identity' } })
    expect(response.headers.get('content-length')).toBe('1808')
    expect((await response.arrayBuffer()).byteLength).toBe(1808)
  })

  it('reads request bodies', async () => {
    const response = await fetch(`${server.baseUrl}/data/v4/gateway`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ __typename }' }),
    })
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } })
  })

  it('drops a connection by a fault injection rule', async () => {
    const rule = { method: 'POST', body: JSON.stringify({ drop: true, times: 1 }) }
    await fetch(`${server.baseUrl}/_platform/faults`, rule)
    await expect(fetch(address(), { headers: key })).rejects.toThrow('fetch failed')
    expect((await fetch(address(), { headers: key })).status).toBe(200)
  })

  it('rejects control requests of pages that address it by another name', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      request(
        `${server.baseUrl}/_platform/projects`,
        { headers: { host: 'rebound.example' } },
        (response) => {
          response.resume()
          resolve(response.statusCode!)
        },
      )
        .on('error', reject)
        .end()
    })
    expect(status).toBe(400)
    expect((await fetch(`${server.baseUrl}/_platform/projects`)).status).toBe(200)
  })

  it('survives a request that is not HTTP', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.end('\0\0nonsense\r\n\r\n')
    await new Promise((resolve) => socket.resume().once('close', resolve))
    expect((await fetch(address(), { headers: key })).status).toBe(200)
  })

  it('reports that a port is in use', async () => {
    await expect(listen(platform, { port: server.port })).rejects.toMatchObject({
      code: 'LISTEN_FAILED',
      message: expect.stringContaining('the port is in use'),
      details: { port: server.port },
    })
  })
})

describe('startPlatform', () => {
  it.each([
    [{ dataDir: '/dev/null/data' }, 'DATABASE_FAILED', '/dev/null/data'],
    [{ databaseUrl: 'postgres://someone:canary@127.0.0.1:1/x' }, 'DATABASE_FAILED', '127.0.0.1:1'],
    [{ port: 70_000 }, 'OPTION_INVALID', '65535'],
  ])('explains what is wrong with %j without showing a password', async (options, code, text) => {
    const starting = startPlatform(options)
    const error = await starting.catch((reason: Error) => reason)
    expect(error).toMatchObject({ code, message: expect.stringContaining(text) })
    expect((error as Error).message).not.toContain('canary')
  })

  it('listens before the project is loaded, and early requests wait', async () => {
    let early: Promise<Response> | undefined
    let ready: Promise<Response> | undefined
    const started = await startPlatform({
      projectDir: storefront,
      onListening: (baseUrl) => {
        ready = fetch(`${baseUrl}/_platform/ready`)
        early = fetch(`${baseUrl}/localization/v4/Language/Gets?ProjectKey=${storefrontKey}`, {
          headers: { 'x-service-key': storefrontKey },
        })
      },
    })
    expect(started.projectKeys).toEqual([storefrontKey])
    expect(await (await early!).json()).toHaveLength(7)
    expect((await ready!).status).toBe(503)
    expect((await fetch(`${started.baseUrl}/_platform/ready`)).status).toBe(200)
    await started.close()
    // Not by fetch, which may send the request over a connection that is being closed.
    await expect(once(connect(started.port, '127.0.0.1'), 'connect')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    })
  })

  it('ends event streams when it is closed', async () => {
    const started = await startPlatform({ projectDir: storefront })
    const stream = await fetch(`${started.baseUrl}/_platform/projects/${storefrontKey}/events`)
    const text = stream.text()
    const start = performance.now()
    await started.close()
    expect(performance.now() - start).toBeLessThan(5000)
    expect(await text).toBe(': listening\n\n')
  })

  it('closes everything if it cannot start', async () => {
    let baseUrl = ''
    const starting = startPlatform({
      projectDir: '/nowhere/at/all',
      onListening: (url) => (baseUrl = url),
    })
    await expect(starting).rejects.toMatchObject({ code: 'PROJECT_INVALID' })
    await expect(fetch(baseUrl)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  })

  it('rejects unknown options before it starts anything', async () => {
    const options = { projectDirectory: storefront } as never
    await expect(startPlatform(options)).rejects.toMatchObject({ code: 'OPTION_INVALID' })
  })
})
