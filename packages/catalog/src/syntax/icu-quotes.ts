import type { MessagePart, MessageParts } from './message.ts'

/**
 * Characters that replace quoted ones. Unicode reserves them for use within a program; the
 * quote itself becomes `dropped`, so that the positions of errors stay the same.
 */
const placeholders: Readonly<Record<string, string>> = {
  '<': '\ufdd0',
  '>': '\ufdd1',
  '{': '\ufdd2',
  '}': '\ufdd3',
  '#': '\ufdd4',
}
const dropped = '\ufdd5'
const originals = new Map([
  ...Object.entries(placeholders).map(
    ([character, placeholder]) => [placeholder, character] as const,
  ),
  [dropped, ''] as const,
])

/**
 * Replaces what is quoted in an ICU message with tags: `'<b>'` is text. The parser of ICU messages
 * ignores tags, and would keep such quotes.
 */
export function protectQuoted(text: string): string {
  if (!text.includes("'")) return text
  let result = ''
  /** Kinds of the open braces: of a plural, of one of its branches, or others. */
  const open: ('plural' | 'branch' | 'other')[] = []
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!
    const next = text[index + 1] ?? ''
    if (character === "'" && next === "'") {
      result += "''"
      index++
      continue
    }
    const isQuote = '<>{}'.includes(next) || (next === '#' && open.at(-1) === 'branch')
    if (character === "'" && next !== '' && isQuote) {
      const [content, length] = quotedAt(text, index + 1)
      result += dropped + content
      index += length
      continue
    }
    if (character === '{') {
      const isPlural = /^\{\s*[^\s{},]+\s*,\s*(?:plural|selectordinal)\s*,/.test(text.slice(index))
      open.push(open.at(-1) === 'plural' ? 'branch' : isPlural ? 'plural' : 'other')
    } else if (character === '}') open.pop()
    result += character
  }
  return result
}

/** Returns the protected content of a quote, and its length with the closing apostrophe. */
function quotedAt(text: string, start: number): readonly [content: string, length: number] {
  let content = ''
  for (let index = start; index < text.length; index++) {
    if (text.startsWith("''", index)) {
      content += "''"
      index++
    } else if (text[index] === "'") return [content + dropped, index - start + 1]
    else content += placeholders[text[index]!] ?? text[index]!
  }
  return [content, text.length - start]
}

/** Restores the characters that {@link protectQuoted} replaced. */
export function restoreQuoted(parts: MessageParts): MessageParts {
  const all = <K>(branches: ReadonlyMap<K, MessageParts>): ReadonlyMap<K, MessageParts> =>
    new Map([...branches].map(([name, branch]) => [name, restoreQuoted(branch)]))
  return parts.map((part): MessagePart => {
    if (typeof part === 'string') return restoreText(part)
    if ('tag' in part) {
      return part.children ? { ...part, children: restoreQuoted(part.children) } : part
    }
    if (!('cases' in part)) return part
    return {
      ...part,
      exact: all(part.exact),
      cases: all(part.cases),
      other: restoreQuoted(part.other),
    }
  })
}

const restoreText = (text: string): string =>
  text.replaceAll(/[\ufdd0-\ufdd5]/g, (character) => originals.get(character)!)
