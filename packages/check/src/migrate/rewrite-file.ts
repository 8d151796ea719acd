import { stringLiteral } from '@servicekit/catalog'
import { byCodePoint } from '@servicekit/core'
import { ts } from 'ts-morph'
import type { ReadFile } from '../usage/read-file.ts'
import type { OpenedFile } from '../usage/usage.ts'
import type { Component } from './component.ts'
import { type Edit, removals } from '../edit/edits.ts'
import { type ReplacedHook, findReplacedHooks, hookEdits, wholeLine } from './replaced-hooks.ts'
import { ImportNames } from './import-names.ts'
import { Lookups } from './lookups.ts'
import type { Chosen, Replacement } from './replacement.ts'
import type { TransElement } from './trans.ts'
import { elementEdits } from './translation-element.ts'
import type { LibrarySetup } from './language-sync.ts'
import { vueCallEdits } from './vue-call.ts'
import { memberEdits, readVueOptions, vueGlobals } from './vue-options.ts'

export interface FileSettings {
  /** Parsed component if the file is a Vue or Svelte component. */
  readonly component: Component | undefined
  /** `true` if the file may use string import names such as `{ 'any text' as name }`. */
  readonly takesStringNames: boolean
  /** Names of instance members in the application: `this.name`. */
  readonly memberNames: ReadonlySet<string>
  /** Statements after which the library and the messages are kept in the same language. */
  readonly setups: readonly LibrarySetup[]
  /** Returns the specifier with which the file imports what `~uilm/…` names. */
  readonly specifierFor: (specifier: string) => string
}

/** Returns the edits that replace the proven calls of a file by calls of typed messages. */
export function rewriteFile(
  { read, context, passed }: Pick<OpenedFile, 'read' | 'context' | 'passed'>,
  calls: readonly Replacement[],
  { component, takesStringNames, memberNames, setups, specifierFor }: FileSettings,
): readonly Edit[] {
  const { source } = read
  const edits: Edit[] = []
  const options = calls.some(({ isMethod }) => isMethod) ? readVueOptions(source) : undefined
  const names = new ImportNames(
    read,
    [
      ...(component ? [...component.names, ...vueGlobals] : []),
      ...(typeof options === 'object' ? [...memberNames, ...options.listed] : []),
    ],
    takesStringNames,
    { read: context.messageSpecifier, write: specifierFor },
  )
  const followed = new Set<ts.Node>()
  const lookups = new Lookups(names)
  const methods = new Set<string>()
  const components = new Set<string>()
  for (const replacement of calls) {
    const { from, impliedOptions, conversions, choices, lookup, vue, isMethod } = replacement
    const nameOf = ({ module, message }: Chosen): string => {
      const local = names.ofMessage(module.name, message)
      if (isMethod) methods.add(local)
      return local
    }
    edits.push(...conversions)
    if ('slots' in from) {
      const markup = names.of('~uilm/vue', 'Markup')
      if (isMethod) components.add(markup)
      edits.push(...elementEdits(from, nameOf(replacement), markup))
    } else if ('element' in from) {
      edits.push(...transEdits(source, from, nameOf(replacement)))
      if (from.follow) followed.add(from.follow)
    } else if (lookup) {
      const entries = [...lookup].map(([key, one]) => [key, nameOf(one)] as const)
      edits.push(...lookups.edits(source, from, entries))
    } else if (choices.length > 0) {
      const named = choices.map((one) => ({ ...one, local: nameOf(one) }))
      edits.push(...choiceEdits(source, from, named))
    } else if (vue) edits.push(...vueCallEdits(source, from, nameOf(replacement), vue))
    else edits.push(...callEdits(source, from, nameOf(replacement), impliedOptions))
  }
  if (typeof options === 'object') {
    edits.push(...memberEdits(source, options, 'methods', [...methods]))
    edits.push(...memberEdits(source, options, 'components', [...components]))
  }
  for (const { statement, instance, entry } of setups) {
    if (instance === undefined) continue
    const end = statement.getEnd()
    const semicolon = source.text[end - 1] === ';' ? ';' : ''
    const indent = /[ \t]*$/.exec(source.text.slice(0, statement.getStart(source)))![0]
    const text = `\n${indent}${names.of(entry, 'syncLanguage')}(${instance})${semicolon}`
    edits.push({ start: end, end, text })
  }
  const hooks = findReplacedHooks(read, context, calls, passed)
  // Hooks whose calls are replaced follow the language themselves.
  for (const { statement } of hooks) followed.delete(statement.parent)
  for (const body of followed) {
    const start = body.getStart(source) + 1
    edits.push({ start, end: start, text: `\n  ${names.of('~uilm/react', 'useLanguage')}()` })
  }
  edits.push(...hookEdits(source, hooks, followed, names))
  edits.push(...importEdits(read, names, goneNames(calls, hooks, component), component))
  edits.push(...lookups.declarations(source))
  return edits
}

