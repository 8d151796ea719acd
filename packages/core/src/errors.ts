import { toSingleLine } from './text.ts'
import { escapeInvisible } from './visible.ts'

/** Context of an error. Values are printed, so they must not contain secrets. */
export type Details = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * Base class of the errors of the packages: a code for programs, details and help for
 * people. The build copies this class into several packages, so `instanceof` holds only
 * for errors of the same package.
 *
 * ```text
 * Cannot list the data schemas
 *   url: https://api.example.com/data/v4/schemas
 *   status: 404
 * Check the project key.
 * ```
 */
export class BaseError<Code extends string> extends Error {
  readonly code: Code
  readonly details: Details
  readonly help: string | undefined

  constructor(
    summary: string,
    {
      code,
      details = {},
      help,
      ...options
    }: {
      readonly code: Code
      readonly details?: Details
      readonly help?: string
      readonly cause?: unknown
    },
  ) {
    super(formatErrorMessage(summary, { details, ...(help !== undefined && { help }) }), options)
    this.name = new.target.name
    this.code = code
    this.details = details
    this.help = help
  }
}

/** Formats the message of an error: what failed, then the details, then how to fix it. */
export function formatErrorMessage(
  summary: string,
  { details = {}, help }: { readonly details?: Details; readonly help?: string | undefined },
): string {
  const lines = Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name}: ${toSingleLine(String(value))}`)
  const advice = help?.split('\n').map(escapeInvisible) ?? []
  return [toSingleLine(summary), ...lines, ...advice].join('\n')
}

/** Returns the first line of the message of anything thrown, with that of its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // fetch only throws "fetch failed"; the reason is in its cause.
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`.split('\n', 1)[0]!
}
