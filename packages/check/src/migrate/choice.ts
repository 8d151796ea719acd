import { ts } from 'ts-morph'
import { exactly } from '../usage/possible-strings.ts'
import type { ResolvedReference } from '../usage/usage.ts'
import type { ProjectInfo, Replacement } from './replacement.ts'

/**
 * Returns the replacement of a call that chooses between keys without arguments: a conditional
 * expression, or a lookup by a computed key. Otherwise returns the reason why there is none.
 *
 * @param findReplacement Finds the replacement for one of the keys.
 */
export function findChoice(
  found: ResolvedReference,
  projectInfo: ProjectInfo,
  findReplacement: (found: ResolvedReference, projectInfo: ProjectInfo) => Replacement | string,
): Replacement | string {
  const { reference, messages } = found
  const { call } = reference
  const keys = [...reference.strings.exact]
  const isOnly = call?.arguments.length === 1 && !ts.isArrayLiteralExpression(call.arguments[0]!)
  const literals = isOnly ? literalsIn(call.arguments[0]!) : undefined
  // A constant beside the imports, which templates do not see.
  const isLookup = isOnly && !literals && !projectInfo.component && hasImports(found.read.source)
  if (!(literals || isLookup) || messages.length !== keys.length) {
    return 'it may use one of several keys'
  }
  const byKey = new Map<string, Replacement>()
  for (const [index, key] of keys.entries()) {
    const one = { ...reference, strings: exactly(key) }
    const result = findReplacement(
      { ...found, reference: one, messages: [messages[index]!] },
      projectInfo,
    )
    if (typeof result === 'string') return result
    byKey.set(key, result)
  }
  const first = byKey.get(keys[0]!)!
  if (!literals) {
    const [node] = call!.arguments
    const { source } = found.read
    const range = { start: node!.getStart(source), end: node!.getEnd() }
    const isOther = projectInfo.types.conversionOf(found.path, range, 'value') !== undefined
    return isOther ? 'the key may be none' : { ...first, lookup: byKey }
  }
  const choices = literals.map((literal) => {
    const { module, message } = byKey.get(literal.text)!
    return { literal, module, message }
  })
  return { ...first, choices }
}

const hasImports = ({ statements }: ts.SourceFile): boolean =>
  statements.some(ts.isImportDeclaration)

/** Returns the literals of a conditional expression; undefined if it has other parts. */
function literalsIn(node: ts.Expression): readonly ts.StringLiteralLike[] | undefined {
  if (ts.isParenthesizedExpression(node)) return literalsIn(node.expression)
  if (ts.isStringLiteralLike(node)) return [node]
  if (!ts.isConditionalExpression(node)) return undefined
  const [first, second] = [literalsIn(node.whenTrue), literalsIn(node.whenFalse)]
  return first && second && [...first, ...second]
}
