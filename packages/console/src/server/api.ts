import { isObject, isVisibleAscii, parseJson, sharedProjectKey } from '@servicekit/core'
import { readText } from '@servicekit/core/node'
import { consolePath } from './console-path.ts'
import { forward } from './forward.ts'
import { accessToRoute, controlRouteOf } from './forwarded-routes.ts'
import { notFound, problem } from './responses.ts'
import { isFromConsole } from './same-origin.ts'
import { beginSignIn, refreshSession, sendAsBrowser, signOut } from './sign-in.ts'
import type { ConsoleCall } from './console-call.ts'

/** Project as the console lists it. */
interface ListedProject {
  readonly key: string
  readonly name: string
}

/** Maximum size of the body of an import, as of its control route. */
const maxImportBytes = 512 * 1024 * 1024

/** Maximum number of projects that a browser remembers and asks for. */
const maxProjects = 20

/** Responds to a request of a page, below `/console/api`. */
export async function handleApi<B>(call: ConsoleCall<B>, path: string): Promise<Response> {
  const { request, origin } = call
  if (!isFromConsole(request, origin)) {
    return problem(403, 'Only pages of the console may send this request.')
  }
  const route = `${request.method} ${path}`
  if (route === 'GET /session') return respondWithSession(call)
  if (route === 'POST /sign-in') return beginSignIn(call)
  if (route === 'POST /refresh') return refreshSession(call)
  if (route === 'POST /sign-out') return signOut(call)
  if (path === '/receiver') return respondWithReceiver(call)
  const [, encodedKey, rest] = /^\/projects\/([^/]+)(\/.+)$/.exec(path) ?? []
  if (encodedKey === undefined || rest === undefined) return notFound()
  return forwardToProject(call, encodedKey, rest)
}

async function forwardToProject<B>(
  call: ConsoleCall<B>,
  encodedKey: string,
  path: string,
): Promise<Response> {
  const { options, request, url } = call
  const access = accessToRoute(request.method, path)
  const key = decode(encodedKey)
  if (access === undefined || key === undefined || !isVisibleAscii(key)) return notFound()
  const target = controlRouteOf(encodedKey, path, url.search)
  const maxBytes = access === 'thisMachine' ? maxImportBytes : undefined
  const body = request.method === 'GET' ? undefined : await readText(request, maxBytes)
  if (isThisMachine(call)) return forward(call, target, { body })
  const found = await findCaller(call, key)
  if (found instanceof Response) return found
  const { level, userId } = found
  if (level === 'anonymous') return problem(401, 'Sign in to use the console.')
  if (level === 'user') {
    return problem(403, 'Only administrators of the project may use the console.')
  }
  if (access === 'thisMachine') {
    return problem(403, 'This page is available only on the machine that runs the platform.')
  }
  if (options.controlToken === undefined) return problem(403, noToken)
  const actor = `user:${userId}`
  const isWebhook = request.method === 'GET' && path === '/webhook'
  const token = options.controlToken
  const response = await forward(call, target, { body, token, actor, isParsed: isWebhook })
  return isWebhook && response.ok ? withoutSigningSecret(response) : response
}

/** Only the operator reads the secret that signs webhooks. */
async function withoutSigningSecret(response: Response): Promise<Response> {
  const webhook = (await response.json()) as Record<string, unknown> | null
  return Response.json(webhook && { ...webhook, signingSecret: undefined })
}

/** Responds with what the test receiver received; a POST sets the status of its responses. */
async function respondWithReceiver<B>(call: ConsoleCall<B>): Promise<Response> {
  const { request, origin, receiver } = call
  if (!isThisMachine(call)) {
    return problem(403, 'This page is available only on the machine that runs the platform.')
  }
  if (request.method === 'POST') {
    const body = parseJson(await readText(request))
    const status = isObject(body) ? body['status'] : undefined
    if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599) {
      return problem(400, 'The status must be an integer from 200 to 599.')
    }
    receiver.status = Number(status)
  }
  const { path, requests, status } = receiver
  return Response.json({ url: `${origin}${consolePath}${path}`, status, requests })
}

/**
 * Finds the access of the caller. Reads the session through the platform first, so that its rate
 * limit counts the request; returns the response of the platform if it refuses more of them.
 */
async function findCaller<B>(call: ConsoleCall<B>, key: string) {
  const session = await sendAsBrowser(call, 'GET /iam/v4/oidc/session', key)
  if (session.status === 429) return session
  return call.platform.accessOf(call.request, key)
}

const noToken =
  'The console is available on this machine only. Start the platform with a control token, so that administrators can use it from other machines.'

/** Returns true if everyone on the machine that sent the request may use the console. */
const isThisMachine = <B>({ options, platform, request, bindings }: ConsoleCall<B>): boolean =>
  options.allowThisMachine === true && platform.isControlOpen(request, bindings)

/** Responds with the projects that the caller may open, and with how the caller is known. */
async function respondWithSession<B>(call: ConsoleCall<B>): Promise<Response> {
  const { options, url } = call
  if (isThisMachine(call)) {
    const all = await forward(call, '/projects', { isParsed: true })
    if (!all.ok) return all
    return Response.json({ isThisMachine: true, projects: listed(await all.json()), denied: [] })
  }
  const keys = url.searchParams.getAll('project').filter(isVisibleAscii).slice(0, maxProjects)
  const administered = new Set<string>()
  const denied: string[] = []
  for (const key of new Set(keys)) {
    const found = await findCaller(call, key)
    if (found instanceof Response) return found
    if (found.level === 'administrator') administered.add(key)
    if (found.level === 'user') denied.push(key)
  }
  if (administered.size === 0) return Response.json({ isThisMachine: false, projects: [], denied })
  const token = options.controlToken
  if (token === undefined) return problem(403, noToken)
  const all = await forward(call, '/projects', { token, isParsed: true })
  if (!all.ok) return all
  const projects = listed(await all.json()).filter(({ key }) => administered.has(key))
  return Response.json({ isThisMachine: false, projects, denied })
}

const listed = (projects: unknown): readonly ListedProject[] =>
  (projects as readonly ListedProject[])
    .filter(({ key }) => key !== sharedProjectKey)
    .map(({ key, name }) => ({ key, name }))

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
