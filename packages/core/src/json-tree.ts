/** JSON value with its place in the text. */
export type JsonNode = JsonObject | JsonLeaf

export interface JsonObject {
  readonly entries: Map<string, JsonProperty>
  /** Properties whose name is repeated later, which takes precedence, with their names. */
  readonly repeated: (readonly [name: string, property: JsonProperty])[]
}

/** Value that is not an object, as it is written. */
interface JsonLeaf {
  readonly value: unknown
  readonly raw: string
}

export interface JsonProperty {
  /** Name as it is written, with its quotes. */
  readonly rawName: string
  /** Number of UTF-16 code units before the name. */
  readonly offset: number
  readonly node: JsonNode
}

export const isJsonObject = (node: JsonNode): node is JsonObject => 'entries' in node

/** Syntax error with its place. */
export class PlacedSyntaxError extends SyntaxError {
  /** Number of UTF-16 code units before the error. */
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** Deeper nesting is an error, as it would exhaust the stack. */
const deepest = 500

const stringPattern =
  /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\u0000-\u001f]*)*"/y
const scalarPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const spacePattern = /[ \t\r\n]*/y

/**
 * Parses JSON with the place of each property, which `JSON.parse` does not give. Names keep their
 * order, also numbers, and a repeated name has its last value.
 *
 * @throws PlacedSyntaxError
 */
export function parseJsonTree(text: string): JsonNode {
  let at = text.startsWith('\ufeff') ? 1 : 0
  const fail = (message: string): never => {
    throw new PlacedSyntaxError(message, at)
  }
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  const skipSpace = (): void => void take(spacePattern)
  const takeString = (): string => {
    const found = take(stringPattern)
    if (found !== undefined) return found
    return fail(
      text[at] === '"' ? 'a string is not closed or has an invalid character' : expected(),
    )
  }
  const expected = (): string => {
    if (at >= text.length) return 'the file ends too early'
    if (text.startsWith('<<<<<<<', at)) return 'there is a merge conflict marker'
    if (text.startsWith('//', at) || text.startsWith('/*', at)) return 'JSON has no comments'
    return `unexpected ${JSON.stringify(String.fromCodePoint(text.codePointAt(at)!))}`
  }
  const readList = (close: string, readItem: () => void): void => {
    at++
    skipSpace()
    if (text[at] === close) {
      at++
      return
    }
    for (;;) {
      readItem()
      skipSpace()
      if (text[at] === close) break
      if (text[at] !== ',') fail(`${expected()}; a comma or ${close} is missing`)
      const comma = at++
      skipSpace()
      if (text[at] !== close) continue
      at = comma
      fail('there is a comma after the last value')
    }
    at++
  }
  const readNode = (depth: number): JsonNode => {
    if (depth > deepest) fail('it is nested too deeply')
    const start = at
    if (text[at] === '{') {
      const entries = new Map<string, JsonProperty>()
      const repeated: JsonObject['repeated'] = []
      readList('}', () => {
        const offset = at
        const rawName = takeString()
        skipSpace()
        if (text[at] !== ':') fail(`${expected()}; a colon is missing`)
        at++
        skipSpace()
        const name = JSON.parse(rawName) as string
        const earlier = entries.get(name)
        if (earlier) repeated.push([name, earlier])
        entries.set(name, { rawName, offset, node: readNode(depth + 1) })
      })
      return { entries, repeated }
    }
    if (text[at] === '[') readList(']', () => readNode(depth + 1))
    else if (text[at] === '"') takeString()
    else if (take(scalarPattern) === undefined) fail(expected())
    const raw = text.slice(start, at)
    return { raw, value: JSON.parse(raw) as unknown }
  }
  skipSpace()
  const node = readNode(0)
  skipSpace()
  if (at < text.length) fail(expected())
  return node
}

/** One-based position in a text. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Returns the position of an offset. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  const bom = lineStart === 0 && text.startsWith('\ufeff') ? 1 : 0
  return { line: before.split('\n').length, column: Math.max(1, offset - lineStart - bom + 1) }
}
