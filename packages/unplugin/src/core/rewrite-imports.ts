import type { ModuleModel } from '@servicekit/catalog'
import { MagicString, type SourceMap } from 'magic-string'
import type { ESTree } from 'vite'
import {
  compilerSpecifier,
  extendedSpecifier,
  importedSpecifier,
  keySpecifier,
  parseSpecifier,
  unknownSpecifier,
} from './ids.ts'
import { exportName, nameOf, stringOf, walk } from '../source/syntax-tree.ts'
import { isCompilerRuntime } from './react-compiler.ts'
import type { UnknownKey } from './unknown-key.ts'

export interface RewriteInput {
  readonly code: string
  readonly program: ESTree.Program
  /** Returns the model of a UILM module; undefined if it does not exist. */
  readonly findModule: (name: string) => ModuleModel | undefined
  /**
   * Returns whether a specifier without a model is left unchanged, like that of a lookup.
   */
  readonly isLookup?: (name: string) => boolean
  /** Rewrites only imports of unknown keys, as in development. */
  readonly onlyUnknown?: boolean
  /**
   * Imports known keys from one module for all keys of the import, so that a page in development
   * requests only these.
   */
  readonly bundlesImported?: boolean
  /**
   * Returns the names that the file uses of a module but that do not exist there. Namespace
   * and dynamic imports get replacements for them, in development.
   */
  readonly unknownNamesOf?: (module: string) => readonly string[]
  /** Replaces the runtime of React Compiler, so that it does not keep old messages. */
  readonly replacesCompiler?: boolean
}

export interface RewrittenFile {
  readonly code: string
  readonly map: SourceMap
  /** Imported names that do not exist, each once. */
  readonly unknown: readonly UnknownKey[]
}

/**
 * Rewrites imports of keys to one module per key, so that tree shaking and code splitting
 * of the bundler determine which messages are used in which chunk:
 *
 * ```js
 * import { SIGN_IN, WELCOME as hello } from '~uilm/auth'
 * import { SIGN_IN } from '~uilm-key/auth/SIGN_IN'; import { WELCOME as hello } from '~uilm-key/auth/WELCOME'
 * ```
 *
 * Namespace and dynamic imports keep the whole module. An unknown key is imported from a
 * module that shows its name, and is also returned. A build fails then; development
 * continues.
 *
 * @returns undefined if there is nothing to rewrite.
 */
export function rewriteImports(input: RewriteInput): RewrittenFile | undefined {
  const { code, program, replacesCompiler = false } = input
  const edited = new MagicString(code)
  const unknown: UnknownKey[] = []
  const { body } = program
  for (const node of body) {
    const text = rewrite(node, input, unknown)
    if (text !== undefined) edited.overwrite(node.start, node.end, text)
    if (replacesCompiler && node.type === 'ImportDeclaration') {
      const { value, start, end } = node.source
      if (isCompilerRuntime(value)) {
        edited.overwrite(start, end, JSON.stringify(compilerSpecifier(value)))
      }
    }
  }
  for (const source of input.unknownNamesOf ? wholeImports(program) : []) {
    const virtual = parseSpecifier(stringOf(source) ?? '')
    if (virtual?.kind !== 'module') continue
    const { module } = virtual
    if (!input.findModule(module) && input.isLookup?.(module)) continue
    const names = input.unknownNamesOf!(module)
    if (names.length === 0) continue
    unknown.push(...names.map((name) => ({ module, name })))
    edited.overwrite(source.start, source.end, JSON.stringify(extendedSpecifier(module, names)))
  }
  if (!edited.hasChanged()) return undefined
  return {
    code: edited.toString(),
    map: edited.generateMap({ hires: 'boundary' }),
    unknown: [...new Map(unknown.map((key) => [`${key.module}/${key.name}`, key])).values()],
  }
}

/** Returns the specifiers of the namespace and dynamic imports of a file. */
function wholeImports(program: ESTree.Program): readonly ESTree.Expression[] {
  const sources: ESTree.Expression[] = []
  walk(program, (node) => {
    const isWhole =
      node.type === 'ImportExpression' || (node.type === 'ImportDeclaration' && hasNamespace(node))
    if (isWhole) sources.push(node.source)
  })
  return sources
}

const hasNamespace = ({ specifiers }: ESTree.ImportDeclaration): boolean =>
  specifiers.some(({ type }) => type === 'ImportNamespaceSpecifier')

/** Returns the code of a statement whose import or export list is split by message. */
function rewrite(
  node: ESTree.Program['body'][number],
  input: RewriteInput,
  unknown: UnknownKey[],
): string | undefined {
  if (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration') return undefined
  const virtual = node.source && parseSpecifier(node.source.value)
  if (virtual?.kind !== 'module' || node.specifiers.length === 0) return undefined
  const module = input.findModule(virtual.module)
  if (!module && (!input.onlyUnknown || input.isLookup?.(virtual.module))) return undefined
  if (node.type === 'ImportDeclaration' && hasNamespace(node)) return undefined

  const keyword = node.type === 'ImportDeclaration' ? 'import' : 'export'
  const kept: string[] = []
  const imported = new Set<string>()
  const single: string[] = []
  const before = unknown.length
  for (const specifier of node.specifiers) {
    const { from, to } = namesOf(specifier)
    const message = module?.messages.find(({ name, key }) => name === from || key === from)
    // There is no default export. The bundler reports the error.
    if (from === undefined) kept.push(`default as ${to}`)
    else if (message && input.onlyUnknown) {
      kept.push(`${exportName(from)} as ${to}`)
      imported.add(message.name)
    } else {
      if (!message) unknown.push({ module: virtual.module, name: from })
      const own = message
        ? keySpecifier(module!.name, message)
        : unknownSpecifier(virtual.module, from)
      single.push(`${keyword} { message as ${to} } from ${JSON.stringify(own)}`)
    }
  }
  const bundled = input.bundlesImported ? bundleOf(module, imported) : undefined
  if (input.onlyUnknown && unknown.length === before && bundled === undefined) return undefined
  if (kept.length > 0) {
    const source = bundled ?? node.source!.value
    single.push(`${keyword} { ${kept.join(', ')} } from ${JSON.stringify(source)}`)
  }
  return `${single.join('; ')};`
}

/** Returns the specifier of imported messages; undefined if there are none or too many. */
function bundleOf(module: ModuleModel | undefined, names: ReadonlySet<string>) {
  if (!module || names.size === 0) return undefined
  const specifier = importedSpecifier(module.name, [...names].sort())
  return specifier.length <= maxSpecifier ? specifier : undefined
}

/** A URL contains the specifier, and servers limit its length. */
const maxSpecifier = 2000

/** Returns the name in the module, undefined for its default export, and the name in the file. */
function namesOf(specifier: ESTree.ImportDeclarationSpecifier | ESTree.ExportSpecifier) {
  if (specifier.type === 'ExportSpecifier') {
    return { from: nameOf(specifier.local), to: exportName(nameOf(specifier.exported)) }
  }
  const from = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : undefined
  return { from, to: specifier.local.name }
}
