import { parse, type ParserPlugin } from '@babel/parser'
import type {
  CallExpression,
  Declaration,
  Expression,
  File,
  Node,
  ObjectExpression,
} from '@babel/types'

/** Parses a module; undefined if it has syntax errors. */
export function parseModule(path: string, text: string): File | undefined {
  const plugins: ParserPlugin[] = [
    ...(/\.[cm]?ts$|\.tsx$/.test(path) ? (['typescript', 'decorators'] as const) : []),
    ...(/\.[jt]sx$|\.js$/.test(path) ? (['jsx'] as const) : []),
  ]
  try {
    return parse(text, { sourceType: 'unambiguous', plugins })
  } catch {
    return undefined
  }
}

/** Returns true if the file imports or requires a module with a name, or a matching one. */
export function importsFrom(file: File, source: RegExp | string): boolean {
  const isSource = (name: string): boolean =>
    typeof source === 'string' ? name === source : source.test(name)
  return file.program.body.some(
    (node) =>
      (node.type === 'ImportDeclaration' && isSource(node.source.value)) ||
      (node.type === 'ExportNamedDeclaration' && isSource(node.source?.value ?? '')) ||
      (node.type === 'VariableDeclaration' &&
        node.declarations.some(({ init }) => init && isSource(requiredModule(init) ?? ''))),
  )
}

/** Returns true if a module exports a name by a declaration or a list. */
export const exportsName = (file: File, name: string): boolean =>
  file.program.body.some(
    (node) =>
      node.type === 'ExportNamedDeclaration' &&
      (node.specifiers.some(
        ({ exported }) => exported.type === 'Identifier' && exported.name === name,
      ) ||
        namesOf(node.declaration).includes(name)),
  )

function namesOf(declaration: Declaration | null | undefined): readonly string[] {
  if (declaration?.type === 'FunctionDeclaration')
    return declaration.id ? [declaration.id.name] : []
  if (declaration?.type !== 'VariableDeclaration') return []
  return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
}

function requiredModule(node: Node): string | undefined {
  const call = node.type === 'MemberExpression' ? node.object : node
  if (call.type !== 'CallExpression') return undefined
  if (call.callee.type !== 'Identifier' || call.callee.name !== 'require') return undefined
  const [argument] = call.arguments
  return argument?.type === 'StringLiteral' ? argument.value : undefined
}

/** Returns the expression that a file exports by default, or assigns to `module.exports`. */
export function defaultExport(file: File): Node | undefined {
  for (const node of file.program.body) {
    if (node.type === 'ExportDefaultDeclaration') return node.declaration
    if (node.type === 'TSExportAssignment') return node.expression
    if (
      node.type === 'ExpressionStatement' &&
      node.expression.type === 'AssignmentExpression' &&
      node.expression.left.type === 'MemberExpression' &&
      node.expression.left.object.type === 'Identifier' &&
      node.expression.left.object.name === 'module'
    ) {
      return node.expression.right
    }
  }
  return undefined
}

/** Returns the declaration of a top-level name. */
export function findDeclaration(file: File, name: string): Node | undefined {
  for (const statement of file.program.body) {
    const node =
      statement.type === 'ExportNamedDeclaration' && statement.declaration
        ? statement.declaration
        : statement
    if (node.type === 'FunctionDeclaration' && node.id?.name === name) return node
    if (node.type !== 'VariableDeclaration') continue
    const found = node.declarations.find(({ id }) => id.type === 'Identifier' && id.name === name)
    if (found?.init) return found.init
  }
  return undefined
}

/** Removes parentheses and type assertions around an expression. */
export function unwrap(node: Node): Node {
  if (
    node.type === 'TSAsExpression' ||
    node.type === 'TSSatisfiesExpression' ||
    node.type === 'TSNonNullExpression' ||
    node.type === 'ParenthesizedExpression'
  ) {
    return unwrap(node.expression)
  }
  return node
}

/**
 * Returns the object literal of a configuration: exported directly, through a variable, as
 * the argument of a function such as `defineConfig`, or returned by a function.
 */
export function findConfigObject(file: File): ObjectExpression | undefined {
  const exported = defaultExport(file)
  return exported && objectOf(exported, file)
}

/**
 * Returns the object literal of the options of `build` or `context` of esbuild; undefined if
 * a script has several calls of them.
 */
export function findBuildOptions(file: File): ObjectExpression | undefined {
  const calls = file.program.body.flatMap((node) => {
    if (node.type === 'ExpressionStatement') return buildArguments(node.expression)
    if (node.type !== 'VariableDeclaration') return []
    return node.declarations.flatMap(({ init }) => (init ? buildArguments(init) : []))
  })
  const [options] = calls
  return options && calls.length === 1 ? objectOf(options, file) : undefined
}

/** Returns the object literal that a call has as its first argument. */
export function findFirstObject(
  { arguments: [first] }: CallExpression,
  file: File,
): ObjectExpression | undefined {
  return first && objectOf(first, file)
}

