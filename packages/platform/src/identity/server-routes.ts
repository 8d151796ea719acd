import { type Context, Hono } from 'hono'
import { type AppEnv, requestIdOf } from '../http/app-env.ts'
import { json, toResponse } from '../http/answer.ts'
import { callNode } from '../http/call-node.ts'
import { readText } from '../http/read-text.ts'
import { rejection, type TooManyRequests } from '../http/refusals.ts'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { activate } from './activate.ts'
import { ownAddress } from '../http/address.ts'
import { senderOf } from '../http/sender.ts'
import { limitSecretGuesses, tooManyAttempts, tooManyAttemptsMessage } from './attempts.ts'
import { callServer } from './exchange.ts'
import { foreignForm } from './foreign-page.ts'
import type { AuthorizationServer } from './identity.ts'
import { logIn, noteLogIn } from './log-in.ts'
import {
  activationPage,
  codePage,
  loginPage,
  messagePage,
  type Page,
  pageHeaders,
} from './pages.ts'
import { refresh } from './refresh.ts'
import { checkCode, sendCode } from './second-factor.ts'

interface Visit {
  readonly services: Services
  readonly project: Project
  readonly server: AuthorizationServer
  readonly request: Request
  readonly requestId: string
  /** Sender's address, for rate limits. */
  readonly sender: string
  /** Parsed form of a POST; empty otherwise. */
  readonly form: URLSearchParams
}

const show = (status: number, body: Page): Response =>
  new Response(body, { status, headers: pageHeaders })

/**
 * Routes of each project's authorization server, below its issuer: the OpenID Connect
 * endpoints and the pages for users.
 */
export function serverRoutes(services: () => Promise<Services>): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const visit =
    (handle: (visit: Visit, c: Context<AppEnv>) => Promise<Response>) =>
    async (c: Context<AppEnv>): Promise<Response> => {
      const all = await services()
      const project = await all.projects.find(c.req.param('key') ?? '')
      if (!project) return toResponse(c.req.raw, rejection(404, 'There is no such project.'))
      const own = ownAddress(all.options, c.req.raw)
      const identity = all.identity
      const server = await identity.server(project, own.origin)
      const isPost = c.req.method === 'POST'
      const form = new URLSearchParams(isPost ? await readText(c.req.raw) : '')
      const request = c.req.raw
      const sender = senderOf(c, all.options)
      const requestId = requestIdOf(c)
      return handle({ services: all, project, server, request, requestId, sender, form }, c)
    }
  /** Accepts forms only from the platform's own pages. */
  const submit = (handle: (visit: Visit) => Promise<Response>) =>
    visit(async (one) => {
      const foreign = foreignForm(one.request, one.server.issuer.origin)
      if (foreign) return show(403, messagePage('This did not work', foreign.message))
      return handle(one)
    })

  app.get('/:key/login/:uid', visit(showLogin))
  app.post('/:key/login/:uid', submit(sendLogin))
  app.get(
    '/:key/activate',
    visit(async (one) => show(200, activationView(one))),
  )
  app.post('/:key/activate', submit(sendActivation))
  app.post('/:key/token', visit(token))
  app.all('/:key/*', visit(passOn))
  return app
}

/** Forwards a request to the authorization server. */
async function passOn(visit: Visit): Promise<Response> {
  const { services, server, request, form } = visit
  const path = new URL(request.url).pathname.slice(server.issuer.pathname.length)
  const isPost = request.method === 'POST'
  const response = await limitSecretGuesses(visit, form, (hashed) =>
    callServer(server, request, path, isPost ? hashed.toString() : undefined),
  )
  return 'retryAfterSeconds' in response
    ? toResponse(request, tooManyAttempts(response, services.options))
    : response
}

async function token(visit: Visit): Promise<Response> {
  const { services, project, server, request, form } = visit
  const given = form.get('refresh_token')
  if (form.get('grant_type') !== 'refresh_token' || !given) {
    return passOn(visit)
  }
  const { database, options } = services
  const parts = { database, project, options, server }
  const renewed = await limitSecretGuesses(visit, form, (hashed) => refresh(parts, given, hashed))
  if ('retryAfterSeconds' in renewed) return toResponse(request, tooManyAttempts(renewed, options))
  const answer = json(renewed.body, renewed.status)
  return toResponse(request, {
    ...answer,
    headers: { ...answer.headers, 'cache-control': 'no-store' },
  })
}

/** Adds `retry-after` to a page, if enabled. */
function retryLater(
  { retryAfterSeconds }: TooManyRequests,
  { retryAfter }: Services['options'],
  page: Response,
): Response {
  if (retryAfter) page.headers.set('retry-after', String(retryAfterSeconds))
  return page
}

