import { isObject } from '@servicekit/core'
import { errorNames, hasEntries, pick } from './operate.ts'

/**
 * Returns the errors of each field in a failure, in any of the interface's shapes (section
 * 7): `errors`, `validationErrors`, `detail[]`, `{message: {errors}}`.
 *
 * ```ts
 * catch (error) { form.show(fieldErrors(error)) } // { email: ['is taken'] }
 * ```
 *
 * @returns An empty object if the failure concerns no field.
 */
export function fieldErrors(error: unknown): Readonly<Record<string, readonly string[]>> {
  const body = isObject(error) || error instanceof Error ? (error as { body?: unknown }).body : {}
  const found: Record<string, string[]> = {}
  const add = (field: string, messages: unknown): void => {
    const list = (Array.isArray(messages) ? messages : [messages]).map((one) =>
      typeof one === 'string' ? one : JSON.stringify(one),
    )
    ;(found[field] ??= []).push(...list)
  }
  const detail = pick(body, 'detail')
  for (const entry of Array.isArray(detail) ? detail : []) {
    const loc = pick(entry, 'loc')
    // The first part of `loc` is the location: body, query or path.
    if (Array.isArray(loc)) add(loc.slice(1).join('.') || loc.join('.'), pick(entry, 'msg') ?? '')
  }
  const candidates = [pick(body, 'message'), body].flatMap((part) =>
    errorNames.map((name) => pick(part, name)),
  )
  const errors = candidates.find(hasEntries)
  if (isObject(errors)) for (const [field, messages] of Object.entries(errors)) add(field, messages)
  return found
}