/** Replaces `<Trans i18nKey="KEY" values={{ name }} />` by `{KEY({ name })}`. */
function transEdits(
  source: ts.SourceFile,
  { element, values, count, tags }: TransElement,
  local: string,
): readonly Edit[] {
  const { parent } = element
  const isChild = ts.isJsxElement(parent) || ts.isJsxFragment(parent)
  // Outside of children, an element may be required.
  const [open, close] = isChild ? ['{', '}'] : ['<>{', '}</>']
  const [start, end] = [element.getStart(source), element.getEnd()]
  const kept = values ?? count
  const functions = [...tags].map(([name, text]) => `${propertyName(name)}: ${text}`).join(', ')
  if (!kept) {
    const args = functions && `{ ${functions} }`
    return [{ start, end, text: `${open}${local}(${args})${close}` }]
  }
  const isShort = kept === count && ts.isIdentifier(kept) && kept.text === 'count'
  if (functions && values) {
    const { properties } = values
    const isOpen = properties.length === 0 || properties.hasTrailingComma === true
    return [
      { start, end: values.getStart(source), text: `${open}${local}(` },
      { start: properties.end, end, text: `${isOpen ? ' ' : ', '}${functions} })${close}` },
    ]
  }
  const [before, after] = values
    ? ['', '']
    : [isShort ? '{ ' : '{ count: ', functions ? `, ${functions} }` : ' }']
  return [
    { start, end: kept.getStart(source), text: `${open}${local}(${before}` },
    { start: kept.getEnd(), end, text: `${after})${close}` },
  ]
}

const propertyName = (name: string): string =>
  /^(?:[A-Za-z_$][\w$]*|\d+)$/.test(name) ? name : JSON.stringify(name)

/**
 * Replaces `t('KEY', {` by `KEY({`. The arguments stay because they may contain calls of
 * their own.
 */
function callEdits(
  source: ts.SourceFile,
  call: ts.CallExpression,
  local: string,
  impliedOptions: readonly ts.ObjectLiteralElementLike[],
): readonly Edit[] {
  const [, options] = call.arguments
  const start = call.getStart(source)
  const properties =
    options && ts.isObjectLiteralExpression(options) ? options.properties : undefined
  if (!options || properties?.every((one) => impliedOptions.includes(one))) {
    return [{ start, end: call.getEnd(), text: `${local}()` }]
  }
  const head = { start, end: options.getStart(source), text: `${local}(` }
  return [head, ...removals(source, properties ?? [], impliedOptions)]
}

/** Replaces `t(isNew ? 'ADD' : 'EDIT')` by `(isNew ? ADD : EDIT)()`. */
function choiceEdits(
  source: ts.SourceFile,
  call: ts.CallExpression,
  choices: readonly { readonly literal: ts.Node; readonly local: string }[],
): readonly Edit[] {
  const [key] = call.arguments
  return [
    { start: call.getStart(source), end: key!.getStart(source), text: '(' },
    ...choices.map(({ literal, local }) => ({
      start: literal.getStart(source),
      end: literal.getEnd(),
      text: local,
    })),
    { start: key!.getEnd(), end: call.getEnd(), text: ')()' },
  ]
}

/**
 * Returns the uses of imported names that disappear: those in removed hooks and in
 * replaced calls.
 */
function goneNames(
  calls: readonly Replacement[],
  hooks: readonly ReplacedHook[],
  component: Component | undefined,
): ReadonlySet<ts.Node> {
  const without = hooks.filter(({ isPlain, elements }) => isPlain && !elements)
  const gone = new Set<ts.Node>(without.map(({ call }) => call.expression))
  for (const { from } of calls) {
    if ('slots' in from) continue
    if ('element' in from) {
      gone.add(from.tagName)
      if (ts.isJsxElement(from.element)) gone.add(from.element.closingElement.tagName)
    } else if (!component) {
      const { expression: t } = from
      // `i18next.t(…)`, `i18n.global.t(…)`, `t(…)`
      gone.add(rootOf(t))
    }
  }
  return gone
}

const rootOf = (node: ts.Expression): ts.Expression =>
  ts.isPropertyAccessExpression(node) ? rootOf(node.expression) : node

