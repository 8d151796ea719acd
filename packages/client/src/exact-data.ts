import type { GatewayError, GatewayResult } from '@servicekit/core'
// An entry of its own, so that a page loads it only with this file.
import { parseExactJson } from '@servicekit/core/exact-json'

/** Type of integers that a number would round. */
export type LongType = 'number' | 'bigint' | 'string'

type Path = readonly (string | number)[]

/**
 * Returns the result of a response with its exact data, in which JSON.parse has rounded some integers
 * beyond 2^53. Each of them is a bigint or a string; for `number` it is null, and an error
 * `LONG_ROUNDED`.
 *
 * @param text JSON of the response.
 */
export function withExactData<T>(
  result: GatewayResult<T>,
  text: string,
  long: LongType = 'number',
): GatewayResult<T> {
  const rounded: GatewayError[] = []
  const read = (value: bigint, path: Path): unknown => {
    if (String(Number(value)) === String(value)) return Number(value)
    if (long !== 'number') return long === 'bigint' ? value : String(value)
    const message = `A number would round ${path.join('.')}. Set the option long, or leave the field out of the selection`
    rounded.push({ message, path, extensions: { code: 'LONG_ROUNDED' } })
    return null
  }
  const visit = (value: unknown, path: Path): unknown => {
    if (typeof value === 'bigint') return read(value, path)
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, visit(member, [...path, name])]),
    )
  }
  const body = (parseExactJson(text) ?? {}) as { readonly data?: unknown }
  const data = visit(body.data, []) as T
  if (!result.ok) {
    return { ok: false, errors: [...result.errors, ...rounded], partial: data ?? undefined }
  }
  return rounded.length === 0 ? { ok: true, data } : { ok: false, errors: rounded, partial: data }
}
