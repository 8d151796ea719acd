import { readText } from '@servicekit/catalog'
import { ConfigError, ServicekitError } from '@servicekit/client'
import { isObject, parseJson, unknownName } from '@servicekit/core'

/** Term of a glossary. */
export interface GlossaryTerm {
  /** Term in the default language. */
  readonly term: string
  /** Preferred translation by language code. */
  readonly translations?: Readonly<Record<string, string>>
  /** Words that translations must not contain, by language code; `*` for all languages. */
  readonly forbidden?: Readonly<Record<string, readonly string[]>>
  /** `true` for a name that is the same in every language. */
  readonly keep?: boolean
  /** Note for translators. */
  readonly note?: string
}

/** Content of a glossary file. */
export interface Glossary {
  readonly terms: readonly GlossaryTerm[]
}

const termNames = ['term', 'translations', 'forbidden', 'keep', 'note']

/**
 * Reads a glossary file.
 *
 * ```json
 * {
 *   "terms": [
 *     { "term": "Servicekit", "keep": true },
 *     { "term": "cart", "translations": { "de-DE": "Warenkorb" }, "forbidden": { "de-DE": ["Einkaufswagen"] } }
 *   ]
 * }
 * ```
 *
 * @throws ServicekitError READ_FAILED if the file does not exist or is not JSON.
 * @throws ConfigError for terms of another form.
 */
export async function readGlossary(file: string): Promise<Glossary> {
  const text = await readText(file)
  const content = text === undefined ? undefined : parseJson(text)
  if (!isObject(content)) {
    throw new ServicekitError(`Cannot read the glossary ${file}`, {
      code: 'READ_FAILED',
      details: { reason: text === undefined ? 'it does not exist' : 'it is not a JSON object' },
      help: 'Write it as {"terms": [{"term": "cart", "translations": {"de-DE": "Warenkorb"}}]}.',
    })
  }
  const { terms } = content
  if (!Array.isArray(terms)) throw invalid(file, 'terms must be a list')
  terms.forEach((one: unknown, index) =>
    checkTerm(one, (reason) => invalid(file, `terms[${index}]${reason}`)),
  )
  return { terms: terms as readonly GlossaryTerm[] }
}

function checkTerm(value: unknown, error: (reason: string) => ConfigError): void {
  if (!isObject(value)) throw error(' must be an object')
  const unknown = Object.keys(value).find((name) => !termNames.includes(name))
  if (unknown !== undefined) throw error(`: ${unknownName('property', unknown, termNames)}`)
  const { term, translations = {}, forbidden = {}, keep = false, note = '' } = value
  if (typeof term !== 'string' || term.trim() === '') throw error('.term must be a text')
  if (!isObject(translations) || !Object.values(translations).every(isFilled)) {
    throw error('.translations must have one text for each language')
  }
  if (!isObject(forbidden) || !Object.values(forbidden).every(isListOfTexts)) {
    throw error('.forbidden must have a list of texts for each language')
  }
  if (typeof keep !== 'boolean') throw error('.keep must be true or false')
  if (typeof note !== 'string') throw error('.note must be a text')
}

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''
const isListOfTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isFilled)

const invalid = (file: string, reason: string): ConfigError =>
  new ConfigError(`The glossary ${file} is invalid: ${reason}`)

/**
 * Returns a function that tests whether a text contains a term as a whole word, ignoring case.
 * Scripts without spaces between words are searched anywhere.
 */
export function termMatcher(term: string, { startsWord = false } = {}): (text: string) => boolean {
  const escaped = term
    .trim()
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replaceAll(/\s+/g, '\\s+')
  const hasSpaces =
    !/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]/u.test(term)
  const [before, after] = hasSpaces
    ? ['(?<![\\p{L}\\p{N}])', startsWord ? '' : '(?![\\p{L}\\p{N}])']
    : ['', '']
  const pattern = new RegExp(`${before}${escaped}${after}`, 'iu')
  return (text) => pattern.test(text)
}
