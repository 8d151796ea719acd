import { ts } from 'ts-morph'
import type { ReadFile } from '../usage/read-file.ts'
import type { Context } from '../usage/value.ts'
import { valueOf } from '../usage/evaluate.ts'
import { type Edit, removals } from './edits.ts'
import type { ImportNames } from './import-names.ts'
import type { Replacement } from './replacement.ts'

/** `const { t } = useTranslation()` in which every use of `t` is replaced. */
export interface UnusedHook {
  readonly statement: ts.VariableStatement
  readonly call: ts.CallExpression
  /** Package of the hook, even if it is called through a function of the application. */
  readonly hookOf: string
  /** `true` if the call can be removed without losing anything. */
  readonly isPlain: boolean
  /** Unused elements of the destructuring pattern, if other elements are still used. */
  readonly elements: readonly ts.BindingElement[] | undefined
}

/** Finds the hooks whose results are no longer used, completely or in part. */
export function findUnusedHooks(
  { source, scopeOf }: ReadFile,
  context: Context,
  calls: readonly Replacement[],
): readonly UnusedHook[] {
  const replaced = new Map<ts.Node, string>()
  for (const { from, hookOf } of calls) {
    const t = 'element' in from ? from.t : from.expression
    if (t && hookOf !== undefined) replaced.set(t, hookOf)
  }
  const identifiers: ts.Identifier[] = []
  const statements: ts.VariableStatement[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) identifiers.push(node)
    if (ts.isVariableStatement(node)) statements.push(node)
    ts.forEachChild(node, walk)
  }
  if (replaced.size > 0) walk(source)
  /** Returns the package of a name if all its uses are replaced. */
  const packageIfUnused = (name: ts.BindingName): string | undefined => {
    if (!ts.isIdentifier(name)) return undefined
    const binding = scopeOf(name).find(name.text)
    const uses = identifiers
      .filter((one) => one !== name && one.text === name.text && isReference(one))
      .filter((one) => scopeOf(one).find(one.text) === binding)
      .map((one) => replaced.get(one) ?? replaced.get(one.parent))
    return uses.includes(undefined) ? undefined : uses[0]
  }
  return statements.flatMap((statement): UnusedHook[] => {
    const [declaration, ...more] = statement.declarationList.declarations
    const value = declaration?.initializer
    const call = value && ts.isAwaitExpression(value) ? value.expression : value
    if (more.length > 0 || !declaration || !call || !ts.isCallExpression(call)) return []
    const { name } = declaration
    const elements: readonly (ts.VariableDeclaration | ts.BindingElement)[] = ts.isIdentifier(name)
      ? [declaration]
      : [...name.elements].filter(ts.isBindingElement)
    const gone = elements.filter((one) => packageIfUnused(one.name) !== undefined)
    const [first] = gone
    if (!first) return []
    const isWhole = gone.length === elements.length
    if (!isWhole && !ts.isObjectBindingPattern(name)) return []
    const hook = valueOf(call.expression, context)
    return [
      {
        statement,
        call,
        hookOf: packageIfUnused(first.name)!,
        isPlain: hook?.kind === 'function' && hook.isPlain(0),
        elements: isWhole ? undefined : gone.filter(ts.isBindingElement),
      },
    ]
  })
}

/** Returns the edits that remove unused hooks or their unused elements. */
export function hookEdits(
  source: ts.SourceFile,
  hooks: readonly UnusedHook[],
  followed: Set<ts.Node>,
  names: ImportNames,
): readonly Edit[] {
  return hooks.flatMap(({ statement, call, hookOf, isPlain, elements }): readonly Edit[] => {
    if (elements) {
      const pattern = elements[0]!.parent as ts.ObjectBindingPattern
      return removals(source, pattern.elements, elements)
    }
    const [start, end] = [statement.getStart(source), statement.getEnd()]
    const semicolon = /;\s*$/.test(statement.getText(source)) ? ';' : ''
    const indent = /[ \t]*$/.exec(source.text.slice(0, start))![0]
    const isReact = /^(?:(?:react|next)-i18next|next-intl)$/.test(hookOf)
    const isKnown = isReact || hookOf === 'i18next-vue'
    const isAwaited = ts.isAwaitExpression(call.parent)
    const lines = isPlain && isKnown ? [] : [(isAwaited ? call.parent : call).getText(source)]
    // React components must still re-render when the language changes; Vue components do
    // so anyway.
    if (isReact && !isAwaited && !followed.has(statement.parent)) {
      followed.add(statement.parent)
      lines.push(`${names.of('~uilm/react', 'useLanguage')}()`)
    }
    if (lines.length === 0) return [{ ...wholeLine(source.text, start, end), text: '' }]
    const text = lines.map((line) => line + semicolon).join(`\n${indent}`)
    return [{ start, end, text }]
  })
}

/** Returns the range of a statement, extended to the whole line if it is alone on it. */
export function wholeLine(
  text: string,
  start: number,
  end: number,
): { start: number; end: number } {
  const before = /(?:^|\n)[ \t]*$/.exec(text.slice(0, start))?.[0].replace('\n', '')
  const after = /^[ \t]*(?:\n|$)/.exec(text.slice(end))?.[0]
  if (before === undefined || after === undefined) return { start, end }
  return { start: start - before.length, end: end + after.length }
}

/** Returns whether an identifier is a value and not a property name. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  return !(
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isBindingElement(parent) && parent.propertyName === node) ||
    (ts.isJsxAttribute(parent) && parent.name === node)
  )
}
