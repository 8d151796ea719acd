/** Sessions of requests in SvelteKit. */
import { error, redirect } from '@sveltejs/kit'
import type { Core } from '../core.ts'
import type { User } from '../user.ts'
import {
  type GuardOptions,
  type RequestSession,
  sessionOpener,
  signInAddress,
} from './request-session.ts'

export type { GuardOptions, RequestSession } from './request-session.ts'

const opened = Symbol.for('servicekit.session')

interface Opened {
  readonly session: RequestSession
  readonly options: GuardOptions
}
/** The parts of SvelteKit's event that sessions need, in every major. */
interface SessionEvent {
  readonly locals: object
  readonly request: Request
  readonly url: URL
}
type SessionHandle = <E extends SessionEvent>(input: {
  readonly event: E
  readonly resolve: (event: E) => Response | Promise<Response>
}) => Promise<Response>
type Locals = { [opened]?: Opened }

/** Creates the hook of `hooks.server`, which `requireSession` and `getSession` need. */
export function createSessionHandle(core: Core, options: GuardOptions): SessionHandle {
  const open = sessionOpener(core, options)
  return async ({ event, resolve }) => {
    const session = open(event.request.headers.get('cookie'))
    ;(event.locals as Locals)[opened] = { session, options }
    const response = await resolve(event)
    const cookies = session.setCookie()
    if (cookies.length === 0) return response
    // The headers of a fetched response cannot be changed.
    const result = new Response(response.body, response)
    for (const cookie of cookies) result.headers.append('set-cookie', cookie)
    return result
  }
}

function openedOf({ locals }: Pick<SessionEvent, 'locals'>): Opened {
  const found = (locals as Locals)[opened]
  if (found) return found
  throw new TypeError('Sessions require createSessionHandle in hooks.server')
}

/**
 * Returns the session of a request.
 *
 * @throws TypeError without the hook.
 */
export const getSession = (event: Pick<SessionEvent, 'locals'>): RequestSession =>
  openedOf(event).session

/**
 * Returns the signed-in user. A document without one is redirected to `signInPath`, another
 * request is refused with 401.
 *
 * @throws TypeError without the hook.
 */
export async function requireSession(
  event: SessionEvent,
): Promise<{ readonly user: User; readonly core: Core }> {
  const { session, options } = openedOf(event)
  const user = await session.getUser()
  if (user) return { user, core: session.core }
  const { method, headers } = event.request
  const isData = 'isDataRequest' in event && event.isDataRequest === true
  const address = signInAddress(options, {
    method,
    path: event.url.pathname + event.url.search,
    accept: headers.get('accept'),
    // SvelteKit follows redirects of data requests, which load the data of a page.
    destination: isData ? 'document' : headers.get('sec-fetch-dest'),
  })
  if (address !== undefined) redirect(303, address)
  error(401, 'unauthorized')
}
