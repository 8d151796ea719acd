import type { Sources } from './read-sources.ts'

/** Position of a string literal. */
export interface Mention {
  /** Path relative to the root, with `/` separators. */
  readonly file: string
  /** One-based. */
  readonly line: number
}

/**
 * Finds the first string literal of each key in the code. Any pair of equal quotes on a
 * line counts, even in comments and markup, so the result may include false matches but
 * misses none.
 */
export function findStrings(
  { files, others }: Sources,
  strings: ReadonlySet<string>,
): ReadonlyMap<string, Mention> {
  const found = new Map<string, Mention>()
  if (strings.size === 0) return found
  for (const { path, text } of [...files, ...others]) {
    text.split('\n').forEach((line, index) => {
      for (const one of stringsIn(line)) {
        if (strings.has(one) && !found.has(one)) found.set(one, { file: path, line: index + 1 })
      }
    })
  }
  return found
}

/** Finds the first appearance of each name as a whole word, anywhere in a file. */
export function findNames(
  { files, others }: Sources,
  names: ReadonlySet<string>,
): ReadonlyMap<string, Mention> {
  const found = new Map<string, Mention>()
  if (names.size === 0) return found
  // Names such as `sort-by-price` are several words.
  const phrases = [...names].filter((name) => !/^[\p{ID_Continue}$]+$/u.test(name))
  for (const { path, text } of [...files, ...others]) {
    text.split('\n').forEach((line, index) => {
      for (const [word] of line.matchAll(/[\p{ID_Continue}$]+/gu)) {
        if (names.has(word) && !found.has(word)) found.set(word, { file: path, line: index + 1 })
      }
    })
    for (const phrase of phrases) {
      if (found.has(phrase)) continue
      const at = positionOfPhrase(text, phrase)
      if (at < 0) continue
      found.set(phrase, { file: path, line: text.slice(0, at).split('\n').length })
    }
  }
  return found
}

/** Returns the position of a phrase that is not part of a longer word; -1 if there is none. */
function positionOfPhrase(text: string, phrase: string): number {
  const isWord = (start: number): boolean =>
    !/[\p{ID_Continue}$]{2}/u.test(text.slice(start - 1, start + 1))
  let at = phrase === '' ? -1 : text.indexOf(phrase)
  while (at >= 0 && !(isWord(at) && isWord(at + phrase.length))) at = text.indexOf(phrase, at + 1)
  return at
}

function* stringsIn(line: string): Generator<string> {
  for (const quote of ['"', "'", '`']) {
    let start = -1
    for (let at = line.indexOf(quote); at >= 0; at = line.indexOf(quote, at + 1)) {
      if (isEscaped(line, at)) continue
      if (start >= 0) yield unescape(line.slice(start, at))
      start = at + 1
    }
  }
}

function isEscaped(line: string, at: number): boolean {
  let before = at
  while (line[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}

const unescape = (text: string): string =>
  text.includes('\\')
    ? text.replaceAll(/\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(.))/gi, (_, a, b, c, d) =>
        d === undefined
          ? String.fromCodePoint(Math.min(parseInt(a ?? b ?? c, 16), 0x10ffff))
          : (escapes[d as string] ?? (d as string)),
      )
    : text

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
