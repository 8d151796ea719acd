import { trace } from '@opentelemetry/api'
import { escapeOutput } from '@servicekit/core'

/** Levels of log entries, the most severe first. */
const levels = ['error', 'warn', 'info'] as const
export type LogLevel = (typeof levels)[number]

/** Log entry. Its members are printed as they are, so they must not contain secrets. */
export interface Entry {
  readonly event: string
  readonly level: LogLevel
  readonly at?: string
  readonly [member: string]: unknown
}

export type Log = (entry: Entry) => void

/**
 * Creates a log that writes each entry as one line of JSON. Entries within a trace have its id
 * and that of the span.
 */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const included = new Set<LogLevel>(levels.slice(0, levels.indexOf(level) + 1))
  return ({ event, level: own, at, ...members }) => {
    if (!included.has(own)) return
    const span = trace.getActiveSpan()?.spanContext()
    const ids = span && { traceId: span.traceId, spanId: span.spanId }
    const time = at ?? new Date().toISOString()
    write(`${escapeOutput(JSON.stringify({ time, level: own, event, ...members, ...ids }))}\n`)
  }
}
