import { hasStringName, identifierOf, specifierOf, stringLiteral } from '@servicekit/catalog'
import { ts } from 'ts-morph'
import type { Edit } from '../edit/edits.ts'
import type { ReadFile } from '../usage/read-file.ts'
import type { ResolvedReference } from '../usage/usage.ts'

/** Rename of a message in code. */
export interface MessageRename {
  readonly module: string
  readonly from: string
  readonly to: string
}

/** Use that may be of the message, and that no edit renames. */
interface Unrenamed {
  readonly node: ts.Node
  readonly reason: string
}

export interface FileEdits {
  readonly edits: readonly Edit[]
  readonly unrenamed: readonly Unrenamed[]
}

/**
 * Returns the edits that rename a message in a file. An import keeps its local name if that is an
 * alias, or if the new name is taken.
 *
 * @param keepsLocals The local name of an import stays, because not all its uses are known.
 */
export function renameEdits(
  read: ReadFile,
  messageSpecifier: (specifier: string) => string | undefined,
  references: readonly ResolvedReference['reference'][],
  rename: MessageRename,
  keepsLocals: boolean,
): FileEdits {
  const { source, scopeOf } = read
  const isSpecifier = (text: string): boolean => {
    const specifier = messageSpecifier(text)
    return specifier === specifierOf(rename.module) || specifier === `~uilm/${rename.module}`
  }
  const isOf = (specifier: ts.Expression): boolean =>
    ts.isStringLiteral(specifier) && isSpecifier(specifier.text)
  const edits: Edit[] = []
  const unrenamed: Unrenamed[] = []
  const replace = (node: ts.Node, text: string): void =>
    void edits.push({ start: node.getStart(source), end: node.getEnd(), text })
  const isOld = (text: string): boolean =>
    text === rename.from || text === identifierOf(rename.from)
  const quoteOf = (node: ts.Node): string => node.getText(source)[0]!
  const taken = identifiersIn(source)
  const local = identifierOf(rename.to)
  const renamedLocals = new Set<string>()

  const visitNames = (
    elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[],
    isImport: boolean,
  ): void => {
    for (const element of elements) {
      const imported = element.propertyName ?? element.name
      if (element.isTypeOnly || !isOld(imported.text)) continue
      const isAlias = element.propertyName !== undefined
      const canRename = isImport && !isAlias && !keepsLocals && !taken.has(local)
      const name = exportedName(rename.to, ts.isStringLiteral(imported) ? quoteOf(imported) : "'")
      if (isAlias) replace(imported, name)
      else if (canRename && name === local) {
        replace(element, local)
        renamedLocals.add(element.name.text)
      } else replace(element, `${name} as ${element.name.getText(source)}`)
    }
  }

  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement) && isOf(statement.moduleSpecifier)) {
      const bindings = statement.importClause?.namedBindings
      if (bindings && ts.isNamedImports(bindings)) visitNames(bindings.elements, true)
    }
    if (
      ts.isExportDeclaration(statement) &&
      statement.moduleSpecifier &&
      isOf(statement.moduleSpecifier) &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    ) {
      visitNames(statement.exportClause.elements, false)
    }
  }

  const renameLocals = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return
    if (ts.isIdentifier(node) && renamedLocals.has(node.text) && isLocalUse(node)) {
      const binding = scopeOf(node).find(node.text)
      if (binding?.kind === 'import' && isSpecifier(binding.specifier)) {
        if (ts.isShorthandPropertyAssignment(node.parent)) replace(node, `${node.text}: ${local}`)
        else if (ts.isExportSpecifier(node.parent) && !node.parent.propertyName) {
          replace(node, `${local} as ${node.text}`)
        } else replace(node, local)
      }
    }
    ts.forEachChild(node, renameLocals)
  }
  if (renamedLocals.size > 0) renameLocals(source)

  for (const reference of references) {
    const { node, strings } = reference
    if (reference.by === 'i18next') {
      const literal = keyLiteral(node, rename, reference.prefix)
      const key = literal && newKey(literal.text, rename, reference.prefix)
      if (literal && key !== undefined) replace(literal, quoted(key, quoteOf(literal)))
      else unrenamed.push({ node, reason: 'the key is not written as a literal' })
    } else if (ts.isPropertyAccessExpression(node) && isOld(node.name.text)) {
      const isName = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(local)
      if (isName) replace(node.name, local)
    } else if (ts.isElementAccessExpression(node)) {
      const argument = node.argumentExpression
      if (ts.isStringLiteralLike(argument) && isOld(argument.text)) {
        replace(argument, quoted(hasStringName(rename.to) ? rename.to : local, quoteOf(argument)))
      } else if (!strings.any) unrenamed.push({ node, reason: 'the name is computed' })
    } else if (ts.isBindingElement(node)) {
      const key = node.propertyName ?? node.name
      if (ts.isIdentifier(key) && isOld(key.text)) {
        replace(key, node.propertyName ? local : `${local}: ${key.text}`)
      } else if (ts.isStringLiteral(key) && isOld(key.text)) {
        replace(key, quoted(rename.to, quoteOf(key)))
      }
    }
  }
  return { edits: once(edits), unrenamed }
}

