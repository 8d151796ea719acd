import { relative, resolve, sep } from 'node:path'
import { ConfigError } from '@servicekit/client'
import { emitDeclarations } from '../emit/declarations.ts'
import { buildModel } from '../model.ts'
import { byCodePoint } from '../names.ts'
import type { Project } from '../project.ts'
import { readSnapshot, snapshotPath } from '../snapshot.ts'
import { readPathAliases } from '../usage/aliases.ts'
import { readSources } from '../usage/files.ts'
import { readUsage } from '../usage/usage.ts'
import { readNow } from '../write.ts'
import { compareBaseline, readBaseline, writeBaseline } from './baseline.ts'
import { catalogFindings, type Found, thresholdFindings } from './catalog-findings.ts'
import { type Coverage, coverageOf } from './coverage.ts'
import { driftFindings } from './drift-findings.ts'
import { defaultSeverities, type Finding, type Rule, rules, type Severity } from './finding.ts'
import { usageFindings } from './usage-findings.ts'

export interface CheckOptions {
  readonly project: Project
  /** Folders of the application's code, below the root; `['.']` by default. */
  readonly sources?: readonly string[]
  /** Other names of folders in imports, beside `paths` in the tsconfig: `{ '@/': 'src/' }`. */
  readonly aliases?: Readonly<Record<string, string>>
  /**
   * Names of functions that return `t` or an object with it, where their code is in a
   * package and `useTranslation` is not their name.
   */
  readonly hooks?: readonly string[]
  /** Severity by rule; `off` leaves a rule out. */
  readonly rules?: Readonly<Partial<Record<Rule, Severity | 'off'>>>
  /** How much of a language has to be translated, in percent: of each, or by language code. */
  readonly thresholds?: number | Readonly<Record<string, number>>
  /** File with findings to pass over; none by default. */
  readonly baseline?: string
  /**
   * Compares the committed texts with those of the service too; where it cannot be
   * reached, a finding of severity `info` says so. By default no socket is opened.
   */
  readonly remote?: boolean
  /** Writes what is found to the baseline instead of reporting it. */
  readonly updateBaseline?: boolean
}

/** What is being done, for a progress line. */
export interface CheckProgress {
  readonly step: 'texts' | 'service' | 'code' | 'types'
}

export interface CheckReport {
  /** Whether there is no finding of severity `error`. */
  readonly ok: boolean
  /** What is new: errors first, then by place. */
  readonly findings: readonly Finding[]
  readonly counts: Readonly<Partial<Record<Rule, number>>>
  readonly coverage: Coverage
  /** Findings that the baseline knows. */
  readonly known: number
  /** Findings of the baseline that are gone: it can be written anew. */
  readonly gone: number
  /** Files of code that were looked at, and places in them that ask for texts. */
  readonly files: number
  readonly usages: number
}

/**
 * Checks texts, code and what was generated from them against each other, with
 * `remote` against the service too. Yields what it does; the report is what it returns:
 *
 * ```ts
 * const report = await finish(check({ project: openProject({ root }) }))
 * ```
 *
 * @throws ConfigError for a rule or language that there is not.
 * @throws ServicekitError SNAPSHOT_MISSING without committed texts.
 */
export async function* check(options: CheckOptions): AsyncGenerator<CheckProgress, CheckReport> {
  const { project, thresholds, sources = ['.'] } = options
  const { root, snapshotDir, outDir, ...resolved } = project.options
  refuseUnknownRules(options)
  const found: Found[] = []

  yield { step: 'texts' }
  const catalog = await readSnapshot(project.options, (error, { language, module }) => {
    const file = relative(root, resolve(snapshotDir, snapshotPath(language, module)))
    const message = error.message.split('\n')[0]!.replaceAll(`${root}${sep}`, '')
    found.push({
      rule: 'stale-snapshot',
      message,
      language,
      module,
      file: file.split(sep).join('/'),
    })
  })
  const model = buildModel(catalog, resolved)
  found.push(...catalogFindings(model, project.options))
  const coverage = coverageOf(model)
  if (thresholds !== undefined) {
    refuseUnknownLanguages(thresholds, coverage)
    found.push(...thresholdFindings(coverage, thresholds))
  }

  if (options.remote) {
    yield { step: 'service' }
    found.push(...(await driftFindings(project)))
  }

  yield { step: 'code' }
  const texts = readSources(root, sources, [outDir, snapshotDir])
  const usage = readUsage(model, texts, { ...options, paths: readPathAliases(root) })
  found.push(...usageFindings(model, usage, project.options, texts))

  yield { step: 'types' }
  // Texts that clash have no declarations; the clash is reported.
  if (model.problems.length === 0) {
    for (const { path, text } of emitDeclarations(model, project.options)) {
      const content = path.endsWith('.map') ? undefined : readNow(path)
      if (content === undefined || content === text) continue
      const file = relative(root, path).split(sep).join('/')
      const message = 'is not what the committed texts say; run `servicekit pull`'
      found.push({ rule: 'stale-types', message, file })
    }
  }

  const all = found.flatMap((one): Finding[] => {
    const severity = options.rules?.[one.rule] ?? defaultSeverities[one.rule]
    return severity === 'off' ? [] : [{ severity, ...one }]
  })
  const file = options.baseline === undefined ? undefined : resolve(root, options.baseline)
  if (file !== undefined && options.updateBaseline) await writeBaseline(file, all)
  const baseline = file === undefined ? new Map<string, number>() : await readBaseline(file)
  const { fresh, known, gone } = compareBaseline(all, baseline)
  const findings = [...fresh].sort(byPlace)
  const counts: Partial<Record<Rule, number>> = {}
  for (const { rule } of findings) counts[rule] = (counts[rule] ?? 0) + 1
  return {
    ok: findings.every(({ severity }) => severity !== 'error'),
    findings,
    counts,
    coverage,
    known,
    gone,
    files: usage.files,
    usages: usage.usages.length + usage.dynamic.length,
  }
}

/** Runs a check, or anything like it, to its end. */
export async function finish<Report>(run: AsyncGenerator<unknown, Report>): Promise<Report> {
  for (;;) {
    const step = await run.next()
    if (step.done) return step.value
  }
}

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 }

function byPlace(a: Finding, b: Finding): number {
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

function refuseUnknownRules(options: CheckOptions): void {
  for (const [rule, severity] of Object.entries(options.rules ?? {})) {
    if (!Object.hasOwn(rules, rule)) {
      throw new ConfigError(`There is no rule "${rule}"`, {
        help: `There are ${Object.keys(rules).join(', ')}.`,
      })
    }
    if (!['error', 'warning', 'info', 'off'].includes(severity)) {
      throw new ConfigError(`The rule ${rule} cannot be "${severity}"`, {
        help: 'It is error, warning, info or off.',
      })
    }
  }
}

function refuseUnknownLanguages(
  thresholds: number | Readonly<Record<string, number>>,
  { languages }: Coverage,
): void {
  if (typeof thresholds === 'number') return
  const unknown = Object.keys(thresholds).find((code) => !languages.includes(code))
  if (unknown === undefined) return
  throw new ConfigError(`There is a threshold for "${unknown}", and no such language`, {
    help: `There are ${languages.join(', ')}.`,
  })
}
