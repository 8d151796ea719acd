import { ts } from 'ts-morph'
import type { ReadFile } from '../usage/read-file.ts'
import type { Context } from '../usage/value.ts'
import { valueOf } from '../usage/evaluate.ts'
import { vuePackage } from '../usage/hooks.ts'
import { type Edit, removals } from '../edit/edits.ts'
import type { ImportNames } from './import-names.ts'
import type { Replacement } from './replacement.ts'

/** `const { t } = useTranslation()` in which uses of `t` are replaced. */
export interface ReplacedHook {
  readonly statement: ts.VariableStatement
  readonly call: ts.CallExpression
  /** Package of the hook, even if it is called through a function of the application. */
  readonly hookOf: string
  /** `true` if the call can be removed without losing anything. */
  readonly isPlain: boolean
  /** Unused elements of the destructuring pattern, if the hook is still used. */
  readonly elements: readonly ts.BindingElement[] | undefined
  /** Uses of `t` as a dependency: `useMemo(() => t('KEY'), [t])`. */
  readonly dependencies: readonly Dependency[]
}

interface Dependency {
  readonly node: ts.Identifier
  /** `true` if the function that depends on it does not use it any more. */
  readonly isGone: boolean
}

/** Finds the hooks whose results are used less than before. */
export function findReplacedHooks(
  { source, scopeOf }: ReadFile,
  context: Context,
  calls: readonly Replacement[],
  passed: ReadonlyMap<ts.Node, string>,
): readonly ReplacedHook[] {
  const replaced = new Map<ts.Node, string>()
  for (const { from, hookOf } of calls) {
    if ('slots' in from) continue
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
  if (replaced.size > 0 || passed.size > 0) walk(source)
  const usesOf = (name: ts.BindingName): readonly ts.Identifier[] => {
    if (!ts.isIdentifier(name)) return []
    const binding = scopeOf(name).find(name.text)
    return identifiers
      .filter((one) => one !== name && one.text === name.text && isReference(one))
      .filter((one) => scopeOf(one).find(one.text) === binding)
  }
  const packageOf = (use: ts.Identifier): string | undefined =>
    replaced.get(use) ?? replaced.get(use.parent)
  /** Returns the dependencies whose functions show messages. */
  const dependenciesOf = (uses: readonly ts.Identifier[]): readonly Dependency[] =>
    uses.flatMap((node): Dependency[] => {
      const callback = callbackOf(node)
      if (!callback) return []
      const inside = uses.filter((one) => one.pos >= callback.pos && one.end <= callback.end)
      const isShown = inside.some((one) => packageOf(one) !== undefined || passed.has(one))
      const isGone = inside.every((one) => packageOf(one) !== undefined)
      return isShown ? [{ node, isGone }] : []
    })
  return statements.flatMap((statement): ReplacedHook[] => {
    const [declaration, ...more] = statement.declarationList.declarations
    const value = declaration?.initializer
    const call = value && ts.isAwaitExpression(value) ? value.expression : value
    if (more.length > 0 || !declaration || !call || !ts.isCallExpression(call)) return []
    const { name } = declaration
    const elements: readonly (ts.VariableDeclaration | ts.BindingElement)[] = ts.isIdentifier(name)
      ? [declaration]
      : [...name.elements].filter(ts.isBindingElement)
    const uses = new Map(elements.map((one) => [one, usesOf(one.name)]))
    const all = [...uses.values()].flat()
    const hookOf = all.map((one) => packageOf(one) ?? passed.get(one)).find(isDefined)
    if (hookOf === undefined) return []
    const dependencies = isReactPackage(hookOf) ? dependenciesOf(all) : []
    const goneNodes = new Set(dependencies.flatMap(({ node, isGone }) => (isGone ? [node] : [])))
    const gone = elements.filter((one) => {
      const own = uses.get(one)!
      return (
        own.length > 0 && own.every((use) => goneNodes.has(use) || packageOf(use) !== undefined)
      )
    })
    const isWhole = gone.length === elements.length
    const hook = valueOf(call.expression, context)
    return [
      {
        statement,
        call,
        hookOf,
        isPlain: hook?.kind === 'function' && hook.isPlain(0),
        // The elements of `[t, i18n]` keep their positions.
        elements: isWhole
          ? undefined
          : gone.filter(
              (one): one is ts.BindingElement =>
                ts.isBindingElement(one) && ts.isObjectBindingPattern(one.parent),
            ),
        dependencies,
      },
    ]
  })
}

/** Returns the function of a hook of React that has a name among its dependencies. */
function callbackOf({ parent }: ts.Identifier): ts.Expression | undefined {
  const call = ts.isArrayLiteralExpression(parent) ? parent.parent : undefined
  if (!call || !ts.isCallExpression(call) || call.arguments.at(-1) !== parent) return undefined
  const [callback] = call.arguments
  const name = ts.isPropertyAccessExpression(call.expression)
    ? call.expression.name
    : call.expression
  const isHook = ts.isIdentifier(name) && /^use\p{Lu}/u.test(name.text)
  return isHook && callback && ts.isFunctionLike(callback) ? callback : undefined
}

const isDefined = (name: string | undefined): name is string => name !== undefined

const isReactPackage = (hookOf: string): boolean =>
  /^(?:(?:react|next)-i18next|next-intl)$/.test(hookOf)

/** Returns the edits that remove unused hooks or their unused elements. */
export function hookEdits(
  source: ts.SourceFile,
  hooks: readonly ReplacedHook[],
  followed: Set<ts.Node>,
  names: ImportNames,
): readonly Edit[] {
  /** Names of the dependency that changes with the messages, by body. */
  const translators = new Map<ts.Node, string>()
  for (const { statement, dependencies } of hooks) {
    const { parent } = statement
    if (dependencies.length === 0 || translators.has(parent)) continue
    translators.set(parent, names.local('translate'))
  }
  return hooks.flatMap((hook): readonly Edit[] => {
    const { statement, call, hookOf, isPlain, elements, dependencies } = hook
    const { parent } = statement
    const [start, end] = [statement.getStart(source), statement.getEnd()]
    const semicolon = /;\s*$/.test(statement.getText(source)) ? ';' : ''
    const indent = /[ \t]*$/.exec(source.text.slice(0, start))![0]
    const isReact = isReactPackage(hookOf)
    const isKnown = isReact || hookOf === 'i18next-vue' || hookOf === vuePackage
    const isAwaited = ts.isAwaitExpression(call.parent)
    const translate = translators.get(parent)
    // React components must still render again when the language changes, also those that follow
    // the other library, which changes it earlier. Vue components do so anyway.
    const isFollowing = isReact && !isAwaited && !followed.has(parent)
    if (isFollowing) followed.add(parent)
    const own = (): readonly string[] => {
      if (translate !== undefined) {
        return [`const ${translate} = ${names.of('~uilm/react', 'useTranslate')}()`]
      }
      return hasHook(parent) ? [] : [`${names.of('~uilm/react', 'useLanguage')}()`]
    }
    const added = isFollowing ? own() : []
    const edits = dependencies.map(({ node, isGone }): Edit => {
      const at = isGone ? node.getStart(source) : node.getEnd()
      return { start: at, end: node.getEnd(), text: isGone ? translate! : `, ${translate}` }
    })
    if (elements) {
      const [first] = elements
      const pattern = first && (first.parent as ts.ObjectBindingPattern)
      const text = added.map((line) => `\n${indent}${line}${semicolon}`).join('')
      return [
        ...edits,
        ...(pattern ? removals(source, pattern.elements, elements) : []),
        ...(text === '' ? [] : [{ start: end, end, text }]),
      ]
    }
    const kept = isPlain && isKnown ? [] : [(isAwaited ? call.parent : call).getText(source)]
    const lines = [...kept, ...added]
    if (lines.length === 0) return [...edits, { ...wholeLine(source.text, start, end), text: '' }]
    const text = lines.map((line) => line + semicolon).join(`\n${indent}`)
    return [...edits, { start, end, text }]
  })
}

/** Returns whether a component already renders again after a change of the language. */
const hasHook = (body: ts.Node): boolean =>
  (ts.isBlock(body) || ts.isSourceFile(body)) &&
  body.statements.some(
    (one) => /\buse(?:Language|Translate)\(/.test(one.getText()) && !ts.isFunctionLike(one),
  )

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
