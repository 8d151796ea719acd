import { byCodePoint, formatCount } from '@servicekit/core'
import { percentOf } from './coverage.ts'
import type { CheckReport } from './check.ts'
import type { Finding } from './finding.ts'
import type { LanguageQuality } from './language-quality.ts'

export interface TextOptions {
  /** Maximum number of findings to print; 50 by default. The rest is only counted. */
  readonly limit?: number
}

/**
 * Formats the report for a terminal: findings grouped by file, then the coverage of each
 * language.
 *
 * ```text
 * src/app.tsx
 *   4:9  error  unknown  auth SIGN_UP: key SIGN_UP does not exist in auth
 * ```
 */
export function formatText(report: CheckReport, { limit = 50 }: TextOptions = {}): string {
  const shown = report.findings.slice(0, limit)
  const lines: string[] = []
  let file: string | undefined
  for (const finding of [...shown].sort(byLine)) {
    if (lines.length === 0 || finding.file !== file) lines.push('', finding.file ?? '(project)')
    file = finding.file
    lines.push(findingLine(finding))
  }
  const hidden = report.findings.length - shown.length
  if (hidden > 0) lines.push('', `and ${hidden} more`)
  lines.push('', ...coverageTable(report), '', summary(report), '')
  return lines.join('\n').replace(/^\n/, '')
}

const byLine = (a: Finding, b: Finding): number =>
  byCodePoint(a.file ?? '', b.file ?? '') || (a.line ?? 0) - (b.line ?? 0)

function findingLine(finding: Finding): string {
  const { line, column, severity, rule, module, key, language, message } = finding
  const position = line === undefined ? '' : `${line}:${column ?? 1}`
  const subject = [module, key, language && `(${language})`].filter(Boolean).join(' ')
  return `  ${position.padEnd(7)} ${severity.padEnd(7)} ${rule.padEnd(12)} ${subject ? `${oneLine(subject)}: ` : ''}${oneLine(message)}`
}

/** Keys may contain line breaks and terminal control characters. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '\ufffd')

function coverageTable({ coverage, quality }: CheckReport): readonly string[] {
  const width = Math.max(8, ...coverage.languages.map((code) => code.length))
  const total = coverage.totals.reduce((sum, one) => sum + one, 0)
  return [
    `${'language'.padEnd(width)}  translated`,
    ...coverage.languages.map((code, index) => {
      const done = coverage.translated[index]!.reduce((sum, one) => sum + one, 0)
      const percent = percentOf(coverage, index)
      const bar = '█'.repeat(Math.floor(percent / 5)).padEnd(20, '░')
      return `${code.padEnd(width)}  ${bar} ${(Math.floor(percent * 10) / 10).toFixed(1).padStart(5)} %  ${done}/${total}${problemCounts(quality[index]!)}`
    }),
  ]
}

/** Returns `  2 copy, 1 term` for a language with such findings. */
function problemCounts({ problems }: LanguageQuality): string {
  const counts = Object.entries(problems).map(([rule, count]) => `${count} ${rule}`)
  return counts.length === 0 ? '' : `  ${counts.join(', ')}`
}

function summary({ findings, known, fixed, files, usages }: CheckReport): string {
  const count = (severity: Finding['severity']): number =>
    findings.filter((one) => one.severity === severity).length
  const parts = [
    `${formatCount(count('error'), 'error')}, ${formatCount(count('warning'), 'warning')}, ${formatCount(count('info'), 'note')}`,
    `${formatCount(usages, 'usage')} in ${formatCount(files, 'file')}`,
    ...(known > 0 ? [`${known} in the baseline`] : []),
    ...(fixed > 0 ? [`${fixed} of the baseline fixed: update it with --update-baseline`] : []),
  ]
  return parts.join('; ')
}
