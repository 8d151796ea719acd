import type { Rule, Severity } from '@servicekit/catalog'

/** Rules with their descriptions. */
export const rules: Readonly<Record<Rule, string>> = {
  unknown: 'used in code, but the key does not exist',
  unused: 'exists, but no code uses it',
  mentioned: 'has no known usage, but appears as a string in code',
  missing: 'the key is missing in the file of a language',
  untranslated: 'the key has no translation',
  parameter: 'a translation or a call omits a parameter, or has an unknown one',
  tag: 'a translation omits a tag, has an unknown one, or opens and closes tags in wrong order',
  plural: 'a plural form of the language is missing',
  copy: 'a translation is the same as the source text',
  spacing: 'a translation does not have the same white space as the source text',
  inconsistent: 'the same source text has different translations in a language',
  term: 'a translation contains a forbidden word, or not the translation of the glossary',
  length: 'a translation is longer than the maximum length of its key',
  syntax: 'a translation has a syntax error',
  'stale-snapshot': 'a committed file does not match the lock file',
  drift: 'the translations of the service differ from the committed ones',
  'stale-types': 'generated declarations do not match the committed translations',
  threshold: 'the coverage of a language is below its threshold',
  dynamic: 'code may use any message of a module, so that none can be reported as unused',
  unread: 'code cannot be read, so that keys which it uses may be reported as unused',
}

/** Problem found by a check. */
export interface Finding {
  readonly rule: Rule
  readonly severity: Severity
  /** Single sentence. */
  readonly message: string
  readonly language?: string
  readonly module?: string
  readonly key?: string
  /** Path relative to the root, with `/` separators. */
  readonly file?: string
  /** One-based. */
  readonly line?: number
  readonly column?: number
}

/**
 * Returns an identifier of a finding that does not depend on line numbers. Baselines
 * store it.
 *
 * ```text
 * untranslated auth/SIGN_IN de-DE uilm/de-DE/auth.json
 * ```
 */
export function fingerprintOf({ rule, module, key, language, file }: Finding): string {
  const subject = [module, key].filter((part) => part !== undefined).join('/')
  return [rule, subject, language, file].filter((part) => part).join(' ')
}
