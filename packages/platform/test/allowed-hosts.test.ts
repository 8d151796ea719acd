import { Rejection } from '@servicekit/contract'
import { request as send } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { createPlatform, type PlatformOptions } from '../src/index.ts'
import { listen } from '../src/node.ts'
import { people } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Starts a platform and sends requests with a chosen `Host` header. */
async function start(options: PlatformOptions = {}, listenHost?: string) {
  const platform = await createPlatform({
    ...options,
    projects: [project('P', {}, { identity: people as never })],
  })
  const { port, close } = await listen(platform, { host: listenHost })
  closers.push(close, platform.close)
  const discovery = '/iam/v4/oidc/projects/P/.well-known/openid-configuration'
  return (host: string, path = discovery) =>
    new Promise<{ status: number; body: unknown }>((resolve, reject) => {
      const headers = { host: host.replace('PORT', String(port)), 'x-service-key': 'P' }
      send({ host: '127.0.0.1', port, path, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode!, body: JSON.parse(text) }))
      })
        .once('error', reject)
        .end()
    })
}

it('rejects an unknown host, so that no URL is built from it', async () => {
  const ask = await start()
  const initiate =
    '/iam/v4/idp/initiate?x-service-key=P&clientId=web&redirectUri=https%3A%2F%2Fapp.example%2Fcallback'
  for (const host of ['evil.example', '127.evil.example', '10.1.2.3', 'localhost.evil.example']) {
    for (const path of [undefined, initiate, '/_platform/api']) {
      const { status, body } = await ask(host, path)
      expect([host, status]).toEqual([host, 400])
      const { Message } = Rejection.parse(body).Errors
      expect(Message).toBe(
        `The host ${host} is not allowed. Start the platform with --allowed-host ${host}, or with --public-url behind a proxy.`,
      )
    }
  }
})

it('accepts loopback names and allowed hosts', async () => {
  const allowedHosts = ['platform.example', 'other.example:8443', 'Bücher.example.']
  const ask = await start({ allowedHosts }, '127.0.0.1')
  for (const host of [
    'localhost:PORT',
    'localhost.:PORT',
    '127.0.0.1:PORT',
    '[::1]:PORT',
    'Platform.Example:80',
    'platform.example.',
    'platform.example.:4600',
    'xn--bcher-kva.example',
  ]) {
    const { status, body } = await ask(host)
    expect([host, status]).toEqual([host, 200])
    expect(body).toMatchObject({ issuer: expect.stringContaining('/iam/v4/oidc/projects/P') })
  }
  expect((await ask('other.example:8443')).status).toBe(200)
  expect((await ask('other.example')).status).toBe(400)
})

it('accepts the name that it listens on', async () => {
  const ask = await start({}, '0.0.0.0')
  expect((await ask('0.0.0.0:PORT')).status).toBe(200)
  expect((await ask('evil.example')).status).toBe(400)
})

it('ignores the host if there is a public URL', async () => {
  const ask = await start({ publicUrl: 'https://platform.example' })
  const { status, body } = await ask('10.0.0.7:4600')
  expect(status).toBe(200)
  expect(body).toMatchObject({ issuer: 'https://platform.example/iam/v4/oidc/projects/P' })
})

it.each(['', 'https://platform.example', 'a b', 'platform.example/path'])(
  'cannot be started with the allowed host %j',
  async (host) => {
    await expect(createPlatform({ allowedHosts: [host] })).rejects.toThrow(/allowedHosts/)
  },
)
