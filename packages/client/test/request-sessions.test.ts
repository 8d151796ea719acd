import { serve as serveHono } from '@hono/node-server'
import { createPlatform, type Platform } from '@servicekit/platform'
import { type Listening, listen } from '@servicekit/platform/node'
import express from 'express'
import { Hono } from 'hono'
import { NextRequest } from 'next/server.js'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { completeSignIn, startSignIn } from '../src/auth.ts'
import { getMe } from '../src/iam.ts'
import { type Core, createCore, fetchTransport } from '../src/index.ts'
import { forwardCookies } from '../src/server.ts'
import { requireSession as forExpress, type SessionLocals } from '../src/sessions/express.ts'
import { requireSession as forHono } from '../src/sessions/hono.ts'
import { requireSession as forNext } from '../src/sessions/next.ts'
import { createSessionHandle, getSession, requireSession } from '../src/sessions/sveltekit.ts'
import { keepCookies } from '../src/testing.ts'
import { logIn } from './log-in.ts'
import { identityOf, redirectUri } from './sample.ts'
import { storefront } from './storefront.ts'

const options = { clientId: 'web', signInPath: '/sign-in' }

let platform: Platform
let server: Listening
let core: Core
/** Cookies of a session whose access token has expired. */
let expired: string
let signedIn: string
const counts = { renewals: 0, profiles: 0 }

const cookiesIn = (lines: readonly string[]): string =>
  lines.map((line) => line.split(';')[0]).join('; ')

async function signIn(): Promise<string> {
  const first = forwardCookies(core, undefined)
  const { url } = await startSignIn(first.core, { clientId: 'web', redirectUri })
  const address = await logIn(keepCookies(platform.fetch), url, 'ada')
  const second = forwardCookies(core, cookiesIn(first.setCookie()))
  await completeSignIn(second.core, address)
  return cookiesIn(second.setCookie())
}

beforeAll(async () => {
  platform = await createPlatform({ projects: [storefront] })
  server = await listen(platform)
  const { baseUrl } = server
  const [projectKey = ''] = await platform.projectKeys()
  const url = `${baseUrl}/_platform/projects/${projectKey}/identity`
  const body = JSON.stringify(identityOf('ada'))
  await platform.fetch(new Request(url, { method: 'PUT', body }))
  const transport = fetchTransport(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/token')) counts.renewals++
    if (/\/me$/i.test(pathname)) counts.profiles++
    const response = await platform.fetch(request)
    if (response.status < 400) return response
    const failed = new Response(response.body, response)
    failed.headers.append('set-cookie', `failed=${response.status}; Path=/`)
    return failed
  })
  core = createCore({ baseUrl, projectKey, transport, retry: { attempts: 1 } })
})
afterAll(async () => {
  await server?.close()
  await platform?.close()
})
beforeEach(async () => {
  signedIn = await signIn()
  expired = signedIn
    .split('; ')
    .filter((pair) => !/access/i.test(pair.split('=')[0]!))
    .join('; ')
  Object.assign(counts, { renewals: 0, profiles: 0 })
})

const onPort = async (
  listening: Server,
): Promise<{ url: string; close: () => Promise<unknown> }> => {
  if (!listening.listening) {
    await new Promise<void>((done) => void listening.listen(0, '127.0.0.1', done))
  }
  const { port } = listening.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      listening.closeAllConnections()
      return new Promise((done) => void listening.close(done))
    },
  }
}

