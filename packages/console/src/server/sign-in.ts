import { isObject, isVisibleAscii, parseJson } from '@servicekit/core'
import { readText } from '@servicekit/core/node'
import { consolePath } from './console-path.ts'
import { forward } from './forward.ts'
import { problem, redirect } from './responses.ts'
import type { ConsoleCall } from './console-call.ts'

/** OIDC client of a project, as the control routes list it. */
interface ListedClient {
  readonly clientId: string
  readonly redirectUris: readonly string[]
}

const callbackOf = (origin: string): string => `${origin}${consolePath}/signed-in`

/** Starts a sign-in with the project's client for the console. Responds with the URL to open. */
export async function beginSignIn<B>(call: ConsoleCall<B>): Promise<Response> {
  const projectKey = await readProjectKey(call)
  if (projectKey === undefined) return noProject()
  const clientId = await findClient(call, projectKey)
  if (clientId instanceof Response) return clientId
  const redirectUri = callbackOf(call.origin)
  const query = new URLSearchParams({ 'x-service-key': projectKey, clientId, redirectUri })
  const begun = await sendAsBrowser(call, `GET /iam/v4/idp/initiate?${query}`, projectKey)
  if (!begun.ok) return begun
  const { redirect_uri: url } = (await begun.json()) as { redirect_uri: string }
  return withCookies(Response.json({ url }), begun)
}

/** Ends a sign-in: the browser returns from the sign-in page with a code. */
export async function endSignIn<B>(call: ConsoleCall<B>): Promise<Response> {
  const { search, searchParams } = call.url
  const projectKey = (searchParams.get('state') ?? '').replace(/\.[^.]*$/, '')
  const failed = `${consolePath}/?sign-in=failed`
  if (!isVisibleAscii(projectKey) || !searchParams.has('code')) return leaveSignIn(call, failed)
  const ended = await sendAsBrowser(call, `GET /iam/v4/idp/callback${search}`, projectKey)
  if (!ended.ok) return leaveSignIn(call, failed)
  const target = `${consolePath}/?project=${encodeURIComponent(projectKey)}`
  return withCookies(leaveSignIn(call, target), ended)
}

/**
 * Opens the console after a sign-in. In a frame of the console, which waits for this address, the
 * page is empty.
 */
function leaveSignIn<B>({ request }: ConsoleCall<B>, target: string): Response {
  if (request.headers.get('sec-fetch-dest') !== 'iframe') return redirect(target)
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'self'",
  }
  return new Response('', { headers })
}

/** Renews the session of the browser. */
export async function refreshSession<B>(call: ConsoleCall<B>): Promise<Response> {
  const projectKey = await readProjectKey(call)
  if (projectKey === undefined) return noProject()
  const clientId = await findClient(call, projectKey)
  if (clientId instanceof Response) return clientId
  const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId })
  const renewed = await sendAsBrowser(call, 'POST /iam/v4/oidc/token', projectKey, form)
  if (!renewed.ok) return problem(401, 'Sign in to use the console.')
  return withCookies(new Response(null, { status: 204 }), renewed)
}

/** Ends the session of the browser. A session that has already ended is not an error. */
export async function signOut<B>(call: ConsoleCall<B>): Promise<Response> {
  const projectKey = await readProjectKey(call)
  if (projectKey === undefined) return noProject()
  const ended = await sendAsBrowser(call, 'POST /iam/v4/auth/Logout', projectKey, {})
  if (!ended.ok && ended.status !== 400) return ended
  return withCookies(new Response(null, { status: 204 }), ended)
}

const noProject = (): Response => problem(400, 'The key of the project is missing or not valid.')

async function readProjectKey<B>({ request }: ConsoleCall<B>): Promise<string | undefined> {
  const body = parseJson(await readText(request))
  const key = isObject(body) ? body['project'] : undefined
  return typeof key === 'string' && isVisibleAscii(key) ? key : undefined
}

/** Returns the client that may return to the console, or the response if there is none. */
async function findClient<B>(call: ConsoleCall<B>, projectKey: string): Promise<string | Response> {
  const token = call.options.controlToken
  if (token === undefined) {
    return problem(403, 'Signing in to the console requires a platform with a control token.')
  }
  const path = `/projects/${encodeURIComponent(projectKey)}/clients`
  const response = await forward(call, path, { token, isParsed: true })
  if (!response.ok) return response
  const redirectUri = callbackOf(call.origin)
  const client = ((await response.json()) as readonly ListedClient[]).find(({ redirectUris }) =>
    redirectUris.includes(redirectUri),
  )
  if (client) return client.clientId
  return problem(
    409,
    `The project has no client for the console. Add {"clientId": "console", "redirectUris": ["${redirectUri}"]} to the clients in identity.json.`,
  )
}

/**
 * Sends a request of the interface with the cookies of the browser, as the same sender.
 *
 * @param route method and path, such as `GET /iam/v4/oidc/session`.
 */
export function sendAsBrowser<B>(
  { platform, request, bindings }: ConsoleCall<B>,
  route: `${'GET' | 'POST'} /${string}`,
  projectKey: string,
  body?: URLSearchParams | object,
): Promise<Response> {
  const [method, path] = route.split(' ') as [string, string]
  const headers = new Headers(request.headers)
  for (const name of ['accept-encoding', 'authorization', 'content-length', 'content-type'])
    headers.delete(name)
  headers.set('x-service-key', projectKey)
  const isForm = body instanceof URLSearchParams
  if (body && !isForm) headers.set('content-type', 'application/json')
  // A form sets its own type.
  const content = body && !isForm ? JSON.stringify(body) : (body ?? null)
  return platform.fetch(
    new Request(new URL(path, request.url), { method, headers, body: content }),
    bindings,
  )
}

/** Adds the cookies of another response. */
function withCookies(response: Response, { headers }: Response): Response {
  for (const cookie of headers.getSetCookie()) response.headers.append('set-cookie', cookie)
  return response
}
