import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { ConfigError, OperationError } from '@servicekit/client'
import { toSingleLine } from '@servicekit/core'
import type { Io } from '../../io.ts'

/** One administrative command, and access to the platform. */
export interface AdminCall {
  readonly flags: Readonly<Record<string, unknown>>
  readonly rawArgs: readonly string[]
  readonly io: Io
  /** Third argument: what the action concerns. */
  readonly name: string | undefined
  /** Sends a request to a path below `/_platform`. @throws RequestError */
  readonly send: (
    path: string,
    method?: 'GET' | 'POST' | 'PUT' | 'DELETE',
    body?: unknown,
  ) => Promise<Response>
  /** Returns the path of the project below `/_platform`. @throws ConfigError without a key */
  readonly project: () => Promise<string>
}

/** Result of an action, for `--json` and as text; undefined if it already wrote its output. */
interface AdminResult {
  readonly value: unknown
  /** Lines of the text. A line break in a name does not begin another line. */
  readonly lines: readonly string[]
}

export type Action = (call: AdminCall) => Promise<AdminResult | undefined>

/** Returns the third argument. @throws ConfigError if it is missing. */
export function nameOf({ name }: AdminCall, noun: string): string {
  if (name) return name
  throw new ConfigError(`The ${noun} is missing`, { help: `Add the ${noun} as the last argument.` })
}

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
 * Calls an operation of the interface. Its errors are in the body even if the status is 200.
 *
 * @throws OperationError with the errors by member.
 */
export async function callInterface<T>(call: AdminCall, path: string, body: unknown): Promise<T> {
  const response = await call.send(`${await call.project()}/interface${path}`, 'POST', body)
  const result = (await response.json()) as T & {
    readonly isSuccess?: boolean
    readonly errors?: Readonly<Record<string, unknown>> | null
  }
  if (result.isSuccess !== false) return result
  const reasons = Object.entries(result.errors ?? {}).map(([name, text]) => `${name}: ${text}`)
  throw new OperationError(`The platform refused the request. ${reasons.join(' ')}`.trim(), {
    status: response.status,
    body: result,
  })
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
