/**
 * Description of an instance and credentials of build tools and commands, from environment
 * variables. Credentials come from nowhere else, because files are committed.
 *
 * @module environment
 */
import { type ServiceOptions, serviceOptionNames } from '@servicekit/contract/service'
import type { Details } from '@servicekit/core'
import { type Core, createCore } from './core.ts'
import { ConfigError, RequestError } from './errors.ts'
import type { ClientOptions } from './options.ts'
import { type Environment, environmentTransport } from './proxy.ts'
import { pick } from './operate.ts'
import { tokenSource, type TokenSource, withToken } from './token.ts'

export { type ResolvedService, resolveService } from './service.ts'
export type { Environment }

/** Environment variables of the options that describe an instance. */
const serviceVariables = {
  baseUrl: 'SERVICEKIT_URL',
  projectKey: 'SERVICEKIT_PROJECT_KEY',
  preset: 'SERVICEKIT_PRESET',
  keyHeader: 'SERVICEKIT_KEY_HEADER',
} as const satisfies Partial<Record<keyof ServiceOptions, string>>

/** Reads the options that describe an instance; an empty variable is unset. */
export function readServiceVariables(environment: Environment): Partial<ServiceOptions> {
  const set = Object.entries(serviceVariables).flatMap(([name, variable]) =>
    environment[variable] ? [[name, environment[variable]]] : [],
  )
  return Object.fromEntries(set) as Partial<ServiceOptions>
}

/**
 * Returns the options that describe an instance, of options that may contain others.
 *
 * @param context Where the options were looked for, and advice for an error.
 * @throws ConfigError if one of them is missing.
 */
export function requireService(
  options: { readonly [Name in keyof ServiceOptions]?: ServiceOptions[Name] | undefined },
  { details, advice }: { readonly details?: Details | undefined; readonly advice?: string } = {},
): ServiceOptions {
  for (const name of ['baseUrl', 'projectKey'] as const) {
    if (options[name]) continue
    throw new ConfigError(`${name} is required`, {
      ...(details && { details }),
      help: `Set it in servicekit.config, or in the environment variable ${serviceVariables[name]}. \`servicekit dev\` prints both for the local platform.${advice ? ` ${advice}` : ''}`,
    })
  }
  const given = serviceOptionNames.filter((name) => options[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, options[name]])) as unknown as ServiceOptions
}

const variables = 'SERVICEKIT_CLIENT_ID and SERVICEKIT_CLIENT_SECRET, or SERVICEKIT_TOKEN'

/** Credentials of the environment. */
export interface Credentials {
  /** Adds the credentials to the requests of a core, and names the variables in refusals. */
  readonly attach: (core: Core) => Core
  /** Returns the value of the header `authorization`; undefined without credentials. */
  readonly authorization: (core: Core) => Promise<string | undefined>
  /** Advice for a request that the instance refused. */
  readonly help: string
}

/**
 * Reads credentials from `SERVICEKIT_TOKEN`, or from `SERVICEKIT_CLIENT_ID` and
 * `SERVICEKIT_CLIENT_SECRET`, with which a token is fetched on demand and kept in memory.
 *
 * @throws ConfigError if only one of the two is set, or the token cannot be sent as a header.
 */
export function readCredentials(environment: Environment): Credentials {
  const given = readVariables(environment)
  const help = given
    ? `The service refused the credentials of ${given.names}. Check them, and the project key.`
    : `Check the project key. If the service requires credentials for this, set the environment variables ${variables}.`
  let source: TokenSource | undefined
  const sourceOf = (core: Core): TokenSource | undefined => given && (source ??= given.open(core))
  return {
    help,
    attach(core) {
      const tokens = sourceOf(core)
      const authenticated = tokens ? withToken(core, tokens) : core
      return {
        ...authenticated,
        send: (route, input) =>
          authenticated.send(route, input).catch((error: unknown) => {
            throw isRefusal(error) ? withHelp(error, help) : error
          }),
      }
    },
    async authorization(core) {
      const token = await sourceOf(core)?.get()
      return token === undefined ? undefined : `Bearer ${token}`
    },
  }
}

interface GivenCredentials {
  /** Names of the variables. */
  readonly names: string
  readonly open: (core: Core) => TokenSource
}

function readVariables(environment: Environment): GivenCredentials | undefined {
  const token = environment['SERVICEKIT_TOKEN']
  if (token) {
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new ConfigError('SERVICEKIT_TOKEN must have visible ASCII characters only', {
        help: 'Set it to the token itself, without Bearer and line breaks.',
      })
    }
    return { names: 'SERVICEKIT_TOKEN', open: () => ({ get: async () => token, drop: () => {} }) }
  }
  const clientId = environment['SERVICEKIT_CLIENT_ID']
  const clientSecret = environment['SERVICEKIT_CLIENT_SECRET']
  if (!clientId && !clientSecret) return undefined
  if (!clientId || !clientSecret) {
    const [set, missing] = clientId ? ['ID', 'SECRET'] : ['SECRET', 'ID']
    throw new ConfigError(
      `SERVICEKIT_CLIENT_${missing} is required together with SERVICEKIT_CLIENT_${set}`,
    )
  }
  return {
    names: 'SERVICEKIT_CLIENT_ID and SERVICEKIT_CLIENT_SECRET',
    open: (core) => tokenSource(core, { clientId, clientSecret }),
  }
}

/** Checks for a refusal of the caller, or of the client credentials by the token route. */
const isRefusal = (error: unknown): error is RequestError =>
  error instanceof RequestError &&
  (error.status === 401 ||
    error.status === 403 ||
    (error.details['operation'] === 'auth.issueToken' && pick(error.body, 'error') !== undefined))

const withHelp = ({ message, ...init }: RequestError, help: string): RequestError =>
  new RequestError(message.split('\n', 1)[0]!, { ...init, help })

/** Options of {@link createToolCore}. */
export interface ToolCoreOptions extends ClientOptions {
  /** Default: the variables of the process. */
  readonly environment?: Environment
  /** Credentials to share between cores; by default those of the environment. */
  readonly credentials?: Credentials
}

/**
 * Creates the core of a command or build tool: with the proxy and the credentials of the
 * environment.
 *
 * @throws ConfigError for invalid options or variables.
 */
export function createToolCore({
  environment = process.env,
  credentials = readCredentials(environment),
  ...options
}: ToolCoreOptions): Core {
  const transport = options.transport ?? environmentTransport(environment)
  return credentials.attach(createCore({ ...options, transport }))
}
