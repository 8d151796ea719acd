import { ts } from 'ts-morph'
import { specifierOf } from '../names.ts'
import type { Binding } from '../usage/scopes.ts'
import type { ReadFile } from '../usage/read-file.ts'
import type { Edit } from './edits.ts'
import type { Component } from './component.ts'
import type { ProvenCall } from './provable.ts'
import type { TransElement } from './trans.ts'

/** Edits that turn proven calls of a file into calls of typed messages. */
export function rewriteFile(
  read: ReadFile,
  calls: readonly ProvenCall[],
  component: Component | undefined,
): readonly Edit[] {
  const { source } = read
  const edits: Edit[] = []
  const names = new Names(read, component?.names ?? [])
  const followed = new Set<ts.Block>()
  for (const { from, module, message, said } of calls) {
    const local = names.of(specifierOf(module.name), message.name)
    if (!('element' in from)) edits.push(...callEdits(source, from, local, said))
    else {
      edits.push(...transEdits(source, from, local))
      if (from.follow) followed.add(from.follow)
    }
  }
  const hooks = emptiedHooks(read, calls)
  for (const { statement, isReact } of hooks) {
    const [start, stop] = [statement.getStart(source), statement.getEnd()]
    const end = /;\s*$/.test(statement.getText(source)) ? ';' : ''
    // The component is still rendered again when the language changes; those of Vue are anyway.
    if (isReact)
      edits.push({ start, end: stop, text: `${names.of('~uilm/react', 'useLanguage')}()${end}` })
    else edits.push({ ...wholeLine(source.text, start, stop), text: '' })
  }
  for (const body of followed) {
    const start = body.getStart(source) + 1
    edits.push({ start, end: start, text: `\n  ${names.of('~uilm/react', 'useLanguage')}()` })
  }
  edits.push(...importEdits(read, names, goneNames(calls, hooks), component))
  return edits
}

/** A statement with the line that it is alone on. */
function wholeLine(text: string, start: number, end: number): { start: number; end: number } {
  const before = /(?:^|\n)[ \t]*$/.exec(text.slice(0, start))?.[0].replace('\n', '')
  const after = /^[ \t]*(?:\n|$)/.exec(text.slice(end))?.[0]
  if (before === undefined || after === undefined) return { start, end }
  return { start: start - before.length, end: end + after.length }
}

/** `<Trans i18nKey="KEY" values={{ name }} />` becomes `{KEY({ name })}`. */
function transEdits(
  source: ts.SourceFile,
  { element, values, count }: TransElement,
  local: string,
): readonly Edit[] {
  const { parent } = element
  const isChild = ts.isJsxElement(parent) || ts.isJsxFragment(parent)
  // What is no child may have to be an element.
  const [open, close] = isChild ? ['{', '}'] : ['<>{', '}</>']
  const [start, end] = [element.getStart(source), element.getEnd()]
  const kept = values ?? count
  if (!kept) return [{ start, end, text: `${open}${local}()${close}` }]
  const isShort = kept === count && ts.isIdentifier(kept) && kept.text === 'count'
  const [before, after] = values ? ['', ''] : [isShort ? '{ ' : '{ count: ', ' }']
  return [
    { start, end: kept.getStart(source), text: `${open}${local}(${before}` },
    { start: kept.getEnd(), end, text: `${after})${close}` },
  ]
}

/** `t('KEY', {` becomes `KEY({`: what follows may hold calls of its own. */
function callEdits(
  source: ts.SourceFile,
  call: ts.CallExpression,
  local: string,
  said: readonly ts.ObjectLiteralElementLike[],
): readonly Edit[] {
  const [, options] = call.arguments
  const start = call.getStart(source)
  const properties =
    options && ts.isObjectLiteralExpression(options) ? options.properties : undefined
  if (!options || properties?.every((one) => said.includes(one))) {
    return [{ start, end: call.getEnd(), text: `${local}()` }]
  }
  const head = { start, end: options.getStart(source), text: `${local}(` }
  const edits = [head]
  properties?.forEach((property, index) => {
    if (!said.includes(property)) return
    const next = properties[index + 1]
    const isAtEnd = properties.slice(index).every((one) => said.includes(one))
    // A comma goes with it: the one after, and at the end the one before.
    if (!isAtEnd) {
      edits.push({ start: property.getStart(source), end: next!.getStart(source), text: '' })
    } else if (!said.includes(properties[index - 1]!)) {
      const last = properties.at(-1)!
      edits.push({ start: properties[index - 1]!.getEnd(), end: last.getEnd(), text: '' })
    }
  })
  return edits
}

/** Local names of what is imported, new to the file. */
class Names {
  /** Local name by module and name; of those that are imported already too. */
  readonly #locals = new Map<string, string>()
  readonly #taken = new Set<string>()
  /** What has to be imported: local name by name, by module. */
  readonly added = new Map<string, Map<string, string>>()

