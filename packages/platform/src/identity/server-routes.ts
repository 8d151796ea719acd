import { readText } from '@servicekit/core/node'
import { type Context, Hono } from 'hono'
import { setActor } from '../database/actor.ts'
import { ownAddress, senderOf } from '../http/address.ts'
import type { AppEnv } from '../http/app-env.ts'
import { json, noStore, rejection, TooManyRequestsError } from '../http/responses.ts'
import type { Services } from '../services.ts'
import { activate } from './accounts.ts'
import { limitSecretGuesses } from './attempts.ts'
import { callServer, refresh, type RefreshContext } from './token-endpoint.ts'
import { crossSiteProblem } from '../http/cors.ts'
import type { AuthorizationServer } from './identity.ts'
import { logIn, recordLogIn, SignInError, checkCode, sendCode } from './sign-in.ts'
import { messagePage, pageHeaders, renderPage } from './pages.ts'
import { requestReset, resetPassword } from './password-reset.ts'
import { callNodeHandler } from './call-node-handler.ts'

interface Visit extends RefreshContext {
  readonly request: Request
  /** Path of the request, to which the forms of its page are sent. */
  readonly path: string
  readonly sender: string
  /** Parsed form of a POST; empty otherwise. */
  readonly form: URLSearchParams
}

const show = (status: number, page: string): Response =>
  new Response(page, { status, headers: pageHeaders })

/** Routes below a project's issuer: the OpenID Connect endpoints and the pages for users. */
export function serverRoutes(services: () => Promise<Services>): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const visit =
    (handle: (visit: Visit) => Promise<Response> | Response) =>
    async (c: Context<AppEnv>): Promise<Response> => {
      const all = await services()
      const request = c.req.raw
      const project = await all.projects.find(c.req.param('key') ?? '')
      if (!project) return rejection(404, 'There is no such project.')
      return handle({
        services: all,
        project,
        server: await all.identity.server(project, ownAddress(all.options, request).origin),
        request,
        path: new URL(request.url).pathname,
        sender: senderOf(c, all.options),
        form: new URLSearchParams(request.method === 'POST' ? await readText(request) : ''),
      })
    }
  /** Accepts forms only from the platform's own pages. */
  const submit = (handle: (visit: Visit) => Promise<Response>) =>
    visit(async (one) => {
      const { origin: own } = one.server.issuer
      const problem = crossSiteProblem(one.request, (origin) => origin === own)
      return problem ? show(403, messagePage('The request was rejected', problem)) : handle(one)
    })
  /** Adds a page whose form `send` processes. */
  const formPage = (
    path: string,
    view: (visit: Visit, error?: string) => string,
    send: (visit: Visit) => Promise<Response>,
  ): void => {
    app.get(
      path,
      visit((one) => show(200, view(one))),
    )
    app.post(
      path,
      submit((one) =>
        send(one).catch((error: unknown) => showError(one, error, (message) => view(one, message))),
      ),
    )
  }

  app.get('/:key/login/:uid', visit(showLogin))
  app.post('/:key/login/:uid', submit(sendLogin))
  formPage('/:key/activate', activationView, sendActivation)
  formPage('/:key/forgot', forgotView, sendForgot)
  formPage('/:key/reset', resetView, sendReset)
  app.post('/:key/token', visit(token))
  app.all('/:key/*', visit(forward))
  return app
}

async function forward(visit: Visit): Promise<Response> {
  const { server, request, path } = visit
  // The authorization server would compare a secret in this header with the stored hash itself, so
  // that whoever reads the hash could sign in with it.
  if (/^basic\b/i.test(request.headers.get('authorization') ?? '')) {
    const text = 'Send client_id and client_secret in the form, not in the header Authorization.'
    return noStore(json({ error: 'invalid_client', error_description: text }, 401))
  }
  return limitSecretGuesses(visit, visit.form, (hashed) => {
    const below = path.slice(server.issuer.pathname.length)
    return callServer(server, request, below, request.method === 'POST' ? `${hashed}` : undefined)
  })
}

async function token(visit: Visit): Promise<Response> {
  const { form } = visit
  const given = form.get('refresh_token')
  if (form.get('grant_type') !== 'refresh_token' || !given) return forward(visit)
  const { status, body } = await limitSecretGuesses(visit, form, (hashed) =>
    refresh(visit, given, hashed),
  )
  return noStore(json(body, status))
}

/** Runs a function of the authorization server that needs a Node request. */
const inServer = (
  { server, request, path }: Visit,
  run: Parameters<typeof callNodeHandler>[0],
): Promise<Response> =>
  callNodeHandler(run, request, {
    url: new URL(path, server.issuer),
    mountPath: server.issuer.pathname,
  })

type Interaction = Awaited<ReturnType<AuthorizationServer['provider']['interactionDetails']>>

/** Runs `handle` for the sign-in of the request, if it was started in this browser. */
async function withLogin(
  visit: Visit,
  handle: (interaction: Interaction) => Promise<Response>,
): Promise<Response> {
  let interaction: Interaction | undefined
  try {
    await inServer(visit, async (request, response) => {
      interaction = await visit.server.provider.interactionDetails(request, response)
      response.end()
    })
  } catch (error) {
    if ((error as Error).name !== 'SessionNotFound') throw error
  }
  if (interaction) return handle(interaction)
  const text =
    'It took too long, or was started in another browser. Go back to the application and sign in again.'
  return show(400, messagePage('This sign-in is over', text))
}

