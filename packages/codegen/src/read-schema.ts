import { ask, isRedirect, type LimitedEvent, redirectHelp } from './ask.ts'
import { CodegenError, reasonOf } from './errors.ts'
import { type ExecutableSchema, readIntrospection } from './introspection.ts'
import { parse } from './json.ts'
import type { ServiceSource } from './options.ts'

/**
 * Parses SDL with graphql-js, an optional peer dependency.
 *
 * @throws CodegenError LISTING_INVALID, or CONFIG_INVALID if graphql is not installed
 */
export async function readSdl(text: string, from: string): Promise<ExecutableSchema> {
  const { buildSchema, introspectionFromSchema } = await import('graphql').catch((cause) => {
    throw new CodegenError('A schema in SDL needs the package graphql', {
      code: 'CONFIG_INVALID',
      details: { from, reason: reasonOf(cause) },
      help: 'Install graphql beside this package, or use a saved listing.',
      cause,
    })
  })
  try {
    return readIntrospection(introspectionFromSchema(buildSchema(text)))
  } catch (cause) {
    throw new CodegenError('The schema is no valid SDL', {
      code: 'LISTING_INVALID',
      details: { from, reason: reasonOf(cause) },
      cause,
    })
  }
}

/**
 * Introspection query with the parts that the generator needs. Types are three levels
 * deep, like `[Product!]!`.
 */
const query = `{ __schema { queryType { name } mutationType { name } types { kind name
  fields { name description args { name type { ...use } } type { ...use } }
  inputFields { name type { ...use } } } } }
fragment use on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`

/**
 * Requests the executable schema of the gateway by introspection.
 *
 * @throws CodegenError LISTING_FAILED, e.g. if introspection requires a signed-in user
 * @see section 4.5
 */
export async function* fetchIntrospection(
  source: ServiceSource,
): AsyncGenerator<LimitedEvent, ExecutableSchema, undefined> {
  const url = `${source.baseUrl}/data/v4/gateway`
  const fail = (
    reason: string,
    cause?: unknown,
    help = 'Introspection may need the authorization header; the listing does not.',
  ): CodegenError =>
    new CodegenError('Could not read the schema of the gateway', {
      code: 'LISTING_FAILED',
      details: { url, project: source.projectKey, reason },
      help,
      cause,
    })
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  }
  const { status, text, location } = yield* ask(source, url, request, fail)
  if (isRedirect(status)) throw fail(`redirected to ${location}`, undefined, redirectHelp)
  const body = parse(text)
  const said = messageOf(body)
  if (said !== undefined || status > 299) throw fail(said ?? `HTTP ${status}`)
  const schema = readIntrospection(body)
  if (schema.queries.length === 0) throw fail('the answer holds no schema')
  return schema
}

function messageOf(body: unknown): string | undefined {
  const { errors, Errors } = (body ?? {}) as {
    readonly errors?: readonly { readonly message?: unknown }[]
    readonly Errors?: { readonly Message?: unknown }
  }
  const message = Errors?.Message ?? (Array.isArray(errors) ? errors[0]?.message : undefined)
  return message === undefined ? undefined : String(message)
}
