import { type Model, pseudoKindOf } from '@servicekit/catalog'
import { positionsOf, type SnapshotFolder, type UnratedFinding } from './catalog-findings.ts'
import { type Glossary, type GlossaryTerm, termMatcher } from '../glossary/glossary.ts'

/** Term with what it requires of one language. */
interface Requirement {
  readonly term: GlossaryTerm
  readonly isInSource: (text: string) => boolean
  readonly forbidden: readonly { readonly word: string; readonly isIn: (text: string) => boolean }[]
  /** Text that a translation must contain if its source text contains the term. */
  readonly expected?: { readonly word: string; readonly isIn: (text: string) => boolean }
}

/** Returns the translations that contain forbidden words, or lack the translation of a term. */
export function termFindings(
  model: Model,
  { terms }: Glossary,
  folder: SnapshotFolder,
): readonly UnratedFinding[] {
  const { catalog, options } = model
  const positions = positionsOf(model, folder)
  const found: UnratedFinding[] = []
  for (const { code: language } of catalog.languages) {
    if (pseudoKindOf(language, options.pseudo) !== undefined) continue
    const requirements = terms.map((term) => requirementOf(term, language, catalog.defaultLanguage))
    for (const { name: module, translations } of catalog.modules) {
      const sources = translations.get(catalog.defaultLanguage)
      for (const [key, text] of translations.get(language) ?? []) {
        if (!text) continue
        const at = { module, key, language }
        for (const message of problemsOf(text, sources?.get(key) ?? '', requirements)) {
          found.push({ rule: 'term', message, ...at, ...positions(language, module, key) })
        }
      }
    }
  }
  return found
}

function requirementOf(term: GlossaryTerm, language: string, defaultLanguage: string): Requirement {
  const forbidden = [...(term.forbidden?.[language] ?? []), ...(term.forbidden?.['*'] ?? [])]
  const word = term.keep ? term.term : term.translations?.[language]
  return {
    term,
    isInSource: termMatcher(term.term),
    forbidden: forbidden.map((word) => ({ word, isIn: termMatcher(word) })),
    // Most languages change the end of a word, and some join words.
    ...(word === undefined || language === defaultLanguage
      ? {}
      : { expected: { word, isIn: term.keep ? termMatcher(word) : containsStem(word) } }),
  }
}

function* problemsOf(
  text: string,
  source: string,
  requirements: readonly Requirement[],
): Generator<string> {
  for (const { term, isInSource, forbidden, expected } of requirements) {
    const wrong = forbidden.find(({ isIn }) => isIn(text))
    if (wrong) {
      const instead = expected ? `; the glossary has "${expected.word}" for "${term.term}"` : ''
      yield `contains "${wrong.word}", which the glossary forbids${instead}`
    } else if (expected && isInSource(source) && !expected.isIn(text)) {
      yield term.keep
        ? `does not contain "${term.term}", which is the same in every language`
        : `translates "${term.term}" without "${expected.word}" of the glossary`
    }
  }
}

/** Returns a function that finds a word with another ending, or as part of a longer word. */
function containsStem(word: string): (text: string) => boolean {
  // German has Warenkorb and Warenkörbe.
  const plain = (text: string): string =>
    text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const stems = plain(word)
    .split(/\s+/)
    .map((one) => one.slice(0, Math.max(3, Math.ceil(one.length * 0.7))))
  return (text) => {
    const searched = plain(text)
    return stems.every((stem) => searched.includes(stem))
  }
}