/** Returns whether an identifier is a use of a variable, and not the name of a property. */
function isLocalUse(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name !== node
  if (ts.isQualifiedName(parent)) return parent.right !== node
  if (ts.isPropertyAssignment(parent) || ts.isJsxAttribute(parent)) return parent.name !== node
  if (ts.isBindingElement(parent)) return parent.propertyName !== node
  if (ts.isExportSpecifier(parent)) return (parent.propertyName ?? parent.name) === node
  return !(
    ts.isMethodDeclaration(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isEnumMember(parent)
  )
}

/** Returns the literal of `t('KEY')`, `t('module:KEY')` or `i18nKey="KEY"` that is the key. */
function keyLiteral(
  node: ts.Node,
  { module, from }: MessageRename,
  prefix: string,
): ts.StringLiteralLike | undefined {
  const literal = ts.isCallExpression(node) ? node.arguments[0] : i18nKeyOf(node)
  if (!literal || !ts.isStringLiteralLike(literal)) return undefined
  const { text } = literal
  return prefix + text === from || text === `${module}:${from}` ? literal : undefined
}

function i18nKeyOf(node: ts.Node): ts.Node | undefined {
  if (!ts.isJsxOpeningElement(node) && !ts.isJsxSelfClosingElement(node)) return undefined
  const attribute = node.attributes.properties.find(
    (one) => ts.isJsxAttribute(one) && ts.isIdentifier(one.name) && one.name.text === 'i18nKey',
  )
  return attribute && ts.isJsxAttribute(attribute) ? attribute.initializer : undefined
}

/** Returns the literal of the new key; undefined if it does not have the prefix of `t`. */
function newKey(
  text: string,
  { module, from, to }: MessageRename,
  prefix: string,
): string | undefined {
  if (text === `${module}:${from}`) return `${module}:${to}`
  return to.startsWith(prefix) ? to.slice(prefix.length) : undefined
}

/** Returns the name of a message in an import list, quoted if it is not an identifier. */
const exportedName = (key: string, quote: string): string =>
  identifierOf(key) === key || !hasStringName(key) ? identifierOf(key) : quoted(key, quote)

function quoted(text: string, quote: string): string {
  if (quote === '"') return stringLiteral(text)
  const inner = stringLiteral(text).slice(1, -1).replaceAll('\\"', '"')
  return `${quote}${inner.replaceAll(quote, `\\${quote}`)}${quote}`
}

function identifiersIn(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>()
  const walk = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text)
    ts.forEachChild(node, walk)
  }
  walk(source)
  return names
}

const once = (edits: readonly Edit[]): readonly Edit[] => [
  ...new Map(edits.map((edit) => [`${edit.start}-${edit.end}`, edit])).values(),
]