function importEdits(
  { source, scopeOf }: ReadFile,
  names: ImportNames,
  gone: ReadonlySet<ts.Node>,
  component: Component | undefined,
): readonly Edit[] {
  const text = source.text
  const within = component?.importTarget
  const statements = source.statements
    .filter(ts.isImportDeclaration)
    .filter((one) => !within || (one.getStart(source) >= within.start && one.end <= within.end))
  const first = statements[0]?.getText(source) ?? ''
  const quote = first.includes('"') ? '"' : "'"
  const end = first === '' || first.endsWith(';') ? (first === '' ? '' : ';') : ''
  const lines = [...names.added]
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([specifier, added]) => {
      const list = [...added]
        .sort(([a], [b]) => byCodePoint(a, b))
        .map(([name, local]) => (name === local ? name : `${exportName(name, quote)} as ${local}`))
      const names = `{ ${list.join(', ')} }`
      const isLong = names.length > 80 && list.length > 1
      const shown = isLong ? `{\n${list.map((one) => `  ${one},\n`).join('')}}` : names
      return `import ${shown} from ${quote}${specifier}${quote}${end}`
    })
  const edits: Edit[] = []
  const last = statements.at(-1)
  const indent = last ? /[ \t]*$/.exec(text.slice(0, last.getStart(source)))![0] : ''
  for (const { statement, rest } of unusedImports(source, scopeOf, gone)) {
    const [start, stop] = [statement.getStart(source), statement.getEnd()]
    if (rest !== undefined) edits.push({ start, end: stop, text: rest })
    // The new imports replace the last import, or follow it.
    else if (statement === last && lines.length > 0) {
      edits.push({ start, end: stop, text: lines.join(`\n${indent}`) })
      lines.length = 0
    } else edits.push({ ...wholeLine(text, start, stop), text: '' })
  }
  if (lines.length === 0) return edits
  if (last) {
    const at = last.getEnd()
    edits.push({ start: at, end: at, text: `\n${indent}${lines.join(`\n${indent}`)}` })
  } else if (component && !within) {
    // The component has only a template.
    const at = text.length
    const block = `<script setup>\n${lines.join('\n')}\n</script>\n`
    edits.push({ start: at, end: at, text: text.endsWith('\n') ? `\n${block}` : `\n\n${block}` })
  } else if (within) {
    // After the `<script>` tag.
    const at = within.start
    edits.push({ start: at, end: at, text: `\n${lines.join('\n')}` })
  } else {
    edits.push({ start: afterHead(source), end: afterHead(source), text: `${lines.join('\n')}\n` })
  }
  return edits
}

/** Returns the name of an export, quoted if it is not an identifier. */
function exportName(name: string, quote: string): string {
  if (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) return name
  const literal = stringLiteral(name)
  if (quote === '"') return literal
  return `'${literal.slice(1, -1).replaceAll(/\\"|'/g, (one) => (one === "'" ? "\\'" : '"'))}'`
}

/** Returns the position after a shebang and directives such as 'use client'. */
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

interface UnusedImport {
  readonly statement: ts.ImportDeclaration
  readonly rest: string | undefined
}

/** Returns the imports with names that are no longer used, and their remaining text. */
function unusedImports(
  source: ts.SourceFile,
  scopeOf: ReadFile['scopeOf'],
  gone: ReadonlySet<ts.Node>,
): readonly UnusedImport[] {
  const left = new Set<string>()
  const went = new Set<string>()
  const instances = new Set<string>()
  const walk = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return
    if (ts.isIdentifier(node) && scopeOf(node).find(node.text)?.kind === 'import') {
      ;(gone.has(node) ? went : left).add(node.text)
      if (ts.isPropertyAccessExpression(node.parent)) instances.add(node.text)
    }
    ts.forEachChild(node, walk)
  }
  if (gone.size > 0) walk(source)
  const isGone = ({ text }: ts.Identifier): boolean => went.has(text) && !left.has(text)
  return source.statements.flatMap((statement): readonly UnusedImport[] => {
    if (!ts.isImportDeclaration(statement)) return []
    const { importClause: clause, moduleSpecifier } = statement
    const bindings = clause?.namedBindings
    const named = bindings && ts.isNamedImports(bindings) ? bindings.elements : []
    const others = named.filter(({ name }) => !isGone(name))
    const isDefaultGone = clause?.name !== undefined && isGone(clause.name)
    if (!isDefaultGone && others.length === named.length) return []
    const specifier = moduleSpecifier.getText(source)
    const parts = [
      ...(clause?.name && !isDefaultGone ? [clause.name.text] : []),
      ...(bindings && ts.isNamespaceImport(bindings) ? [bindings.getText(source)] : []),
      ...(others.length > 0 ? [`{ ${others.map((one) => one.getText(source)).join(', ')} }`] : []),
    ]
    const end = statement.getText(source).endsWith(';') ? ';' : ''
    if (parts.length > 0)
      return [{ statement, rest: `import ${parts.join(', ')} from ${specifier}${end}` }]
    // Keep the side effect of a file that configures i18next.
    const isSetUp =
      /^['"][./@~#]/.test(specifier) &&
      [...(clause?.name ? [clause.name] : []), ...named.map(({ name }) => name)].some(({ text }) =>
        instances.has(text),
      )
    return [{ statement, rest: isSetUp ? `import ${specifier}${end}` : undefined }]
  })
}
