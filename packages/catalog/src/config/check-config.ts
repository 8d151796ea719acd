import type { Rule, Severity } from '../model/rules.ts'

/** Options of `servicekit check`. They are here because the config file has them. */
export interface CheckConfig {
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
}
