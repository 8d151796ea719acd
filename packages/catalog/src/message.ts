/** A text taken apart: literal strings and the names of parameters, in order. */
export type MessageParts = readonly (string | { readonly param: string })[]

/** How parameters are written in a text. */
export type MessageSyntax = 'double-brace' | 'single-brace'

const patterns: Readonly<Record<MessageSyntax, RegExp>> = {
  // i18next also writes `{{- name}}` (unescaped) and `{{name, format}}`.
  'double-brace': /\{\{-?([^{},]+)(?:,[^{}]*)?\}\}/g,
  'single-brace': /\{([^{},]+)\}/g,
}

/**
 * Takes a text apart. White space outside the braces is kept exactly; braces
 * around nothing are text.
 *
 * ```ts
 * parseMessage('Hello {{name}}!') // ['Hello ', { param: 'name' }, '!']
 * ```
 */
export function parseMessage(text: string, syntax: MessageSyntax = 'double-brace'): MessageParts {
  const brace = syntax === 'double-brace' ? '{{' : '{'
  if (!text.includes(brace)) return [text]
  const parts: (string | { param: string })[] = []
  let end = 0
  for (const match of text.matchAll(patterns[syntax])) {
    const param = match[1]!.trim()
    if (param === '') continue
    if (match.index > end) parts.push(text.slice(end, match.index))
    parts.push({ param })
    end = match.index + match[0].length
  }
  if (end < text.length || parts.length === 0) parts.push(text.slice(end))
  return parts
}

/** Names of the parameters of a text, each once, in order of appearance. */
export function parametersOf(parts: MessageParts): readonly string[] {
  return [...new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.param])))]
}