/** Returns the first call of a function anywhere in a file. */
export const findCall = (file: File, name: string): CallExpression | undefined =>
  findNode(
    file.program,
    (node): node is CallExpression =>
      node.type === 'CallExpression' &&
      node.callee.type === 'Identifier' &&
      node.callee.name === name,
  )

/** Returns the first node, from top to bottom, for which a test is true. */
export function findNode<T extends Node>(
  node: Node,
  isWanted: (node: Node) => node is T,
): T | undefined {
  if (isWanted(node)) return node
  for (const child of Object.values(node).flat()) {
    if (typeof child !== 'object' || child === null || !('type' in child)) continue
    const found = findNode(child as Node, isWanted)
    if (found) return found
  }
  return undefined
}

/** Returns the first argument of `esbuild.build(…)`, also in `await …` and `….catch(…)`. */
function buildArguments(node: Node): readonly Node[] {
  if (node.type === 'AwaitExpression') return buildArguments(node.argument)
  if (node.type !== 'CallExpression') return []
  const { callee } = node
  const name = callee.type === 'MemberExpression' ? callee.property : callee
  if (name.type !== 'Identifier') return []
  if (name.name === 'build' || name.name === 'context') return node.arguments.slice(0, 1)
  return callee.type === 'MemberExpression' ? buildArguments(callee.object) : []
}

function objectOf(given: Node, file: File): ObjectExpression | undefined {
  const node = unwrap(given)
  if (node.type === 'ObjectExpression') return node
  if (node.type === 'Identifier') {
    const declared = findDeclaration(file, node.name)
    return declared && objectOf(declared, file)
  }
  if (node.type === 'CallExpression') {
    const [argument] = node.arguments
    return argument && node.arguments.length === 1 ? objectOf(argument, file) : undefined
  }
  const result = returnedBy(node)
  return result && objectOf(result, file)
}

/** Returns the expression that a function returns, if it has exactly one `return` at its end. */
export function returnedBy(node: Node): Expression | undefined {
  if (
    node.type !== 'ArrowFunctionExpression' &&
    node.type !== 'FunctionDeclaration' &&
    node.type !== 'FunctionExpression'
  ) {
    return undefined
  }
  if (node.body.type !== 'BlockStatement') return node.body
  const last = node.body.body.at(-1)
  return last?.type === 'ReturnStatement' ? (last.argument ?? undefined) : undefined
}

/** Returns true if a file has imports or exports of ES modules. */
export const isModule = (path: string, text: string): boolean =>
  parseModule(path, text)?.program.sourceType === 'module'

/**
 * Inserts an import below the others, with their quotes and semicolons. Without names, the
 * module only runs.
 */
export function addImport(
  path: string,
  text: string,
  use: { readonly names?: string; readonly from: string; readonly isCommonJs?: boolean },
): string {
  const file = parseModule(path, text)
  if (!file) return text
  const { names, from, isCommonJs = file.program.sourceType === 'script' } = use
  const last = file.program.body.findLast(isImport)
  const sample = last ? text.slice(last.start!, last.end!) : text
  const quote = sample.includes('"') && !sample.includes("'") ? '"' : "'"
  const semicolon = (last ? sample.endsWith(';') : /;\s*$/.test(text)) ? ';' : ''
  const source = `${quote}${from}${quote}`
  const line = isCommonJs
    ? `${names === undefined ? '' : `const ${names} = `}require(${source})${semicolon}`
    : `import ${names === undefined ? '' : `${names} from `}${source}${semicolon}`
  if (last) return `${text.slice(0, last.end!)}\n${line}${text.slice(last.end!)}`
  // Line comments such as `// @ts-check` stay first; a doc comment belongs to the statement.
  const first = file.program.body[0]
  const doc = first?.leadingComments?.find(
    ({ type, value }) => type === 'CommentBlock' && value.startsWith('*'),
  )
  const at = doc?.start ?? first?.start ?? 0
  return `${text.slice(0, at)}${line}\n\n${text.slice(at)}`
}

/** Inserts statements below the imports, with the quotes and semicolons of these. */
export function insertStatements(path: string, text: string, lines: readonly string[]): string {
  const last = parseModule(path, text)?.program.body.findLast(isImport)
  if (!last) return `${lines.join('\n')}\n${text === '' ? '' : '\n'}${text}`
  const sample = text.slice(last.start!, last.end!)
  const own = lines
    .map((line) => (sample.includes('"') ? line.replaceAll("'", '"') : line))
    .map((line) => (sample.endsWith(';') ? `${line};` : line))
  return `${text.slice(0, last.end!)}\n\n${own.join('\n')}${text.slice(last.end!)}`
}

const isImport = (node: Node): boolean =>
  node.type === 'ImportDeclaration' ||
  (node.type === 'VariableDeclaration' &&
    node.declarations.some(({ init }) => init && requiredModule(init) !== undefined))
