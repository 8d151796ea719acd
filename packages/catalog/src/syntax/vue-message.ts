import type { MessagePart, MessageParts, Parameter } from './message.ts'

/**
 * Parses a message of vue-i18n: `{name}`, `{0}`, `{'literal'}`, and plurals separated by pipes. Two
 * cases are for one and for other numbers, three for zero, one and others. The number is the
 * parameter `n` if a case uses it, otherwise `count`.
 */
export function parseVueMessage(text: string): MessageParts {
  const cases = splitCases(text)
  if (cases.length === 1) return parseCase(text)
  // Only the spaces beside the pipes are not part of a case.
  const last = cases.length - 1
  const parsed = cases.map((one, index) => {
    const start = index === 0 ? one : one.trimStart()
    return parseCase(index === last ? start : start.trimEnd())
  })
  const names = new Set(
    parsed.flat().flatMap((part) => (typeof part === 'string' ? [] : [(part as Parameter).param])),
  )
  const param = names.has('n') && !names.has('count') ? 'n' : 'count'
  const [first, second] = parsed
  const other = parsed[Math.min(parsed.length - 1, 2)]!
  const exact =
    parsed.length === 2
      ? new Map([[1, first!]])
      : new Map([
          [0, first!],
          [1, second!],
        ])
  return [{ kind: 'plural', param, offset: 0, exact, cases: new Map(), other }]
}

/** Returns the reason why a message cannot be shown as vue-i18n does; undefined if it can. */
export function vueSyntaxErrorOf(text: string): string | undefined {
  const { length } = splitCases(text)
  return length > 3
    ? `has ${length} cases, of which vue-i18n uses more than three only with pluralRules`
    : undefined
}

const literalPattern = /\{\s*'([^']*)'\s*\}/g

/** Splits at the pipes outside of literals. */
function splitCases(text: string): readonly string[] {
  if (!text.includes('|')) return [text]
  const cases = ['']
  // Every second part is a literal.
  for (const [index, part] of text.split(/(\{\s*'[^']*'\s*\})/).entries()) {
    const [head = '', ...rest] = index % 2 === 1 ? [part] : part.split('|')
    cases[cases.length - 1] += head
    cases.push(...rest)
  }
  return cases
}

const partPattern = new RegExp(`${literalPattern.source}|\\{\\s*([\\w$][\\w$.-]*)\\s*\\}`, 'g')

function parseCase(text: string): MessageParts {
  const parts: MessagePart[] = []
  const add = (literal: string): void => {
    const last = parts.at(-1)
    if (literal === '') return
    if (typeof last === 'string') parts[parts.length - 1] = last + literal
    else parts.push(literal)
  }
  let end = 0
  for (const match of text.matchAll(partPattern)) {
    const [whole, literal, param] = match
    add(text.slice(end, match.index))
    if (param === undefined) add(literal ?? '')
    else parts.push({ param })
    end = match.index + whole.length
  }
  add(text.slice(end))
  return parts.length === 0 ? [''] : parts
}