  constructor({ source, imports, scopeOf }: ReadFile, others: Iterable<string>) {
    for (const name of others) this.#taken.add(name)
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
          this.#locals.set(`${specifier}\n${name}`, local)
        }
      }
    }
  }

  of(specifier: string, name: string): string {
    const id = `${specifier}\n${name}`
    const known = this.#locals.get(id)
    if (known !== undefined) return known
    let local = name
    for (let count = 1; this.#taken.has(local); count++) {
      local = `${name}_TEXT${count === 1 ? '' : count}`
    }
    this.#taken.add(local)
    this.#locals.set(id, local)
    const added = this.added.get(specifier) ?? new Map<string, string>()
    this.added.set(specifier, added.set(name, local))
    return local
  }
}

interface EmptiedHook {
  readonly statement: ts.VariableStatement
  readonly hook: ts.Identifier
  readonly isReact: boolean
}

/** `const { t } = useTranslation()` whose every `t` is replaced. */
function emptiedHooks(read: ReadFile, calls: readonly ProvenCall[]): readonly EmptiedHook[] {
  const { source, scopeOf } = read
  const replaced = new Set<ts.Node | undefined>(
    calls.map(({ from }) => ('element' in from ? from.t : from.expression)),
  )
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
    if (binding?.kind !== 'import' || !/^(?:react-i18next|i18next-vue)$/.test(binding.specifier)) {
      return []
    }
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
    return isLeft ? [] : [{ statement, hook, isReact: binding.specifier === 'react-i18next' }]
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

/** Uses of imported names that go: of hooks that nothing needs, and of elements that became calls. */
const goneNames = (
  calls: readonly ProvenCall[],
  hooks: readonly EmptiedHook[],
): ReadonlySet<ts.Node> => {
  const gone = new Set<ts.Node>(hooks.map(({ hook }) => hook))
  for (const { from } of calls) {
    if (!('element' in from)) continue
    gone.add(from.tagName)
    if (ts.isJsxElement(from.element)) gone.add(from.element.closingElement.tagName)
  }
  return gone
}

function importEdits(
  { source, scopeOf }: ReadFile,
  names: Names,
  gone: ReadonlySet<ts.Node>,
  component: Component | undefined,
): readonly Edit[] {
  const text = source.text
  const within = component?.importsGo
  const statements = source.statements
    .filter(ts.isImportDeclaration)
    .filter((one) => !within || (one.getStart(source) >= within.start && one.end <= within.end))
  const first = statements[0]?.getText(source) ?? ''
  const quote = first.includes('"') ? '"' : "'"
  const end = first === '' || first.endsWith(';') ? (first === '' ? '' : ';') : ''
  const lines = [...names.added]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([specifier, added]) => {
      const list = [...added]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, local]) => (name === local ? name : `${name} as ${local}`))
      return `import { ${list.join(', ')} } from ${quote}${specifier}${quote}${end}`
    })
  const edits: Edit[] = []
  const last = statements.at(-1)
  const indent = last ? /[ \t]*$/.exec(text.slice(0, last.getStart(source)))![0] : ''
  for (const { statement, rest } of emptiedImports(source, scopeOf, gone)) {
    const [start, stop] = [statement.getStart(source), statement.getEnd()]
    if (rest !== undefined) edits.push({ start, end: stop, text: rest })
    // The new imports take the place of the last one, or follow it.
    else if (statement === last && lines.length > 0) {
      edits.push({ start, end: stop, text: lines.join(`\n${indent}`) })
      lines.length = 0
    } else edits.push({ ...wholeLine(text, start, stop), text: '' })
  }
  if (lines.length === 0) return edits
  if (last) {
    const at = last.getEnd()
    edits.push({ start: at, end: at, text: `\n${indent}${lines.join(`\n${indent}`)}` })
  } else if (within) {
    // Behind the line of `<script>`.
    const at = within.start
    edits.push({ start: at, end: at, text: `\n${lines.join('\n')}` })
  } else {
    edits.push({ start: afterHead(source), end: afterHead(source), text: `${lines.join('\n')}\n` })
  }
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

interface EmptiedImport {
  readonly statement: ts.ImportDeclaration
  readonly rest: string | undefined
}

/** Imports of which names are used by nothing any more, with what is left of them. */
function emptiedImports(
  source: ts.SourceFile,
  scopeOf: ReadFile['scopeOf'],
  gone: ReadonlySet<ts.Node>,
): readonly EmptiedImport[] {
  const left = new Set<string>()
  const went = new Set<string>()
  const walk = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return
    if (ts.isIdentifier(node) && scopeOf(node).find(node.text)?.kind === 'import') {
      ;(gone.has(node) ? went : left).add(node.text)
    }
    ts.forEachChild(node, walk)
  }
  if (gone.size > 0) walk(source)
  return source.statements.flatMap((statement): readonly EmptiedImport[] => {
    if (!ts.isImportDeclaration(statement)) return []
    const bindings = statement.importClause?.namedBindings
    if (!bindings || !ts.isNamedImports(bindings)) return []
    const others = bindings.elements.filter(
      ({ name }) => !went.has(name.text) || left.has(name.text),
    )
    if (others.length === bindings.elements.length) return []
    if (others.length === 0 && !statement.importClause?.name)
      return [{ statement, rest: undefined }]
    const whole = statement.getText(source)
    const list = others.map((one) => one.getText(source)).join(', ')
    return [{ statement, rest: whole.replace(bindings.getText(source), `{ ${list} }`) }]
  })
}
