import { appendFileSync } from 'node:fs'

/** Figures of one framework or bundler. */
export interface LeakFigures {
  /** Number of interleaved requests. */
  readonly requests?: number
  /** Number of responses with a wrong message. */
  readonly wrong?: number
  /** Number of responses with a message of another request's language. */
  readonly between?: number
  /** Number of messages of other languages that a browser downloads. */
  readonly languages?: number
  /** Number of messages that a browser downloads, but that the page does not use. */
  readonly unused?: number
}

/**
 * Records figures of a framework or bundler for the table of `npm run bench -- leaks`. Does
 * nothing in other runs.
 *
 * @param name Framework or bundler; figures of the same name are combined.
 */
export function recordLeaks(name: string, figures: LeakFigures): void {
  const file = process.env['SERVICEKIT_LEAKS']
  if (file) appendFileSync(file, `${JSON.stringify({ name, ...figures })}\n`)
}
