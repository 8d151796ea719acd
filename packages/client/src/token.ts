import * as routes from '@servicekit/contract/routes'
import type { Core } from './core.ts'
import { ConfigError } from './errors.ts'
import { operate, pick, nonEmptyString, wrongShape } from './operate.ts'
import type { SendAttempt } from './send-input.ts'

/** Machine credentials. */
export interface TokenOptions {
  /** Id of the registered client. */
  readonly clientId: string
  /** Secret of the client. It is sent to the token route and nowhere else. */
  readonly clientSecret: string
  /** Organization id. Default: `default`. */
  readonly orgId?: string
  /** Milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number
}

/** Source of machine tokens. */
export interface TokenSource {
  /** Returns the current token, fetched once for all concurrent callers. */
  readonly get: () => Promise<string>
  /** Drops a refused token. A newer token is kept. */
  readonly drop: (token: string) => void
}

/** Remaining lifetime at which a token is renewed, so that none expires in flight. */
const reserveMs = 30_000
/** Assumed token lifetime if the instance returns none: that of its sessions. */
const assumedMs = 7 * 60_000

/**
 * Creates a source of tokens by client credentials, cached until shortly before they
 * expire.
 *
 * @throws ConfigError if the credentials are empty.
 * @see section 4.1
 */
export function tokenSource(
  core: Core,
  { clientId, clientSecret, orgId = 'default', now = Date.now }: TokenOptions,
): TokenSource {
  if (!clientId || !clientSecret) {
    throw new ConfigError('credentials must contain a clientId and a clientSecret')
  }
  let current: { readonly token: string; readonly untilMs: number } | undefined
  let running: Promise<string> | undefined

  const fetchToken = async (): Promise<string> => {
    const intent = 'get an access token'
    const raw = await operate(core, routes.authIssueToken, {
      form: {
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        org_id: orgId,
      },
      secrets: [clientSecret],
      intent,
    })
    const token = nonEmptyString(pick(raw, 'accessToken', 'token'))
    // Anything else cannot be sent as a header.
    if (!token || /[^\x20-\x7e]/.test(token))
      throw wrongShape(core, routes.authIssueToken, intent, 'an access token')
    const seconds = Number(pick(raw, 'expiresIn'))
    const lifeMs = seconds > 0 ? seconds * 1000 : assumedMs
    // Use half of a very short lifetime, so that a token is not fetched for every call.
    current = { token, untilMs: now() + Math.max(lifeMs - reserveMs, lifeMs / 2) }
    return token
  }
  return {
    get: async () => {
      if (current && now() < current.untilMs) return current.token
      running ??= fetchToken().finally(() => {
        running = undefined
      })
      return running
    },
    drop: (token) => {
      if (current?.token === token) current = undefined
    },
  }
}

/**
 * Returns a core that sends the token. After a 401, or `AUTH_NOT_AUTHENTICATED` from the
 * data gateway, it fetches a new token and sends the request once more.
 */
export function withToken(core: Core, source: TokenSource): Core {
  return {
    ...core,
    send: (route, input) => {
      // A token set by the call takes precedence; routes that issue tokens need none.
      if (input.headers?.['authorization'] || route.access === 'sign-in')
        return core.send(route, input)
      let token: string | undefined
      return core.send(route, {
        ...input,
        wrapAttempt: async (send) => {
          token = await source.get()
          const authorization = `Bearer ${token}`
          const attempt: SendAttempt = (headers) => send({ ...headers, authorization })
          return input.wrapAttempt ? input.wrapAttempt(attempt) : attempt()
        },
        renew: async () => {
          // No token: it could not be fetched.
          if (token === undefined) return 'failed'
          source.drop(token)
          return 'renewed'
        },
      })
    },
  }
}
