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
