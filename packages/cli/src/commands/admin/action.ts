import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { ConfigError, OperationError } from '@servicekit/client'
import type { Control } from '@servicekit/client/control'
import { readPages, toSingleLine } from '@servicekit/core'
import type { Io } from '../../io.ts'
import { requireAddressable } from '../../platform-access.ts'

/** One administrative command, and access to the platform. */
export interface AdminCall {
  readonly flags: Readonly<Record<string, unknown>>
  readonly io: Io
  /** Third argument: what the action concerns. */
  readonly name: string | undefined
  readonly control: Control
  /** Returns the path parameter of the project. @throws ConfigError without a key */
  readonly path: () => Promise<{ readonly project: string }>
}

/** Result of an action, for `--json` and as text; undefined if it already wrote its output. */
interface AdminResult {
  readonly value: unknown
  /** Lines of the text. A line break in a name does not begin another line. */
  readonly lines: readonly string[]
}

export type Action = (call: AdminCall) => Promise<AdminResult | undefined>

/** Returns the third argument. @throws ConfigError if it is missing or not valid. */
export function nameOf({ name }: AdminCall, noun: string): string {
  if (name) return requireAddressable(name, noun)
  throw new ConfigError(`The ${noun} is missing`, { help: `Add the ${noun} as the last argument.` })
}

/**
 * Returns the third argument as the name of something new, which addresses, headers and other
 * commands can contain without quotes. @throws ConfigError
 */
export function newNameOf(call: AdminCall, noun: string): string {
  const name = nameOf(call, noun)
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return name
  throw new ConfigError(`The ${noun} is not valid (received "${toSingleLine(name)}")`, {
    help: `Use up to 64 letters, digits, ".", "-" and "_", and begin with a letter or digit.`,
  })
}

/** Returns the values of a flag that may be repeated. */
export const valuesOf = ({ flags }: AdminCall, name: string): readonly string[] | undefined =>
  flags[name] as readonly string[] | undefined

/** Returns a flag as text; undefined if it was not given. */
export const textOf = ({ flags }: AdminCall, name: string): string | undefined =>
  flags[name] === undefined ? undefined : String(flags[name])

/** Formats rows as the lines of a table for a terminal. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | null | undefined)[])[],
): readonly string[] {
  const all = [head, ...rows.map((row) => row.map((cell) => toSingleLine(String(cell ?? '-'))))]
  const widths = head.map((_, index) => Math.max(...all.map((row) => row[index]!.length)))
  return all.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index]!))
      .join('  ')
      .trimEnd(),
  )
}

/**
 * Asks for confirmation of something that cannot be undone.
 *
 * @throws ConfigError without a terminal and `--yes`, or if the user declines.
 */
export async function requireConfirmation({ io }: AdminCall, question: string): Promise<void> {
  if (io.assumesYes) return
  if (!io.confirm) {
    throw new ConfigError(`${question.replace(/\?$/, '')} requires confirmation`, {
      help: 'Add --yes to confirm.',
    })
  }
  if (!(await io.confirm(question))) throw new ConfigError('Not confirmed. Nothing was changed.')
}

/**
 * Returns the result of an operation of the interface. Its errors are in the body even if the
 * status is 200.
 *
 * @throws OperationError with the errors by member.
 */
export function requireSuccess<T>(result: T): T {
  const { isSuccess, errors } = result as {
    readonly isSuccess?: boolean
    readonly errors?: Readonly<Record<string, unknown>> | null
  }
  if (isSuccess !== false) return result
  const reasons = Object.entries(errors ?? {}).map(([name, text]) => `${name}: ${text}`)
  throw new OperationError(`The platform refused the request. ${reasons.join(' ')}`.trim(), {
    status: 200,
    body: result,
  })
}

/**
 * Reads all pages of a list of the interface.
 *
 * @param what Name of the rows, for errors.
 */
export async function readAllPages<T>(
  what: string,
  read: (paging: {
    readonly page: number
    readonly pageSize: number
  }) => Promise<{ readonly data: readonly T[]; readonly totalCount: number }>,
): Promise<readonly T[]> {
  const pageSize = 1000
  const rows: T[] = []
  const readPage = async (number: number) => {
    const { data, totalCount } = await read({ page: number - 1, pageSize })
    return { items: data, total: totalCount }
  }
  const contradiction = (reason: string): Error => new Error(`Cannot list the ${what}: ${reason}`)
  for await (const { items } of readPages(readPage, contradiction, pageSize)) rows.push(...items)
  return rows
}

/** Reads a secret from a file, or from standard input with `-`. Not from an argument. */
export async function readSecret(path: string): Promise<string> {
  const text =
    path === '-'
      ? await readAll(process.stdin)
      : await readFile(path, 'utf8').catch((cause: unknown) => {
          throw new ConfigError(`Cannot read ${path}`, { cause })
        })
  const secret = text.replace(/\r?\n$/, '')
  if (secret.trim() === '') throw new ConfigError(`The secret in ${path} must not be blank`)
  return secret
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Parses a time such as `90s`, `24h` or `7d` to seconds; undefined if it is none. */
export function parseSeconds(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits) * units[unit]!
}