const finish = (visit: Visit, result: Record<string, unknown>): Promise<Response> =>
  inServer(visit, (request, response) =>
    visit.server.provider.interactionFinished(request, response, result),
  )

const showLogin = (visit: Visit): Promise<Response> =>
  withLogin(visit, async ({ prompt, params }) =>
    // Grant consent implicitly, even if a client requests the prompt, because all clients
    // belong to the project.
    prompt.name === 'consent'
      ? finish(visit, { consent: {} })
      : show(200, await loginView(visit, params)),
  )

async function loginView(
  { project, server, path }: Visit,
  params: Record<string, unknown>,
  userName = typeof params['login_hint'] === 'string' ? params['login_hint'] : '',
  error?: string,
): Promise<string> {
  const client = await server.provider.Client.find(String(params['client_id']))
  const clientName = client?.clientName ?? String(params['client_id'])
  return renderPage('login', {
    title: 'Sign in',
    text: `to continue to ${clientName}`,
    projectName: project.name,
    action: path,
    userName,
    isNameFocused: userName === '',
    forgot: `${server.issuer.pathname}/forgot`,
    error,
  })
}

const codeView = ({ project, path }: Visit, error?: string): string =>
  renderPage('code', {
    title: 'Enter the code',
    text: 'We sent you a code. It is valid for ten minutes.',
    projectName: project.name,
    action: path,
    error,
  })

/** Checks a form with a name and a password, or with a second-factor code. */
const sendLogin = (visit: Visit): Promise<Response> =>
  withLogin(visit, async ({ uid, params }) => {
    const { form } = visit
    const code = form.get('code')
    const userName = form.get('username') ?? ''
    try {
      if (code !== null) {
        const { userId } = await checkCode(visit, uid, code)
        return await signIn(visit, userId, ['pwd', 'otp'])
      }
      const { userId, codeTo } = await logIn(visit, userName, form.get('password') ?? '')
      if (codeTo === undefined) return await signIn(visit, userId, ['pwd'])
      await sendCode(visit, uid, userId, codeTo)
      return show(200, codeView(visit))
    } catch (error) {
      const isOver = code === null || (error instanceof SignInError && error.isOver)
      return showError(visit, error, (message) =>
        isOver
          ? loginView(visit, params, userName || undefined, message)
          : codeView(visit, message),
      )
    }
  })

async function signIn(visit: Visit, accountId: string, amr: readonly string[]): Promise<Response> {
  setActor({ actor: `user:${accountId}` })
  await recordLogIn(visit, accountId)
  return finish(visit, { login: { accountId, amr } })
}

/** Shows a page with the error of a failed attempt; throws other errors. */
async function showError(
  { services: { options } }: Visit,
  error: unknown,
  render: (message: string) => Promise<string> | string,
): Promise<Response> {
  if (error instanceof SignInError) return show(401, await render(error.message))
  if (!(error instanceof TooManyRequestsError)) throw error
  const response = show(429, await render(error.message))
  if (options.retryAfter) response.headers.set('retry-after', String(error.retryAfterSeconds))
  return response
}

const codeOf = ({ request }: Visit): string => new URL(request.url).searchParams.get('code') ?? ''

/** Page with a form for a new password, for the code in the address. */
const passwordView = (visit: Visit, title: string, text: string, error?: string): string =>
  renderPage('activate', {
    title,
    text,
    projectName: visit.project.name,
    action: `${visit.path}?${new URLSearchParams({ code: codeOf(visit) })}`,
    error,
  })

const activationView = (visit: Visit, error?: string): string =>
  passwordView(visit, 'Choose a password', 'A password activates your account.', error)

const resetView = (visit: Visit, error?: string): string =>
  passwordView(visit, 'Choose a new password', 'It ends all your sessions.', error)

const forgotView = ({ project, path }: Visit, error?: string): string =>
  renderPage('forgot', {
    title: 'Forgot your password?',
    text: 'You receive an email with a link to set a new one.',
    projectName: project.name,
    action: path,
    error,
  })

async function sendForgot(visit: Visit): Promise<Response> {
  const name = visit.form.get('username') ?? ''
  await requestReset(visit, name, `${visit.server.issuer.href}/reset`)
  const text =
    'If there is an account with this name, an email has been sent. Its link is valid for 30 minutes.'
  return show(200, messagePage('Check your email', text))
}

const canSignIn = 'You can sign in with your new password.'

async function sendReset(visit: Visit): Promise<Response> {
  const problem = await resetPassword(visit, codeOf(visit), visit.form.get('password') ?? '')
  if (problem) return show(400, resetView(visit, problem))
  return show(200, messagePage('Your password was changed', canSignIn))
}

async function sendActivation(visit: Visit): Promise<Response> {
  const activation = { code: codeOf(visit), password: visit.form.get('password') ?? '' }
  const done = await activate(visit, activation)
  if (!('errors' in done)) return show(200, messagePage('Your account is active', canSignIn))
  return show(400, activationView(visit, Object.values(done.errors).join(' ')))
}