/** Runs a function of the authorization server that needs a Node request. */
const inServer = (
  { server, request }: Visit,
  run: Parameters<typeof callNode>[0],
): Promise<Response> =>
  callNode(run, request, {
    url: new URL(new URL(request.url).pathname, server.issuer),
    mountPath: server.issuer.pathname,
  })

/** Returns true if the sign-in was started in another browser, or has expired. */
const isOver = (error: unknown): boolean => (error as Error).name === 'SessionNotFound'

async function withLogin(
  visit: Visit,
  handle: (
    details: Awaited<ReturnType<AuthorizationServer['provider']['interactionDetails']>>,
  ) => Promise<Response>,
): Promise<Response> {
  const { provider } = visit.server
  let found: Parameters<typeof handle>[0] | undefined
  try {
    await inServer(visit, async (request, response) => {
      found = await provider.interactionDetails(request, response)
      response.end()
    })
  } catch (error) {
    if (!isOver(error)) throw error
  }
  if (found) return handle(found)
  return show(
    400,
    messagePage(
      'This sign-in is over',
      'It took too long, or was begun in another browser. Go back to the application and sign in again.',
    ),
  )
}

const finish = (visit: Visit, result: Record<string, unknown>): Promise<Response> =>
  inServer(visit, (request, response) =>
    visit.server.provider.interactionFinished(request, response, result),
  )

const showLogin = (visit: Visit): Promise<Response> =>
  withLogin(visit, async (details) =>
    // Grant consent implicitly, even if a client requests the prompt, because all clients
    // belong to the project.
    details.prompt.name === 'consent'
      ? finish(visit, { consent: {} })
      : show(200, await loginView(visit, details.params)),
  )

async function loginView(
  { project, server, request }: Visit,
  params: Record<string, unknown>,
  userName = typeof params['login_hint'] === 'string' ? params['login_hint'] : '',
  error?: string,
): Promise<Page> {
  const client = await server.provider.Client.find(String(params['client_id']))
  const clientName = client?.clientName ?? String(params['client_id'])
  const action = new URL(request.url).pathname
  return loginPage({ projectName: project.name, clientName, action, userName, error })
}

const sendLogin = (visit: Visit): Promise<Response> =>
  withLogin(visit, async ({ uid, params }) => {
    const { services, project, request, form, sender } = visit
    const { passwords, rateLimiter } = services.identity
    const { database, options } = services
    const parts = { database, project, passwords, rateLimiter, now: options.now, options }
    const device = (request.headers.get('user-agent') ?? '').slice(0, 200)
    const signIn = async (
      accountId: string,
      name: string,
      amr: readonly string[],
    ): Promise<Response> => {
      await noteLogIn(parts, accountId, name, { device, sender })
      return finish(visit, { login: { accountId, amr } })
    }
    const action = new URL(request.url).pathname
    const askCode = (status: number, error?: string): Response =>
      show(status, codePage({ projectName: project.name, action, error }))

    const code = form.get('code')
    if (code !== null) {
      const checked = await checkCode(parts, uid, code)
      if ('userId' in checked) return signIn(checked.userId, checked.name, ['pwd', 'otp'])
      if ('retryAfterSeconds' in checked) {
        return retryLater(checked, options, askCode(429, tooManyAttemptsMessage(checked)))
      }
      if (!checked.isOver) return askCode(401, checked.fault)
      return show(401, await loginView(visit, params, undefined, checked.fault))
    }
    const name = form.get('username') ?? ''
    const result = await logIn(parts, name, form.get('password') ?? '', sender)
    if ('retryAfterSeconds' in result) {
      const view = await loginView(visit, params, name, tooManyAttemptsMessage(result))
      return retryLater(result, options, show(429, view))
    }
    if ('fault' in result) {
      return show(result.status, await loginView(visit, params, name, result.fault))
    }
    const { userId, codeTo } = result
    if (codeTo === undefined) return signIn(userId, name, ['pwd'])
    await sendCode(parts, uid, { userId, name, recipient: codeTo })
    return askCode(200)
  })

const activationView = ({ project, request }: Visit, error?: string): Page => {
  const url = new URL(request.url)
  const code = url.searchParams.get('code') ?? ''
  return activationPage({
    projectName: project.name,
    action: `${url.pathname}?${new URLSearchParams({ code })}`,
    error,
  })
}

async function sendActivation(visit: Visit): Promise<Response> {
  const { services, project, request, form, sender } = visit
  const code = new URL(request.url).searchParams.get('code') ?? ''
  const password = form.get('password') ?? ''
  const done = await activate(services, project, { code, password }, sender)
  if ('retryAfterSeconds' in done) {
    const page = show(429, activationView(visit, tooManyAttemptsMessage(done)))
    return retryLater(done, services.options, page)
  }
  if ('errors' in done) {
    return show(400, activationView(visit, Object.values(done.errors).join(' ')))
  }
  return show(200, messagePage('Your account is active', 'You can sign in with your new password.'))
}
