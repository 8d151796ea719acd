import type { Catalog } from './catalog.ts'
import type { Choice, MessagePart, MessageParts } from '../syntax/message.ts'

/** Returns the catalog with its pseudo-locales added. */
export function withPseudo(catalog: Catalog, pseudo: PseudoLanguages): Catalog {
  const known = new Set(catalog.languages.map(({ code }) => code))
  const added = [
    { code: pseudo.ltr, name: 'Pseudo (accents)' },
    { code: pseudo.rtl, name: 'Pseudo (right to left)' },
  ].flatMap(({ code, name }) => (code === undefined || known.has(code) ? [] : [{ code, name }]))
  return added.length === 0 ? catalog : { ...catalog, languages: [...catalog.languages, ...added] }
}

/** Returns the kind of a pseudo-locale; undefined for a real language. */
export function pseudoKindOf(
  language: string,
  pseudo: PseudoLanguages | undefined,
): 'ltr' | 'rtl' | undefined {
  if (language === pseudo?.ltr) return 'ltr'
  return language === pseudo?.rtl ? 'rtl' : undefined
}

/**
 * Converts a message to a pseudo-locale: `Save {{n}}` becomes `⟦Šàvé {{n}} one⟧`. This
 * reveals untranslated, truncated and concatenated texts. Right-to-left pseudo-locales
 * reverse each word instead. Parameters, tags and entities are preserved.
 */
export function pseudoParts(parts: MessageParts, kind: 'ltr' | 'rtl'): MessageParts {
  const shown = parts.map((part) => pseudoPart(part, kind))
  if (kind === 'rtl') return shown
  const letters = parts.reduce(
    (sum, part) => sum + (typeof part === 'string' ? part.trim().length : 0),
    0,
  )
  if (letters === 0) return shown
  // Short texts grow most in translation.
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

/** Keep leading and trailing white space outside the brackets. */
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
  if ('tag' in part) {
    const { children } = part
    return children ? { ...part, children: children.map((one) => pseudoPart(one, kind)) } : part
  }
  if (!('cases' in part)) return part
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

/** Parts that must not be changed: tags, entities and URLs. */
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

/** Codes of the pseudo-locales by direction. */
export interface PseudoLanguages {
  readonly ltr?: string
  readonly rtl?: string
}
