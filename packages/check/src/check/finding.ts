import type { Rule, Severity } from '@servicekit/catalog'

/** Rules with their descriptions. */
export const rules: Readonly<Record<Rule, string>> = {
  unknown: 'asked for in code, and there is no such key',
  unused: 'in the catalog, and no code asks for it',
  mentioned: 'in the catalog, no call is seen to ask for it, and it appears as a string in code',
  missing: 'the file of a language lacks the key',
  untranslated: 'the key is there, and nobody has written its text',
  parameter: 'a text or a call lacks a parameter, or invents one',
  plural: 'a language lacks a form that its numbers need',
  syntax: 'a text is no message of its syntax',
  clash: 'two keys or modules would have one name',
  'stale-snapshot': 'a committed file is not what the lock file says',
  drift: 'the service has other texts than the committed ones',
  'stale-types': 'generated declarations are not those of the committed texts',
  threshold: 'a language is translated less than it has to be',
  dynamic: 'code may ask for any text of a module, so none of it can be told unused',
}

export const defaultSeverities: Readonly<Record<Rule, Severity>> = {
  unknown: 'error',
  unused: 'warning',
  mentioned: 'info',
  missing: 'warning',
  untranslated: 'warning',
  parameter: 'error',
  plural: 'warning',
  syntax: 'error',
  clash: 'error',
  'stale-snapshot': 'error',
  drift: 'warning',
  'stale-types': 'error',
  threshold: 'error',
  dynamic: 'info',
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
  const place = [module, key].filter((part) => part !== undefined).join('/')
  return [rule, place, language, file].filter((part) => part).join(' ')
}
