import { isObject } from '@servicekit/core'
import { idOf } from './key-values.ts'

/** Identifiers of the messages that no code uses, as `servicekit check --format json` reports. */
export type UnusedMessages = ReadonlySet<string>

/** Reads a report. Returns undefined if the text is not a report, or the check read no source files. */
export function readReport(text: string): UnusedMessages | undefined {
  try {
    const report: unknown = JSON.parse(text)
    if (!isObject(report) || !Array.isArray(report['findings']) || !report['files'])
      return undefined
    const findings = report['findings'] as readonly { rule: string; module: string; key: string }[]
    return new Set(findings.filter(({ rule }) => rule === 'unused').map(idOf))
  } catch {
    // Not JSON, or properties of other types.
    return undefined
  }
}
