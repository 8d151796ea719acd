import type { MessagePart, MessageParts } from './message.ts'

/** Names of the tags of a message; `true` for those with children. */
export type TagNames = ReadonlyMap<string, boolean>

export const noTags: TagNames = new Map()

interface Parsed {
  readonly parts: MessageParts
  /** Reason for which the tags are invalid; they are shown as text. */
  readonly error?: string
}

/**
 * Finds the tags in a message and in the branches of its choices. A tag has no attributes.
 * A tag that is not closed, or not opened, is text: `press <Enter>`.
 *
 * ```ts
 * parseTags(['I accept the <link>terms</link>.'], {})
 * // { parts: ['I accept the ', { tag: 'link', children: ['terms'] }, '.'] }
 * ```
 */
export function parseTags(parts: MessageParts, options: MarkupOptions): Parsed {
  let error: string | undefined
  const readBranch = (branch: MessageParts): MessageParts => {
    const parsed = parseTags(branch, options)
    error ??= parsed.error
    return parsed.parts
  }
  const readBranches = <K>(branches: ReadonlyMap<K, MessageParts>): ReadonlyMap<K, MessageParts> =>
    new Map([...branches].map(([name, branch]) => [name, readBranch(branch)]))
  const read = parts.map((part): MessagePart =>
    typeof part === 'string' || !('cases' in part)
      ? part
      : {
          ...part,
          exact: readBranches(part.exact),
          cases: readBranches(part.cases),
          other: readBranch(part.other),
        },
  )
  if (error !== undefined) return { parts, error }
  return nest(read, options, parts)
}

const tagPattern = /<(?:\/([A-Za-z][\w-]*|\d+)\s*|([A-Za-z][\w-]*|\d+)\s*(\/?))>/g

/** Nests what is between the opening and the closing tag. */
function nest(read: MessageParts, options: MarkupOptions, original: MessageParts): Parsed {
  const matches = read.flatMap((part) =>
    typeof part === 'string' ? [...part.matchAll(tagPattern)] : [],
  )
  const closed = new Set(matches.flatMap(([, close]) => close ?? []))
  const opened = new Set(matches.flatMap(([, , open, slash]) => (slash === '' ? open! : [])))
  const isTag = (name: string): boolean => options.numbered === true || !/^\d/.test(name)

  const stack: { name: string; children: MessagePart[] }[] = [{ name: '', children: [] }]
  const add = (part: MessagePart): void => {
    if (part !== '') stack.at(-1)!.children.push(part)
  }
  for (const part of read) {
    if (typeof part !== 'string') {
      add(part)
      continue
    }
    let end = 0
    for (const match of part.matchAll(tagPattern)) {
      const [whole, close, open, slash] = match
      const name = close ?? open!
      const isSelfClosing = slash === '/'
      const isRead =
        isTag(name) && (isSelfClosing ? options.selfClosing : closed.has(name) && opened.has(name))
      if (!isRead) continue
      add(part.slice(end, match.index))
      end = match.index + whole.length
      if (isSelfClosing) add({ tag: name })
      else if (close === undefined) stack.push({ name, children: [] })
      else {
        const { name: inner, children } = stack.pop()!
        if (inner !== name) return { parts: original, error: notClosed(inner || name) }
        add({ tag: name, children: children.length === 0 ? [''] : children })
      }
    }
    add(part.slice(end))
  }
  const [{ children }, unclosed] = stack as [(typeof stack)[0], (typeof stack)[0]?]
  if (unclosed) return { parts: original, error: notClosed(unclosed.name) }
  return { parts: children.length === 0 ? [''] : children }
}

const notClosed = (name: string): string => `the tag ${name} is opened and closed in wrong order`

/** Returns the names of the tags in a message, also of those in choices and in other tags. */
export function tagNamesOf(parts: MessageParts, names: Map<string, boolean> = new Map()): TagNames {
  for (const part of parts) {
    if (typeof part === 'string') continue
    if ('tag' in part) {
      names.set(part.tag, part.children !== undefined || names.get(part.tag) === true)
      if (part.children) tagNamesOf(part.children, names)
    } else if ('cases' in part) {
      for (const branch of [...part.exact.values(), ...part.cases.values(), part.other])
        tagNamesOf(branch, names)
    }
  }
  return names
}

/** Framework that renders the elements of messages; `plain` returns arrays. */
export type MarkupFramework = 'plain' | 'react' | 'vue' | 'svelte' | 'solid'

/** Options for elements in messages. */
export interface MarkupOptions {
  readonly framework: MarkupFramework
  /** Also reads `<br/>`; false by default. */
  readonly selfClosing?: boolean
  /** Also reads `<0>`, as in messages of i18next; false by default. */
  readonly numbered?: boolean
}
