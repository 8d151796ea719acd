import { createLines } from '@servicekit/core'
import type { FileContent, FileEntry } from '../entry.ts'
import { invalidFile } from '../format-errors.ts'
import type { TextGroup } from '../plural-keys.ts'

const space = /(?:\s|\/\/[^\n]*)*/y
const comment = /\/\*([^]*?)\*\//y
const quoted = /"((?:[^"\\]|\\[^])*)"/y
const bare = /[\w.$/:-]+/y

/**
 * Reads a .strings file of Apple. A comment before a key is a note for translators.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export function readStrings(text: string, path: string): FileContent {
  const lineAt = createLines(text)
  const entries: FileEntry[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  let context: string | undefined
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at += found[0].length
    return found
  }
  const skipSpace = (): void => {
    take(space)
    for (let found = take(comment); found; found = take(comment)) {
      const note = found[1]!.trim()
      context = note === '' || note === 'No comment provided by engineer.' ? undefined : note
      take(space)
    }
  }
  const takeText = (): string => {
    const found = take(quoted)
    if (found) return unescapeStrings(found[1]!)
    return take(bare)?.[0] ?? fail('a text in quotes')
  }
  const expect = (character: string): void => {
    skipSpace()
    if (text[at] !== character) fail(JSON.stringify(character))
    at++
    skipSpace()
  }
  const fail = (expected: string): never => {
    const found = text[at] === undefined ? 'the end' : JSON.stringify(text.slice(at, at + 20))
    throw invalidFile(path, `${expected} is expected instead of ${found}`, {
      line: lineAt(at),
      help: 'Write "key" = "text"; and a backslash before each quote in a text.',
    })
  }
  for (skipSpace(); at < text.length; skipSpace()) {
    const line = lineAt(at)
    const note = context
    context = undefined
    const key = takeText()
    expect('=')
    const value = takeText()
    expect(';')
    entries.push({ key, value, line, context: note })
  }
  return { entries, skipped: [] }
}

const named: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
}

const unescapeStrings = (raw: string): string =>
  raw.replaceAll(
    /\\(?:[Uu]([\dA-Fa-f]{4})|([0-7]{1,3})|([^]))/g,
    (_, hex?: string, octal?: string, character = '') =>
      hex === undefined && octal === undefined
        ? (named[character] ?? character)
        : String.fromCharCode(
            hex === undefined ? Number.parseInt(octal!, 8) : Number.parseInt(hex, 16),
          ),
  )

/** Prints messages as a .strings file in UTF-8. */
export const printStrings = (
  groups: readonly TextGroup[],
  contextOf: (key: string) => string | undefined,
): string =>
  groups
    .flatMap((group) => {
      if (!('text' in group)) return []
      // A comment cannot contain its end.
      const note = contextOf(group.key)?.replaceAll('*/', '* /')
      const line = `"${escapeStrings(group.key)}" = "${escapeStrings(group.text)}";\n`
      return note ? [`/* ${note} */\n${line}`] : [line]
    })
    .join('')

const escapeStrings = (text: string): string =>
  text
    .replaceAll(/[\\"]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll(
      /[\0-\x1F\x7F-\x9F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
      (character) =>
        String.raw`\U${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
    )
