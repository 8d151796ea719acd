/** Sessions of requests in Next.js. */
import { headers } from 'next/headers.js'
import { type NextRequest, NextResponse } from 'next/server.js'
import { cache } from 'react'
import type { Core } from '../core.ts'
import { forwardCookies } from '../forward-cookies.ts'
import { getMe } from '../iam.ts'
import type { User } from '../user.ts'
import { type GuardOptions, sessionOpener, signInAddress } from './request-session.ts'

export type { GuardOptions } from './request-session.ts'

/**
 * Creates the function `proxy` of `proxy.ts`, which requires a signed-in user for the paths
 * of its `matcher`. It renews the session, because server components cannot set cookies,
 * and passes the new cookies on to the page and to the browser.
 */
export function requireSession(
  core: Core,
  options: GuardOptions,
): (request: NextRequest) => Promise<NextResponse> {
  const open = sessionOpener(core, options)
  return async (request) => {
    const session = open(request.headers.get('cookie'))
    const user = await session.getUser()
    const passedOn = new Headers(request.headers)
    passedOn.set('cookie', session.cookie())
    const address = signInAddress(options, {
      method: request.method,
      path: request.nextUrl.pathname + request.nextUrl.search,
      accept: request.headers.get('accept'),
      destination: request.headers.get('sec-fetch-dest'),
    })
    const response = user
      ? NextResponse.next({ request: { headers: passedOn } })
      : address === undefined
        ? NextResponse.json({ error: 'unauthorized' }, { status: 401 })
        : NextResponse.redirect(new URL(address, request.nextUrl))
    for (const cookie of session.setCookie()) response.headers.append('set-cookie', cookie)
    return response
  }
}

/**
 * Returns the user and a core with the cookies of the request, in server components, server
 * actions and route handlers behind {@link requireSession}. All callers of one request share
 * the result.
 *
 * @throws RequestError 401 without a session.
 */
export const getSession: (core: Core) => Promise<{ readonly user: User; readonly core: Core }> =
  cache(async (core: Core) => {
    const forwarded = forwardCookies(core, (await headers()).get('cookie'))
    return { user: await getMe(forwarded.core), core: forwarded.core }
  })
