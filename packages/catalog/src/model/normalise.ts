import { isMissingMarker, keyLanguage } from '@servicekit/contract/limits'
import type { Problem } from './problem.ts'
import { byCodePoint } from '@servicekit/core'

/** Language and module of a translation file. */
export interface FileId {
  readonly language: string
  readonly module: string
}

/**
 * Translations of one language and module by key, sorted. A missing translation is null.
 */
export type Translations = ReadonlyMap<string, string | null>

export interface NormalisedFile {
  readonly translations: Translations
  readonly problems: readonly Problem[]
}

/** Maximum nesting of dotted keys. Deeper nesting indicates a broken response. */
const deepest = 50

/**
 * Normalises a translation file. `[ KEY MISSING ]`, in any
 * spelling, becomes null, nested objects become
 * dotted keys (expected only for the language `key`), numbers and booleans become
 * strings. White space is preserved.
 */
export function normaliseFile(raw: Readonly<Record<string, unknown>>, id: FileId): NormalisedFile {
  const problems: Problem[] = []
  const flat = new Map<string, string | null>()
  const nested: [string, unknown][] = []
  const report = (
    code: Problem['code'],
    severity: Problem['severity'],
    key: string,
    message: string,
  ) => problems.push({ severity, code, ...id, key, message })

  const add = (key: string, value: unknown, depth: number): void => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      if (depth === 0) nested.push([key, value])
      else addAll(key, value, depth)
      return
    }
    if (flat.has(key)) {
      report(
        'NESTED_TRANSLATION',
        'warning',
        key,
        'exists both flat and nested; the flat one is used',
      )
      return
    }
    if (key === '') {
      report('INVALID_KEY', 'warning', key, 'is empty and is ignored')
      return
    }
    if (value === null) flat.set(key, null)
    else if (typeof value === 'string') flat.set(key, isMissingMarker(value) ? null : value)
    else if (typeof value === 'number' || typeof value === 'boolean') {
      report(
        'INVALID_TRANSLATION',
        'warning',
        key,
        `is the ${typeof value} ${value}; it is converted to a string`,
      )
      flat.set(key, String(value))
    } else {
      report('INVALID_TRANSLATION', 'warning', key, 'is an array; it counts as missing')
      flat.set(key, null)
    }
  }

  const addAll = (key: string, value: object, depth: number): void => {
    const inside = Object.entries(value)
    if (inside.length > 0 && depth < deepest) {
      for (const [name, inner] of inside) add(`${key}.${name}`, inner, depth + 1)
      return
    }
    report(
      'INVALID_TRANSLATION',
      'warning',
      key,
      'is an object without translations; it counts as missing',
    )
    if (!flat.has(key) && key !== '') flat.set(key, null)
  }

  for (const [key, value] of Object.entries(raw)) add(key, value, 0)
  // Flat keys are added first, because they take precedence over nested ones.
  for (const [key, value] of nested) {
    if (id.language !== keyLanguage) {
      report('NESTED_TRANSLATION', 'warning', key, 'is nested; its keys are joined with dots')
    }
    addAll(key, value as object, 1)
  }
  return {
    translations: new Map([...flat].sort(([a], [b]) => byCodePoint(a, b))),
    problems,
  }
}
