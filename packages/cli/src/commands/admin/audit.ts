import { ConfigError } from '@servicekit/client'
import type { ControlResult } from '@servicekit/client/control'
import { type Action, type AdminCall, parseSeconds, textOf } from './action.ts'

type Entry = ControlResult<'GET /audit'>[number]

const columns = [
  'at',
  'project',
  'actor',
  'operation',
  'action',
  'kind',
  'records',
  'total',
  'requestId',
  'instance',
  'id',
] as const

const pageSize = 1000

/** Writes the audit log as JSON lines or CSV, page by page. */
export const exportAudit: Action = async (call) => {
  const format = textOf(call, 'format') ?? 'jsonl'
  if (format !== 'jsonl' && format !== 'csv') {
    throw new ConfigError(`--format must be jsonl or csv (received "${format}")`)
  }
  const project = textOf(call, 'project') ?? textOf(call, 'project-key')
  const filter = {
    ...instantOf(call, 'since'),
    ...instantOf(call, 'until'),
    ...(project === undefined ? {} : { project }),
    limit: pageSize,
  }
  const { stdout } = call.io
  if (format === 'csv') stdout(`${columns.join(',')}\r\n`)
  let last: Entry | undefined
  for (;;) {
    const next = last ? { since: last.at, after: last.id } : {}
    const entries = await call.control.send('GET /audit', { query: { ...filter, ...next } })
    for (const entry of entries) {
      stdout(
        format === 'csv'
          ? `${columns.map((name) => csvCell(entry[name])).join(',')}\r\n`
          : `${JSON.stringify(entry)}\n`,
      )
    }
    if (entries.length === 0) return undefined
    last = entries.at(-1)
  }
}

/** Parses a time, or a duration before now such as `7d`. @throws ConfigError */
function instantOf(call: AdminCall, name: 'since' | 'until'): Readonly<Record<string, string>> {
  const text = textOf(call, name)
  if (text === undefined) return {}
  const seconds = parseSeconds(text)
  const instant = seconds === undefined ? new Date(text) : new Date(Date.now() - seconds * 1000)
  if (!Number.isNaN(instant.getTime())) return { [name]: instant.toISOString() }
  throw new ConfigError(
    `--${name} must be a time such as 2026-01-31, 2026-01-31T12:00:00Z or 7d (received "${text}")`,
  )
}

/** A spreadsheet must not run a cell that begins like a formula. */
const csvCell = (value: unknown): string => {
  const text = Array.isArray(value) ? value.join(' ') : String(value ?? '')
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
