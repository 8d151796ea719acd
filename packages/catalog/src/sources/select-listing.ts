import { languageAdvice } from '../model/languages.ts'
import { ConfigError, ResponseShapeError, ServicekitError } from '@servicekit/client'
import { byCodePoint, fileClash, languageCodeProblem } from '@servicekit/core'
import type { SourceListing } from './source.ts'

/** Languages to select from a source listing. */
export interface Selection {
  /** Name of the source, used in errors. */
  readonly sourceName: string
  readonly languages: readonly string[] | undefined
  readonly defaultLanguage: string | undefined
}

/** Selected part of a source listing. */
export interface SelectedListing {
  readonly languages: SourceListing['languages']
  readonly defaultLanguage: string
  /** Unique, in code-point order. */
  readonly modules: readonly string[]
}

/**
 * Selects the languages and modules to pull.
 *
 * @throws ServicekitError CATALOG_INVALID if a language does not exist or two names share
 * a file.
 * @throws ResponseShapeError if the service lists an invalid language code.
 */
export function selectListing(listing: SourceListing, selection: Selection): SelectedListing {
  const languages = selectLanguages(listing.languages, selection)
  const modules = [...new Set(listing.modules)].sort(byCodePoint)
  rejectFileClash('modules', modules, selection)
  rejectFileClash(
    'languages',
    languages.map(({ code }) => code),
    selection,
  )
  return { languages, defaultLanguage: selectDefaultLanguage(languages, selection), modules }
}

/**
 * Returns why a file cannot have a list of languages and modules; undefined if it can. The rules
 * are those for a listing of the service.
 */
export function listingProblem(
  codes: readonly string[],
  defaultLanguage: string,
  modules: readonly string[],
): string | undefined {
  const invalid = codes.find((code) => languageCodeProblem(code) !== undefined)
  if (invalid !== undefined) return `invalid language code "${invalid}"`
  if (!codes.includes(defaultLanguage)) {
    return `the default language ${JSON.stringify(defaultLanguage)} is not one of the languages`
  }
  if (new Set(modules).size < modules.length) return 'a module is listed twice'
  const clash = fileClash(codes) ?? fileClash(modules)
  return (
    clash && `${JSON.stringify(clash[0])} and ${JSON.stringify(clash[1])} have the same file name`
  )
}

function selectLanguages(
  listed: SourceListing['languages'],
  { languages, sourceName }: Selection,
): SourceListing['languages'] {
  const byCode = new Map(listed.map((language) => [language.code, language]))
  const codes = [...new Set(languages ?? byCode.keys())]
  for (const code of codes) {
    if (languageCodeProblem(code) === undefined) continue
    throw new ResponseShapeError(`Invalid language code "${code}"`, {
      details: { source: sourceName },
      help: 'Correct it on the platform, or select other languages with the option languages.',
    })
  }
  const selected = codes.flatMap((code) => byCode.get(code) ?? [])
  const unknown = codes.find((code) => !byCode.has(code))
  if (unknown !== undefined) {
    throw new ConfigError(`Unknown language "${unknown}"`, {
      details: { source: sourceName, languages: [...byCode.keys()].join(', ') },
      help: languageAdvice(unknown, [...byCode.keys()]),
    })
  }
  if (selected.length > 0) return selected
  throw new ServicekitError('The project has no languages', {
    code: 'CATALOG_INVALID',
    details: { source: sourceName },
    help: 'Add a language on the platform and publish.',
  })
}

function selectDefaultLanguage(
  languages: SourceListing['languages'],
  selection: Selection,
): string {
  const wanted = selection.defaultLanguage
  if (wanted === undefined)
    return (languages.find(({ isDefault }) => isDefault) ?? languages[0]!).code
  if (languages.some(({ code }) => code === wanted)) return wanted
  throw new ConfigError(`Default language "${wanted}" is not one of the languages`, {
    details: {
      source: selection.sourceName,
      languages: languages.map(({ code }) => code).join(', '),
    },
    help: 'Correct the option defaultLanguage.',
  })
}

/** If two names share a file, one would overwrite the other. */
function rejectFileClash(
  what: 'modules' | 'languages',
  names: readonly string[],
  { sourceName }: Selection,
): void {
  const clash = fileClash(names)
  if (!clash) return
  throw new ServicekitError(`The ${what} "${clash[0]}" and "${clash[1]}" have the same file name`, {
    code: 'CATALOG_INVALID',
    details: { source: sourceName },
    help:
      'Many file systems ignore case. Rename one of them, or select others with ' +
      `the option ${what}.`,
  })
}
