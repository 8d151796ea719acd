import type { Project } from './project.ts'

/** Rules of `servicekit check`. */
export type Rule =
  | 'unknown'
  | 'unused'
  | 'mentioned'
  | 'missing'
  | 'untranslated'
  | 'parameter'
  | 'tag'
  | 'plural'
  | 'copy'
  | 'spacing'
  | 'inconsistent'
  | 'term'
  | 'length'
  | 'syntax'
  | 'stale-snapshot'
  | 'drift'
  | 'stale-types'
  | 'threshold'
  | 'dynamic'
  | 'unread'

export type Severity = 'error' | 'warning' | 'info'

/** Severities of the rules unless the option `rules` changes them. */
export const defaultSeverities: Readonly<Record<Rule, Severity>> = {
  unknown: 'error',
  unused: 'warning',
  mentioned: 'info',
  missing: 'warning',
  untranslated: 'warning',
  parameter: 'error',
  tag: 'error',
  plural: 'warning',
  copy: 'warning',
  spacing: 'warning',
  inconsistent: 'info',
  term: 'warning',
  length: 'warning',
  syntax: 'error',
  'stale-snapshot': 'error',
  drift: 'warning',
  'stale-types': 'error',
  threshold: 'error',
  dynamic: 'info',
  unread: 'warning',
}

/** Options of `check` in `@servicekit/check`. They are here because the config file has them. */
export interface CheckOptions {
  readonly project: Project
  /** Source folders relative to the root; `['.']` by default. */
  readonly sources?: readonly string[]
  /**
   * Import prefixes and their folders, in addition to `paths` in the tsconfig:
   * `{ '@/': 'src/' }`.
   */
  readonly aliases?: Readonly<Record<string, string>>
  /**
   * Names of functions from packages, other than `useTranslation`, that return `t` or an
   * object containing it.
   */
  readonly hooks?: readonly string[]
  /**
   * File with keys of the module `labels`, as `servicekit codegen --labels` writes it; by default
   * that of the option `gateway`. Keys without a translation are reported.
   */
  readonly labels?: string
  /** Severity by rule. `off` disables a rule. */
  readonly rules?: Readonly<Partial<Record<Rule, Severity | 'off'>>>
  /** Required coverage in percent, for every language or by language code. */
  readonly thresholds?: number | Readonly<Record<string, number>>
  /**
   * File with the terms of the application: preferred translations, forbidden words, and names that
   * are the same in every language. `translate` reads it too.
   */
  readonly glossary?: string
  /** Baseline file with findings to ignore; none by default. */
  readonly baseline?: string
  /**
   * Also compares the committed translations with the service. If the service is
   * unreachable, a finding of severity `info` reports it. By default no network
   * connection is opened.
   */
  readonly remote?: boolean
  /** Writes the findings to the baseline instead of reporting them. */
  readonly updateBaseline?: boolean
}
