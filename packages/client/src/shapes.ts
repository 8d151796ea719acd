import type { Route } from '@servicekit/contract/routes'
import type { Core, SendInput } from './core.ts'
import { OperationError, ResponseShapeError } from './errors.ts'
import { saidIn } from '#words'

export type Json = Readonly<Record<string, unknown>>

/** The members of a record that have a name, without "and whatever else there is". */
export type Known<T> = { readonly [Name in keyof T as string extends Name ? never : Name]: T[Name] }

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text, and undefined for an empty one or none. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const folded = (name: string): string => name.replaceAll('_', '').toLowerCase()

/**
 * The first of these members that is there, whatever its casing:
 * `access_token`, `accessToken` and `AccessToken` are one name.
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

/** The array that a list is: the body itself, or in one of its members. */
export function listIn(body: unknown, ...names: readonly string[]): readonly unknown[] | undefined {
  const inside = Array.isArray(body) ? body : pick(body, ...names, 'data', 'items')
  if (Array.isArray(inside)) return inside
  return isObject(inside) ? listIn(inside, ...names) : undefined
}

/**
 * An answer that is not of its form. What was received is not quoted: signed
 * addresses, tokens and credentials of a storage are in such answers.
 */
export function wrongShape(core: Core, intent: string, expected: string): ResponseShapeError {
  return new ResponseShapeError(`Could not ${intent}: the answer is not as expected`, {
    facts: { project: core.projectKey, expected },
  })
}

/**
 * Sends an operation whose answer is an object, and reads whether it worked:
 * `isSuccess: false` comes with status 200.
 *
 * @throws RequestError, ResponseShapeError
 * @throws OperationError for a failure at status 200.
 */
export async function operate(core: Core, route: Route, input: SendInput): Promise<Json> {
  const { intent, facts } = input
  const { status, json, shown } = await core.send(route, input)
  const body = json() ?? {}
  if (!isObject(body)) throw wrongShape(core, intent, 'an object')
  const errors = pick(body, 'errors', 'validationErrors', 'error')
  const hasFailed =
    pick(body, 'isSuccess', 'success') === false ||
    (isObject(errors) && Object.keys(errors).length > 0)
  if (!hasFailed) return body
  const text = shown()
  const found: unknown = text ? JSON.parse(text) : undefined
  throw new OperationError(`Could not ${intent}: the service says that it failed`, {
    status,
    body: found,
    facts: { project: core.projectKey, ...facts, operation: route.id, answer: saidIn(found) },
  })
}
