import { ConfigError, ResponseShapeError, ServicekitError } from '@servicekit/client'
import { byCodePoint } from '@servicekit/core'
import { fileClash } from './names.ts'
import type { SourceListing } from './source.ts'

/** Requested part of a source listing. */
export interface Choice {
  /** Name of the source, used in errors. */
  readonly sourceName: string
  readonly languages: readonly string[] | undefined
  readonly defaultLanguage: string | undefined
}

/** Selected part of a source listing. */
export interface Chosen {
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
export function choose(listing: SourceListing, choice: Choice): Chosen {
  const languages = chooseLanguages(listing.languages, choice)
  const modules = [...new Set(listing.modules)].sort(byCodePoint)
  refuseClash('modules', modules, choice)
  refuseClash(
    'languages',
    languages.map(({ code }) => code),
    choice,
  )
  return { languages, defaultLanguage: chooseDefault(languages, choice), modules }
}

function chooseLanguages(
  listed: SourceListing['languages'],
  { languages, sourceName }: Choice,
): SourceListing['languages'] {
  const byCode = new Map(listed.map((language) => [language.code, language]))
  const codes = [...new Set(languages ?? byCode.keys())]
  for (const code of codes) {
    if (/^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/.test(code)) continue
    throw new ResponseShapeError(`"${code}" is not a language code`, {
      details: { source: sourceName },
      help: 'Correct it on the platform, or name the languages to take in the option languages.',
    })
  }
  const chosen = codes.flatMap((code) => byCode.get(code) ?? [])
  const unknown = codes.find((code) => !byCode.has(code))
  if (unknown !== undefined) {
    throw new ConfigError(`The project has no language "${unknown}"`, {
      details: { source: sourceName, languages: [...byCode.keys()].join(', ') },
      help: 'Correct the option languages.',
    })
  }
  if (chosen.length > 0) return chosen
  throw new ServicekitError('The project has no languages', {
    code: 'CATALOG_INVALID',
    details: { source: sourceName },
    help: 'Add a language on the platform and publish.',
  })
}

function chooseDefault(languages: SourceListing['languages'], choice: Choice): string {
  const wanted = choice.defaultLanguage
  if (wanted === undefined)
    return (languages.find(({ isDefault }) => isDefault) ?? languages[0]!).code
  if (languages.some(({ code }) => code === wanted)) return wanted
  throw new ConfigError(`The default language "${wanted}" is not among the languages`, {
    details: {
      source: choice.sourceName,
      languages: languages.map(({ code }) => code).join(', '),
    },
    help: 'Correct the option defaultLanguage.',
  })
}

/** If two names share a file, one would overwrite the other. */
function refuseClash(
  what: 'modules' | 'languages',
  names: readonly string[],
  { sourceName }: Choice,
): void {
  const clash = fileClash(names)
  if (!clash) return
  throw new ServicekitError(`The ${what} "${clash[0]}" and "${clash[1]}" would share a file`, {
    code: 'CATALOG_INVALID',
    details: { source: sourceName },
    help:
      'Many file systems take both names for one. Rename one of them on the platform, or name ' +
      `those to take in the option ${what}.`,
  })
}
