import type { Core } from '../core.ts'
import type { RequestError } from '../errors.ts'
import { cookieForwarder } from '../forward-cookies.ts'
import { getMe } from '../iam.ts'
import type { Renewed } from '../send-input.ts'
import { refresh } from '../session-requests.ts'
import { withSession } from '../session.ts'
import type { User } from '../user.ts'

/** Options of `requireSession`. */
export interface GuardOptions {
  /** Id of the registered OIDC client. */
  readonly clientId: string
  /**
   * Path of the page that starts a sign-in. Documents without a session are redirected to
   * it with the parameter `returnTo`; other requests are refused with 401. By default all
   * are refused.
   */
  readonly signInPath?: string
  /**
   * Time for which the cookies of a renewal are also given to requests that were sent with
   * the old ones, in milliseconds. Default: 10,000.
   */
  readonly graceMs?: number
  /** Milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number
}

/** Session of one incoming request. */
export interface RequestSession {
  /** Core with the cookies of the browser, which renews the session on demand. */
  readonly core: Core
  /**
   * Returns the signed-in user, or undefined. All callers share one request.
   *
   * @throws RequestError for any failure other than 401.
   */
  readonly getUser: () => Promise<User | undefined>
  /** Returns the `Set-Cookie` headers for the browser, also those of failed responses. */
  readonly setCookie: () => readonly string[]
  /** Returns the `Cookie` header with the cookies received since. */
  readonly cookie: () => string
}

/** Opens the session of a request from its `Cookie` header. */
export type OpenSession = (
  cookie: string | null | undefined,
  onCookie?: () => void,
) => RequestSession

/**
 * Creates a function that opens the session of each request. Requests with the same cookies
 * share one renewal, because the service accepts a refresh token once.
 */
export function sessionOpener(core: Core, options: GuardOptions): OpenSession {
  const { clientId, graceMs = 10_000, now = Date.now } = options
  /** Renewals by the cookies that they were made with. */
  const renewals = new Map<string, { readonly cookies: Promise<RenewedCookies>; endMs: number }>()

  const renewalOf = (cookie: string): Promise<RenewedCookies> => {
    for (const [key, { endMs }] of renewals) if (endMs < now()) renewals.delete(key)
    const running = renewals.get(cookie)?.cookies
    if (running) return running
    const forwarded = cookieForwarder(core, cookie)
    const entry = {
      endMs: Infinity,
      cookies: refresh(forwarded.core, { clientId }).then(
        () => ({ isRenewed: true, headers: forwarded.setCookie() }),
        () => ({ isRenewed: false, headers: forwarded.setCookie() }),
      ),
    }
    void entry.cookies.then(() => (entry.endMs = now() + graceMs))
    renewals.set(cookie, entry)
    return entry.cookies
  }

  return (cookie, onCookie) => {
    const forwarded = cookieForwarder(core, cookie, onCookie)
    let renewalCount = 0
    let running: Promise<Renewed> | undefined
    const renew = async (): Promise<Renewed> => {
      const { isRenewed, headers } = await renewalOf(cookie ?? '')
      for (const header of headers) forwarded.keep(header)
      renewalCount++
      return isRenewed ? 'renewed' : 'failed'
    }
    const session = withSession(forwarded.core, {
      renewalCount: () => renewalCount,
      // A second renewal of one request would send the refresh token again.
      renew: () => (running ??= renew()),
    })
    let user: Promise<User | undefined> | undefined
    return {
      core: session,
      setCookie: forwarded.setCookie,
      cookie: forwarded.cookie,
      getUser: () =>
        (user ??= getMe(session).catch((error: RequestError) => {
          if (error.status !== 401) throw error
          return undefined
        })),
    }
  }
}

interface RenewedCookies {
  readonly isRenewed: boolean
  readonly headers: readonly string[]
}

/** Request whose session is missing. */
export interface MissingSession {
  readonly method: string
  /** Path and query, without the host. */
  readonly path: string
  readonly accept: string | null | undefined
  readonly destination: string | null | undefined
}

/** Returns the address of the sign-in page for a document, or undefined to refuse the request. */
export function signInAddress(
  { signInPath }: GuardOptions,
  { method, path, accept, destination }: MissingSession,
): string | undefined {
  const isDocument = destination ? destination === 'document' : /\btext\/html\b/.test(accept ?? '')
  if (signInPath === undefined || method !== 'GET' || !isDocument) return undefined
  // Several slashes would begin another host.
  const returnTo = encodeURIComponent(path.replace(/^[/\\]*/, '/'))
  return `${signInPath}${signInPath.includes('?') ? '&' : '?'}returnTo=${returnTo}`
}
