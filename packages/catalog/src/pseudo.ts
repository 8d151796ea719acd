import type { Catalog } from './catalog.ts'
import type { Choice, MessagePart, MessageParts } from './message.ts'
import type { PseudoLanguages } from './options.ts'

/** The catalog with the languages that are made of its default language. */
export function withPseudo(catalog: Catalog, pseudo: PseudoLanguages): Catalog {
  const known = new Set(catalog.languages.map(({ code }) => code))
  const added = [
    { code: pseudo.ltr, name: 'Pseudo (accents)' },
    { code: pseudo.rtl, name: 'Pseudo (right to left)' },
  ].flatMap(({ code, name }) => (code === undefined || known.has(code) ? [] : [{ code, name }]))
  return added.length === 0 ? catalog : { ...catalog, languages: [...catalog.languages, ...added] }
}

/** Which pseudo-locale a language is; undefined for one of the project's. */
export function pseudoKindOf(
  language: string,
  pseudo: PseudoLanguages | undefined,
): 'ltr' | 'rtl' | undefined {
  if (language === pseudo?.ltr) return 'ltr'
  return language === pseudo?.rtl ? 'rtl' : undefined
}

/**
 * A text as a pseudo-locale shows it: `Save {{n}}` becomes `⟦Šàvé {{n}} one⟧`, so
 * that a text that is not translated, one that is cut off and one that is put
 * together from parts can be seen. Right to left, each word is turned around
 * instead. Parameters, tags and entities stay as they are.
 */
export function pseudoParts(parts: MessageParts, kind: 'ltr' | 'rtl'): MessageParts {
  const shown = parts.map((part) => pseudoPart(part, kind))
  if (kind === 'rtl') return shown
  const letters = parts.reduce(
    (sum, part) => sum + (typeof part === 'string' ? part.trim().length : 0),
    0,
  )
  if (letters === 0) return shown
  // Translations of short texts grow most.
  const more = Math.ceil(letters * (letters < 10 ? 0.6 : letters < 40 ? 0.4 : 0.3))
  const [, lead = ''] = /^(\s*)/.exec(firstText(shown))!
  const [, tail = ''] = /(\s*)$/.exec(lastText(shown))!
  return [`${lead}⟦`, ...trimmed(shown, lead, tail), ` ${padding(more)}⟧${tail}`]
}

const firstText = (parts: MessageParts): string => (typeof parts[0] === 'string' ? parts[0] : '')
const lastText = (parts: MessageParts): string => {
  const last = parts.at(-1)
  return typeof last === 'string' ? last : ''
}

/** White space at the ends stays at the ends. */
function trimmed(parts: MessageParts, lead: string, tail: string): MessageParts {
  const result = [...parts]
  if (typeof result[0] === 'string') result[0] = result[0].slice(lead.length)
  const last = result.at(-1)
  if (typeof last === 'string' && tail !== '') {
    result[result.length - 1] = last.slice(0, Math.max(0, last.length - tail.length))
  }
  return result
}

function pseudoPart(part: MessagePart, kind: 'ltr' | 'rtl'): MessagePart {
  if (typeof part === 'string') return pseudoText(part, kind)
  if (!('choose' in part)) return part
  const map = <K>(branches: ReadonlyMap<K, MessageParts>): ReadonlyMap<K, MessageParts> =>
    new Map([...branches].map(([name, parts]) => [name, inner(parts)]))
  const inner = (parts: MessageParts): MessageParts => parts.map((one) => pseudoPart(one, kind))
  const choice: Choice = {
    ...part,
    exact: map(part.exact),
    cases: map(part.cases),
    other: inner(part.other),
  }
  return choice
}

/** What must not be changed in a text: tags, entities, addresses. */
const fixed = /(<[^>]*>|&[#\w]+;|https?:\/\/\S+)/

function pseudoText(text: string, kind: 'ltr' | 'rtl'): string {
  return text
    .split(fixed)
    .map((piece, index) => {
      if (index % 2 === 1) return piece
      return kind === 'ltr'
        ? piece.replaceAll(/[A-Za-z]/g, (letter) => accents[letter] ?? letter)
        : piece.replaceAll(/[\p{L}\p{N}]+/gu, (word) => `\u200f\u202e${word}\u202c\u200f`)
    })
    .join('')
}

const numerals = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')

function padding(length: number): string {
  let text = ''
  for (let index = 0; text.length < length; index++) {
    text += `${text === '' ? '' : ' '}${numerals[index % numerals.length]!}`
  }
  return text
}

const accents: Readonly<Record<string, string>> = Object.fromEntries(
  [...'AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZz'].map((letter, index) => [
    letter,
    [...'ÀàƁƀÇçÐðÉéƑƒĜĝĤĥÎîĴĵĶķĻļṀɱÑñÖöÞþǪǫŔŕŠšŢţÛûṼṽŴŵẊẋÝýŽž'][index]!,
  ]),
)
