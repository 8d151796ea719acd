import { ts } from 'ts-morph'
import type { Binding } from '../usage/scopes.ts'
import type { ReadFile } from '../usage/read-file.ts'
import type { Edit } from './edits.ts'
import type { ProvenCall } from './provable.ts'

/** Edits that turn proven calls of a file into calls of typed messages. */
export function rewriteFile(read: ReadFile, calls: readonly ProvenCall[]): readonly Edit[] {
  const { source } = read
  const edits: Edit[] = []
  const names = new Names(read)
  for (const { call, module, message, ns } of calls) {
    const local = names.of(module.name, message.name)
    edits.push(...callEdits(source, call, local, ns))
  }
  const hooks = emptiedHooks(read, calls)
  for (const { statement } of hooks) {
    const end = /;\s*$/.test(statement.getText(source)) ? ';' : ''
    const [start, stop] = [statement.getStart(source), statement.getEnd()]
    // The component is still rendered again when the language changes.
    edits.push({ start, end: stop, text: `${names.of('react', 'useLanguage')}()${end}` })
  }
  edits.push(...importEdits(read, names, hooks))
  return edits
}

/** `t('KEY', {` becomes `KEY({`: what follows may hold calls of its own. */
function callEdits(
  source: ts.SourceFile,
  call: ts.CallExpression,
  local: string,
  ns: ts.ObjectLiteralElementLike | undefined,
): readonly Edit[] {
  const [, options] = call.arguments
  const start = call.getStart(source)
  const properties =
    options && ts.isObjectLiteralExpression(options) ? options.properties : undefined
  if (!options || properties?.every((one) => one === ns)) {
    return [{ start, end: call.getEnd(), text: `${local}()` }]
  }
  const head = { start, end: options.getStart(source), text: `${local}(` }
  if (!ns || !properties) return [head]
  const index = properties.indexOf(ns)
  const next = properties[index + 1]
  const previous = properties[index - 1]
  return [
    head,
    next
      ? { start: ns.getStart(source), end: next.getStart(source), text: '' }
      : { start: previous!.getEnd(), end: ns.getEnd(), text: '' },
  ]
}

/** Local names of what is imported, new to the file. */
class Names {
  /** Local name by module and name; of those that are imported already too. */
  readonly #locals = new Map<string, string>()
  readonly #taken = new Set<string>()
  /** What has to be imported: local name by name, by module. */
  readonly added = new Map<string, Map<string, string>>()

  constructor({ source, imports, scopeOf }: ReadFile) {
    const walk = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) this.#taken.add(node.text)
      ts.forEachChild(node, walk)
    }
    walk(source)
    const top = scopeOf(source)
    for (const { specifier, name } of imports) {
      if (!specifier.startsWith('~uilm/')) continue
      for (const [local, binding] of top.names) {
        if (binding.kind === 'import' && binding.specifier === specifier && binding.name === name) {
          this.#locals.set(`${specifier.slice('~uilm/'.length)}\n${name}`, local)
        }
      }
    }
  }

  of(module: string, name: string): string {
    const id = `${module}\n${name}`
    const known = this.#locals.get(id)
    if (known !== undefined) return known
    let local = name
    for (let count = 1; this.#taken.has(local); count++) {
      local = `${name}_TEXT${count === 1 ? '' : count}`
    }
    this.#taken.add(local)
    this.#locals.set(id, local)
    const added = this.added.get(module) ?? new Map<string, string>()
    this.added.set(module, added.set(name, local))
    return local
  }
}

interface EmptiedHook {
  readonly statement: ts.VariableStatement
  readonly hook: ts.Identifier
}

/** `const { t } = useTranslation()` whose every `t` is replaced. */
function emptiedHooks(read: ReadFile, calls: readonly ProvenCall[]): readonly EmptiedHook[] {
  const { source, scopeOf } = read
  const replaced = new Set<ts.Node>(calls.map(({ call }) => call.expression))
  const identifiers: ts.Identifier[] = []
  const statements: ts.VariableStatement[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) identifiers.push(node)
    if (ts.isVariableStatement(node)) statements.push(node)
    ts.forEachChild(node, walk)
  }
  walk(source)
  return statements.flatMap((statement): EmptiedHook[] => {
    const [declaration, ...more] = statement.declarationList.declarations
    const init = declaration?.initializer
    if (more.length > 0 || !declaration || !init || !ts.isCallExpression(init)) return []
    const { expression: hook } = init
    if (!ts.isIdentifier(hook) || hook.text !== 'useTranslation') return []
    const binding = scopeOf(hook).find(hook.text)
    if (binding?.kind !== 'import' || binding.specifier !== 'react-i18next') return []
    if (!ts.isObjectBindingPattern(declaration.name)) return []
    const [element, ...others] = declaration.name.elements
    if (others.length > 0 || !element || !ts.isIdentifier(element.name)) return []
    if ((element.propertyName ?? element.name).getText(source) !== 't') return []
    const local: Binding | undefined = scopeOf(declaration).find(element.name.text)
    const isLeft = identifiers.some(
      (one) =>
        one !== element.name &&
        one.text === (element.name as ts.Identifier).text &&
        !replaced.has(one) &&
        isReference(one) &&
        scopeOf(one).find(one.text) === local,
    )
    return isLeft ? [] : [{ statement, hook }]
  })
}

