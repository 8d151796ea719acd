import * as routes from '@servicekit/contract/routes'
import type { Core } from './core.ts'
import { ConfigError } from './errors.ts'
import { operate, pick, textOf, wrongShape } from './shapes.ts'

/** Credentials of a machine. */
export interface TokenOptions {
  /** Registered for the machine. */
  readonly clientId: string
  /** Stays in this process: it is sent to the token route and nowhere else. */
  readonly clientSecret: string
  /** Organization; `default` by default. */
  readonly orgId?: string
  /** Milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number
}

/** Where the token of a machine comes from. */
export interface TokenSource {
  /** The current token; asked for once, however many wait for it. */
  readonly get: () => Promise<string>
  /** Drops a token that was refused. Another one, which came meanwhile, stays. */
  readonly drop: (token: string) => void
}

/** A token is renewed when this part of its life is left, so that none ends under way. */
const reserveMs = 30_000
/** Where an instance does not say how long a token lives: that of its sessions. */
const assumedMs = 7 * 60_000

/**
 * Tokens by client credentials, cached until shortly before they end.
 *
 * @throws ConfigError where the credentials are empty.
 * @see section 4.1
 */
export function tokenSource(
  core: Core,
  { clientId, clientSecret, orgId = 'default', now = Date.now }: TokenOptions,
): TokenSource {
  if (!clientId || !clientSecret) {
    throw new ConfigError('The credentials lack a clientId or a clientSecret')
  }
  let current: { readonly token: string; readonly untilMs: number } | undefined
  let running: Promise<string> | undefined

  const ask = async (): Promise<string> => {
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
    const token = textOf(pick(raw, 'accessToken', 'token'))
    // Anything else cannot be sent as a header.
    if (!token || /[^\x20-\x7e]/.test(token))
      throw wrongShape(core, routes.authIssueToken, intent, 'an access token')
    const seconds = Number(pick(raw, 'expiresIn'))
    const lifeMs = seconds > 0 ? seconds * 1000 : assumedMs
    // Of a very short life half is used, so that one is not asked for at each call.
    current = { token, untilMs: now() + Math.max(lifeMs - reserveMs, lifeMs / 2) }
    return token
  }
  return {
    get: async () => {
      if (current && now() < current.untilMs) return current.token
      running ??= ask().finally(() => {
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
 * Returns a core that sends the token. After a 401, or `AUTH_NOT_AUTHENTICATED` of the data
 * gateway, it gets a new token and sends the request once more.
 */
export function withToken(core: Core, source: TokenSource): Core {
  return {
    ...core,
    send: (route, input) => {
      // A call's own token takes precedence, and the routes that issue tokens need none.
      if (input.headers?.['authorization'] || route.section === '4.1')
        return core.send(route, input)
      let token: string | undefined
      let isRenewed = false
      return core.send(route, {
        ...input,
        around: async (send) => {
          token = await source.get()
          return send({ authorization: `Bearer ${token}` })
        },
        renew: async () => {
          if (isRenewed || token === undefined) return false
          source.drop(token)
          isRenewed = true
          return true
        },
      })
    },
  }
}
