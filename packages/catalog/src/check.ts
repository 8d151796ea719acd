/**
 * Implements `servicekit check`: compares translations, the code that uses them and the
 * generated files. Separate from the package index because it loads the TypeScript
 * parser, which no build needs.
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
