import { relative, resolve, sep } from 'node:path'
import {
  type CheckConfig,
  type Project,
  readText,
  type Rule,
  type Severity,
  snapshotPath,
} from '@servicekit/catalog'
import { defaultSeverities } from '@servicekit/catalog/inspection'
import { ConfigError } from '@servicekit/client'
import { byCodePoint, unknownName } from '@servicekit/core'
import { readSources } from '../usage/read-sources.ts'
import { readUsage } from '../usage/usage.ts'
import { compareBaseline, readBaseline, writeBaseline } from './baseline.ts'
import { catalogFindings, type UnratedFinding, thresholdFindings } from './catalog-findings.ts'
import { type Coverage, coverageOf } from './coverage.ts'
import { driftFindings } from './drift-findings.ts'
import { type Finding, rules } from './finding.ts'
import { readGlossary } from '../glossary/glossary.ts'
import { labelFindings } from './label-findings.ts'
import { type LanguageQuality, qualityOf } from './language-quality.ts'
import { qualityFindings } from './quality-findings.ts'
import { termFindings } from './term-findings.ts'
import { usageFindings } from './usage-findings.ts'

/** Options of {@link check}. */
export interface CheckOptions extends CheckConfig {
  readonly project: Project
  /** Writes the findings to the baseline instead of reporting them; false by default. */
  readonly updateBaseline?: boolean
}

/** Current step, for progress output. */
export interface CheckProgress {
  readonly step: 'translations' | 'service' | 'code' | 'types'
}

export interface CheckReport {
  /** `true` if there is no finding of severity `error`. */
  readonly ok: boolean
  /** Findings that are not in the baseline: errors first, then by position. */
  readonly findings: readonly Finding[]
  readonly counts: Readonly<Partial<Record<Rule, number>>>
  readonly coverage: Coverage
  /** Findings by language, without those of the baseline. */
  readonly quality: readonly LanguageQuality[]
  /** Number of findings that are in the baseline. */
  readonly known: number
  /**
   * Number of baseline entries that no longer occur. If it is above 0, the baseline can
   * be updated.
   */
  readonly fixed: number
  /** Number of source files checked, and number of message usages found in them. */
  readonly files: number
  readonly usages: number
}

/**
 * Checks translations, code and generated files against each other, and with `remote`
 * also against the service. Yields progress and returns the report.
 *
 * ```ts
 * const report = await finish(check({ project: openProject({ root }) }))
 * ```
 *
 * @throws ConfigError for an unknown rule or language.
 * @throws ServicekitError SNAPSHOT_MISSING if there is no committed snapshot.
 */
export async function* check(options: CheckOptions): AsyncGenerator<CheckProgress, CheckReport> {
  const { project, thresholds } = options
  const { root, snapshotDir } = project.options
  rejectUnknownRules(options)
  const found: UnratedFinding[] = []

  yield { step: 'translations' }
  const model = await project.load({
    onDrift(error, { language, module }) {
      const file = relative(root, resolve(snapshotDir, snapshotPath(language, module)))
      const message = error.message.split('\n')[0]!.replaceAll(`${root}${sep}`, '')
      found.push({
        rule: 'stale-snapshot',
        message,
        language,
        module,
        file: file.split(sep).join('/'),
      })
    },
  })
  found.push(...catalogFindings(model, project.options))
  const glossary =
    options.glossary === undefined ? undefined : await readGlossary(resolve(root, options.glossary))
  found.push(...qualityFindings(model, project.options, glossary))
  if (glossary) found.push(...termFindings(model, glossary, project.options))
  if (options.labels !== undefined) {
    found.push(...(await labelFindings(model, root, options.labels)))
  }
  const coverage = coverageOf(model)
  if (thresholds !== undefined) {
    rejectUnknownLanguages(thresholds, coverage)
    found.push(...thresholdFindings(coverage, thresholds))
  }

  if (options.remote) {
    yield { step: 'service' }
    found.push(...(await driftFindings(project)))
  }

  yield { step: 'code' }
  const sources = readSources(project.options, options.sources, options.aliases)
  const usage = readUsage(model, sources, options)
  found.push(...usageFindings(model, usage, project.options, sources))

  yield { step: 'types' }
  for (const { path, text } of project.declarations(model)) {
    const content = path.endsWith('.map') ? undefined : await readText(path)
    if (content === undefined || content === text) continue
    const file = relative(root, path).split(sep).join('/')
    const message = project.folder
      ? `does not match ${relative(root, project.folder.path)}; run \`servicekit pull\``
      : 'does not match the committed translations; run `servicekit pull`'
    found.push({ rule: 'stale-types', message, file })
  }

  const all = found.flatMap((one): Finding[] => {
    const severity = options.rules?.[one.rule] ?? defaultSeverities[one.rule]
    return severity === 'off' ? [] : [{ severity, ...one }]
  })
  const file = options.baseline === undefined ? undefined : resolve(root, options.baseline)
  if (file !== undefined && options.updateBaseline) await writeBaseline(file, all)
  const baseline = file === undefined ? new Map<string, number>() : await readBaseline(file)
  const { fresh, known, fixed } = compareBaseline(all, baseline)
  const findings = [...fresh].sort(byLocation)
  const counts: Partial<Record<Rule, number>> = {}
  for (const { rule } of findings) counts[rule] = (counts[rule] ?? 0) + 1
  return {
    ok: findings.every(({ severity }) => severity !== 'error'),
    findings,
    counts,
    coverage,
    quality: qualityOf(coverage, findings),
    known,
    fixed,
    files: usage.files,
    usages: usage.usages.length + usage.dynamic.length,
  }
}

/** Runs an async generator to its end and returns its return value. */
export async function finish<Report>(run: AsyncGenerator<unknown, Report>): Promise<Report> {
  for (;;) {
    const step = await run.next()
    if (step.done) return step.value
  }
}

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 }

function byLocation(a: Finding, b: Finding): number {
  return (
    ranks[a.severity] - ranks[b.severity] ||
    byCodePoint(a.rule, b.rule) ||
    byCodePoint(a.file ?? '', b.file ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    byCodePoint(a.language ?? '', b.language ?? '') ||
    byCodePoint(a.key ?? '', b.key ?? '')
  )
}

function rejectUnknownRules(options: CheckOptions): void {
  for (const [rule, severity] of Object.entries(options.rules ?? {})) {
    if (!Object.hasOwn(rules, rule)) {
      throw new ConfigError(unknownName('rule', rule, Object.keys(rules)))
    }
    if (!['error', 'warning', 'info', 'off'].includes(severity)) {
      throw new ConfigError(
        `Rule ${rule} must be error, warning, info or off (received "${severity}")`,
      )
    }
  }
}

function rejectUnknownLanguages(
  thresholds: number | Readonly<Record<string, number>>,
  { languages }: Coverage,
): void {
  if (typeof thresholds === 'number') return
  const unknown = Object.keys(thresholds).find((code) => !languages.includes(code))
  if (unknown === undefined) return
  throw new ConfigError(unknownName('threshold language', unknown, languages))
}