/** Whether an identifier is a value, not the name of a property. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  return !(
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isBindingElement(parent) && parent.propertyName === node) ||
    (ts.isJsxAttribute(parent) && parent.name === node)
  )
}

function importEdits(
  { source, scopeOf }: ReadFile,
  names: Names,
  hooks: readonly EmptiedHook[],
): readonly Edit[] {
  const text = source.text
  const statements = source.statements.filter(ts.isImportDeclaration)
  const first = statements[0]?.getText(source) ?? ''
  const quote = first.includes('"') ? '"' : "'"
  const end = first === '' || first.endsWith(';') ? (first === '' ? '' : ';') : ''
  const lines = [...names.added]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([module, added]) => {
      const list = [...added]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, local]) => (name === local ? name : `${name} as ${local}`))
      return `import { ${list.join(', ')} } from ${quote}~uilm/${module}${quote}${end}`
    })
  const edits: Edit[] = []
  const removed = emptiedImport(source, scopeOf, hooks)
  const last = statements.at(-1)
  if (removed) {
    // The new imports take the place of the one that goes, or follow the last.
    const own = removed.statement
    const goes = removed.rest === undefined
    if (goes && own === last) {
      return [{ start: own.getStart(source), end: own.getEnd(), text: lines.join('\n') }]
    }
    const stop = goes && text[own.getEnd()] === '\n' ? own.getEnd() + 1 : own.getEnd()
    edits.push({ start: own.getStart(source), end: stop, text: removed.rest ?? '' })
  }
  if (lines.length === 0) return edits
  if (last) edits.push({ start: last.getEnd(), end: last.getEnd(), text: `\n${lines.join('\n')}` })
  else
    edits.push({ start: afterHead(source), end: afterHead(source), text: `${lines.join('\n')}\n` })
  return edits
}

/** Behind a shebang and directives such as 'use client'. */
function afterHead(source: ts.SourceFile): number {
  const directive = source.statements.findLast(
    (one, index) =>
      ts.isExpressionStatement(one) &&
      ts.isStringLiteral(one.expression) &&
      source.statements.slice(0, index).every(ts.isExpressionStatement),
  )
  const shebang = /^#!.*\n/.exec(source.text)?.[0].length ?? 0
  if (!directive) return shebang
  const end = source.text.indexOf('\n', directive.getEnd())
  return end < 0 ? source.text.length : end + 1
}

/** The import of `useTranslation`, where nothing of the file calls it any more. */
function emptiedImport(
  source: ts.SourceFile,
  scopeOf: ReadFile['scopeOf'],
  hooks: readonly EmptiedHook[],
): { readonly statement: ts.ImportDeclaration; readonly rest: string | undefined } | undefined {
  if (hooks.length === 0) return undefined
  const gone = new Set<ts.Node>(hooks.map(({ hook }) => hook))
  let uses = 0
  const walk = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return
    if (ts.isIdentifier(node) && node.text === 'useTranslation' && !gone.has(node)) {
      if (scopeOf(node).find(node.text)?.kind === 'import') uses++
    }
    ts.forEachChild(node, walk)
  }
  walk(source)
  if (uses > 0) return undefined
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement)) continue
    const bindings = statement.importClause?.namedBindings
    if (!bindings || !ts.isNamedImports(bindings)) continue
    const element = bindings.elements.find(({ name }) => name.text === 'useTranslation')
    if (!element) continue
    const others = bindings.elements.filter((one) => one !== element)
    if (others.length === 0 && !statement.importClause?.name) return { statement, rest: undefined }
    const whole = statement.getText(source)
    const list = others.map((one) => one.getText(source)).join(', ')
    return { statement, rest: whole.replace(bindings.getText(source), `{ ${list} }`) }
  }
  return undefined
}
