import { type Details, isObject, serviceMessage } from '@servicekit/core'
import type { Route } from '@servicekit/contract/routes'
import type { CoreResponse, Core, SendInput } from './core.ts'
import { OperationError, ResponseShapeError } from './errors.ts'
import { parseBody } from './parse-body.ts'

export type Json = Readonly<Record<string, unknown>>

/** Declared members of a record, without its index signature. */
export type Known<T> = { readonly [Name in keyof T as string extends Name ? never : Name]: T[Name] }

/** Returns a non-empty string, or undefined. */
export const nonEmptyString = (value: unknown): string | undefined =>
  (typeof value === 'string' && value) || undefined

const folded = (name: string): string => name.replaceAll('_', '').toLowerCase()

/**
 * Returns the first of these members that exists, regardless of casing: `access_token`,
 * `accessToken` and `AccessToken` are the same name.
 */
export function pick(body: unknown, ...names: readonly string[]): unknown {
  if (!isObject(body)) return undefined
  for (const name of names) {
    for (const [key, value] of Object.entries(body)) {
      if (value !== null && value !== undefined && folded(key) === folded(name)) return value
    }
  }
  return undefined
}

/** Names of the errors in a failure; an instance may send the others empty. */
export const errorNames = ['validationErrors', 'errors', 'error']

/** Checks for a member that is not empty. */
export const hasEntries = (value: unknown): boolean => Object.keys(value ?? {}).length > 0

/** Returns the array of a list response: the body itself or one of its members. */
export function listIn(body: unknown, ...names: readonly string[]): readonly unknown[] | undefined {
  // Four levels, as deep as any instance nests them.
  for (let depth = 0; depth < 4; depth++) {
    if (Array.isArray(body)) return body
    body = pick(body, ...names, 'data', 'items')
  }
  return undefined
}

/**
 * Creates the error for a response of the wrong shape. The response is not quoted: it may
 * contain signed URLs, tokens or storage credentials.
 */
export const wrongShape = (
  { projectKey }: Core,
  { id }: Route,
  intent: string,
  expected: string,
  details?: Details,
): ResponseShapeError =>
  new ResponseShapeError(`Cannot ${intent}: unexpected response`, {
    details: { project: projectKey, ...details, operation: id, expected },
  })

/**
 * Sends an operation and checks its outcome: `isSuccess: false` comes with status 200.
 *
 * @param read Reads a response that is not a JSON object.
 * @throws RequestError, ResponseShapeError
 * @throws OperationError for a failure with status 200.
 */
export async function operate<T = Json>(
  core: Core,
  route: Route,
  input: SendInput,
  read?: (response: CoreResponse) => T,
): Promise<T> {
  const { intent, details } = input
  const response = await core.send(route, input)
  const body = read ? read(response) : (response.json() ?? {})
  if (!read && !isObject(body)) throw wrongShape(core, route, intent, 'an object')
  const isFailure =
    pick(body, 'isSuccess', 'success') === false ||
    errorNames.some((name) => hasEntries(pick(body, name)))
  if (!isFailure) return body as T
  // With its secrets removed, it may no longer be JSON.
  const redactedBody = parseBody(response.redactedText())
  throw new OperationError(`Cannot ${intent}: request rejected`, {
    status: response.status,
    body: redactedBody,
    details: {
      project: core.projectKey,
      ...details,
      operation: route.id,
      message: serviceMessage(redactedBody),
    },
  })
}
