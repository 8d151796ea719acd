import { byCodePoint } from '@servicekit/core'
import { ts } from 'ts-morph'
import type { Edit } from '../edit/edits.ts'
import type { ImportNames } from './import-names.ts'

/** Keys with the local names of their messages. */
type Entries = readonly (readonly [key: string, local: string])[]

/**
 * Constants with the messages that computed keys select. Other keys are shown, as by i18next: tests
 * may replace the values that they come from.
 *
 * ```ts
 * const labelMessages: Partial<Record<string, () => string>> = { APRIL, MAY }
 * labelMessages[month.label]?.() ?? month.label
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
    const [open, close] = needsParentheses(call) ? ['(', ')'] : ['', '']
    const shown = key.getText(source)
    const other =
      ts.isBinaryExpression(key) || ts.isConditionalExpression(key) ? `(${shown})` : shown
    return [
      { start: call.getStart(source), end: key.getStart(source), text: `${open}${constant}[` },
      { start: key.getEnd(), end: call.getEnd(), text: `]?.() ?? ${other}${close}` },
    ]
  }

  /** Returns the edits that declare the constants after the imports. */
  declarations({ statements, text, fileName }: ts.SourceFile): readonly Edit[] {
    const type = /\.[cm]?tsx?$/.test(fileName) ? ': Partial<Record<string, () => string>>' : ''
    const last = statements.findLast(ts.isImportDeclaration)
    if (!last || this.#constants.size === 0) return []
    const end = text[last.end - 1] === ';' ? ';' : ''
    const lines = [...this.#constants].map(
      ([code, name]) => `\nconst ${name}${type} = ${code}${end}`,
    )
    return [{ start: last.end, end: last.end, text: `\n${lines.join('')}` }]
  }
}

/** Returns whether `??` must not stand at the place of a call without parentheses. */
const needsParentheses = ({ parent }: ts.CallExpression): boolean =>
  !(
    ts.isJsxExpression(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isArrowFunction(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isVariableDeclaration(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isTemplateSpan(parent)
  )

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
