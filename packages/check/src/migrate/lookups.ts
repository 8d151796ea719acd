import { byCodePoint } from '@servicekit/core'
import { ts } from 'ts-morph'
import type { Edit } from './edits.ts'
import type { ImportNames } from './import-names.ts'

/** Keys with the local names of their messages. */
type Entries = readonly (readonly [key: string, local: string])[]

/**
 * Constants with the messages that computed keys select:
 *
 * ```ts
 * const labelMessages = { APRIL, MAY }
 * labelMessages[month.label as keyof typeof labelMessages]()
 * ```
 */
export class Lookups {
  readonly #names: ImportNames
  /** Names of the constants by their code. */
  readonly #constants = new Map<string, string>()

  constructor(names: ImportNames) {
    this.#names = names
  }

  /** Returns the edits that replace `t(month.label)`. */
  edits(source: ts.SourceFile, call: ts.CallExpression, entries: Entries): readonly Edit[] {
    const key = call.arguments[0]!
    const code = codeOf(entries)
    const constant =
      this.#constants.get(code) ?? this.#names.local(`${wordOf(key) ?? 'key'}Messages`)
    this.#constants.set(code, constant)
    const isTyped = /\.[cm]?tsx?$/.test(source.fileName)
    const isShort = ts.isIdentifier(key) || ts.isPropertyAccessExpression(key) || !isTyped
    const [open, close] = isShort ? ['', ''] : ['(', ')']
    const type = isTyped ? ` as keyof typeof ${constant}` : ''
    return [
      { start: call.getStart(source), end: key.getStart(source), text: `${constant}[${open}` },
      { start: key.getEnd(), end: call.getEnd(), text: `${close}${type}]()` },
    ]
  }

  /** Returns the edits that declare the constants after the imports. */
  declarations({ statements, text }: ts.SourceFile): readonly Edit[] {
    const last = statements.findLast(ts.isImportDeclaration)
    if (!last || this.#constants.size === 0) return []
    const end = text[last.end - 1] === ';' ? ';' : ''
    const lines = [...this.#constants].map(([code, name]) => `\nconst ${name} = ${code}${end}`)
    return [{ start: last.end, end: last.end, text: `\n${lines.join('')}` }]
  }
}

function codeOf(entries: Entries): string {
  const list = [...entries]
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([key, local]) => (key === local ? key : `${propertyCode(key)}: ${local}`))
  const short = `{ ${list.join(', ')} }`
  return short.length <= 80 ? short : `{\n${list.map((one) => `  ${one},\n`).join('')}}`
}

const propertyCode = (key: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)

/** Returns the last word of a computed key: `label` of `month.label`. */
function wordOf(key: ts.Expression): string | undefined {
  if (ts.isIdentifier(key)) return key.text
  if (ts.isPropertyAccessExpression(key)) return key.name.text
  return ts.isElementAccessExpression(key) || ts.isNonNullExpression(key)
    ? wordOf(key.expression)
    : undefined
}