/** Applications with two guards, one of which runs after the other. */
const applications: Record<string, () => Promise<{ url: string; close: () => Promise<unknown> }>> =
  {
    Hono: async () => {
      const guard = forHono(core, options)
      const app = new Hono().use('/account/*', guard).get('/account/me', guard, async (c) => {
        await getMe(c.get('session').core)
        return c.json({ email: c.get('user').email })
      })
      return onPort(serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server)
    },
    Express: async () => {
      const guard = forExpress(core, options)
      const app = express()
      app.use('/account', guard)
      app.get('/account/me', guard, async (_request, response) => {
        const { user, session } = response.locals as SessionLocals
        await getMe(session.core)
        response.cookie('own', '1').json({ email: user.email })
      })
      return onPort(createServer(app))
    },
    'Next.js': async () => {
      const proxy = forNext(core, options)
      const fetch = async (request: Request) => {
        const response = await proxy(
          new NextRequest(request.url, { headers: [...request.headers] }),
        )
        if (!response.headers.has('x-middleware-next')) return response
        // Next.js calls the page with the headers that the proxy has replaced.
        const cookie = response.headers.get('x-middleware-request-cookie')
        const { email } = await getMe(forwardCookies(core, cookie).core)
        const page = Response.json({ email })
        for (const one of response.headers.getSetCookie()) page.headers.append('set-cookie', one)
        return page
      }
      return onPort(serveHono({ fetch, port: 0, hostname: '127.0.0.1' }) as Server)
    },
    SvelteKit: async () => {
      const handle = createSessionHandle(core, options)
      // Loads a layout and a page at once, and turns what they throw into a response.
      const resolve = async (event: { request: Request; locals: object; url: URL }) => {
        try {
          const [{ user, core: own }] = await Promise.all([
            requireSession(event),
            requireSession(event),
          ])
          await getMe(own)
          return Response.json({ email: user.email })
        } catch (thrown) {
          const { status = 500, location } = thrown as { status?: number; location?: string }
          return new Response(null, { status, headers: location === undefined ? {} : { location } })
        }
      }
      const fetch = async (request: Request) =>
        handle({ event: { request, locals: {}, url: new URL(request.url) }, resolve })
      return onPort(serveHono({ fetch, port: 0, hostname: '127.0.0.1' }) as Server)
    },
  }

describe.each(Object.keys(applications))('requireSession of %s', (name) => {
  let app: { url: string; close: () => Promise<unknown> }
  beforeAll(async () => {
    app = await applications[name]!()
  })
  afterAll(() => app.close())
  const get = (headers: Record<string, string>) =>
    fetch(`${app.url}/account/me?a=1`, { redirect: 'manual', headers })

  it('passes the user on, read once for all guards', async () => {
    const response = await get({ cookie: signedIn })
    expect(await response.json()).toEqual({ email: 'ada@example.com' })
    // Once by the guards, and once by the handler.
    expect(counts).toEqual({ renewals: 0, profiles: 2 })
  })

  it('renews once for concurrent requests, which all receive the new cookies', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => get({ cookie: expired })))
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(counts.renewals).toBe(1)
    for (const { headers } of responses) {
      expect(headers.getSetCookie().join()).toMatch(/access[^=]*=[^;]/i)
    }
    // The new cookies are those of a session.
    const renewed = cookiesIn(responses[0]!.headers.getSetCookie())
    expect((await get({ cookie: renewed })).status).toBe(200)
    expect(counts.renewals).toBe(1)
  })

  it('refuses a request without a session, and keeps the cookies of the failure', async () => {
    const response = await get({ cookie: 'theme=dark', accept: 'application/json' })
    expect(response.status).toBe(401)
    expect(response.headers.getSetCookie()).toContain('failed=400; Path=/')
  })

  it('redirects a document to the page that starts a sign-in', async () => {
    const response = await get({ accept: 'text/html,*/*' })
    expect([302, 303, 307]).toContain(response.status)
    // Next.js sends whole addresses.
    const location = response.headers.get('location')?.replace(/^http:\/\/[^/]*/, '')
    expect(location).toBe('/sign-in?returnTo=%2Faccount%2Fme%3Fa%3D1')
    expect((await get({ accept: 'text/html', 'sec-fetch-dest': 'empty' })).status).toBe(401)
  })
})

it('names the hook that SvelteKit needs', () => {
  expect(() => getSession({ locals: {} })).toThrow('Sessions require createSessionHandle')
})

it('does not share the renewal of one user with another', async () => {
  const app = await applications['Hono']!()
  const other = (await signIn())
    .split('; ')
    .filter((pair) => !/access/i.test(pair.split('=')[0]!))
    .join('; ')
  counts.renewals = 0
  const responses = await Promise.all(
    [expired, other].map((cookie) => fetch(`${app.url}/account/me`, { headers: { cookie } })),
  )
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
  expect(counts.renewals).toBe(2)
  const [one, two] = responses.map(({ headers }) => headers.getSetCookie().join())
  expect(one).not.toBe(two)
  await app.close()
})
