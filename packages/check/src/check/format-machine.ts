import { docsLink, explainLine } from '@servicekit/core'
import type { CheckReport } from './check.ts'
import { type Finding, fingerprintOf, rules } from './finding.ts'

/** Formats the report as a JSON document. */
export const formatJson = (report: CheckReport): string => `${JSON.stringify(report, null, 2)}\n`

const levels = { error: 'error', warning: 'warning', info: 'note' } as const

/** Formats the report as SARIF 2.1.0 for code scanning. */
export function formatSarif(report: CheckReport, tool: { readonly version: string }): string {
  const ids = Object.keys(rules)
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'servicekit check',
            version: tool.version,
            rules: Object.entries(rules).map(([id, text]) => ({
              id,
              shortDescription: { text },
              help: { text: explainLine(`rule-${id}`) },
              helpUri: docsLink(`rule-${id}`),
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: report.findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: ids.indexOf(finding.rule),
          level: levels[finding.severity],
          message: { text: sentence(finding) },
          partialFingerprints: { 'servicekit/v1': fingerprintOf(finding) },
          locations: locations(finding),
        })),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function locations({ file, line, column }: Finding) {
  if (file === undefined) return []
  const uri = file.split('/').map(encodeURIComponent).join('/')
  const region = line === undefined ? {} : { region: { startLine: line, startColumn: column ?? 1 } }
  return [{ physicalLocation: { artifactLocation: { uri }, ...region } }]
}

const sentence = ({ module, key, language, message }: Finding): string => {
  const subject = [module, key, language && `(${language})`].filter(Boolean).join(' ')
  return subject ? `${subject}: ${message}` : message
}

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const

/**
 * Formats the report as GitHub Actions annotations. Findings are sorted by severity
 * because GitHub shows only ten of each kind per step.
 */
export function formatGithub(report: CheckReport): string {
  return report.findings
    .map((finding) => {
      const { file, line, column, rule, severity } = finding
      const properties = [
        ...(file === undefined ? [] : [`file=${escapeProperty(file)}`]),
        ...(line === undefined ? [] : [`line=${line}`, `col=${column ?? 1}`]),
        `title=${rule}`,
      ]
      return `::${commands[severity]} ${properties.join(',')}::${escapeData(sentence(finding))}\n`
    })
    .join('')
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

const gitlabSeverities = { error: 'major', warning: 'minor', info: 'info' } as const

/**
 * Formats the report for the code quality of GitLab. Findings without a file are shown at the
 * lock file, because GitLab requires a location.
 */
export function formatGitlab(report: CheckReport): string {
  const counts = new Map<string, number>()
  const issues = report.findings.map((finding) => {
    const id = fingerprintOf(finding)
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return {
      description: sentence(finding),
      check_name: finding.rule,
      // GitLab merges issues with the same fingerprint.
      fingerprint: count === 1 ? id : `${id} ${count}`,
      severity: gitlabSeverities[finding.severity],
      location: {
        path: finding.file ?? 'uilm.lock.json',
        lines: { begin: finding.line ?? 1 },
      },
    }
  })
  return `${JSON.stringify(issues, null, 2)}\n`
}
