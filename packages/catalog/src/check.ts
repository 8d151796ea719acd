/**
 * Checks texts, the code that asks for them and what was generated from them
 * against each other: `servicekit check`. Kept apart from the index, since it
 * brings the TypeScript parser along, which no build needs.
 */
export {
  check,
  type CheckOptions,
  type CheckProgress,
  type CheckReport,
  finish,
} from './check/check.ts'
export type { Coverage } from './check/coverage.ts'
export { type Finding, type Rule, rules, type Severity } from './check/finding.ts'
export { formatHtml } from './check/report-html.ts'
export { formatGithub, formatJson, formatSarif } from './check/report-machine.ts'
export { formatText } from './check/report-text.ts'
export { readSources, type SourceText } from './usage/files.ts'
export { readUsage, type UnknownUsage, type Usage, type UsageReport } from './usage/usage.ts'
