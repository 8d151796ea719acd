import type { ModuleModel } from '@servicekit/catalog'
import { MagicString, type SourceMap } from 'magic-string'
import {
  extendedSpecifier,
  keySpecifier,
  modulePrefix,
  parseSpecifier,
  unknownSpecifier,
} from './ids.ts'
import type { UnknownKey } from './unknown-key.ts'

/** Subset of ESTree that is read here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}
interface ModuleDeclaration extends Node {
  readonly source?: Literal | null
  readonly specifiers?: readonly Specifier[]
}
interface Literal extends Node {
  readonly value: unknown
}
interface Specifier extends Node {
  readonly imported?: Name
  readonly local: Name
  readonly exported?: Name
}
interface Name {
  readonly name?: string
  readonly value?: unknown
}

export interface RewriteInput {
  readonly code: string
  /** Parses JavaScript to an ESTree program. Every bundler offers such a function. */
  readonly parse: (code: string) => { readonly body: readonly unknown[] }
  /** Returns the model of a UILM module; undefined if it does not exist. */
  readonly findModule: (name: string) => ModuleModel | undefined
  /**
   * Returns whether a specifier without a model is left unchanged, like that of a lookup.
   */
  readonly isOther?: (name: string) => boolean
  /** Rewrites only imports of unknown keys, as in development. */
  readonly keepsKnown?: boolean
  /**
   * Returns the names that the file uses of a module but that do not exist there. Namespace
   * and dynamic imports get replacements for them.
   */
  readonly unknownNamesOf?: (module: string) => readonly string[]
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
export function rewriteImports(input: RewriteInput):
  | {
      readonly code: string
      readonly map: SourceMap
      readonly unknown: readonly UnknownKey[]
    }
  | undefined {
  if (!input.code.includes(modulePrefix)) return undefined
  const edited = new MagicString(input.code)
  const unknown: UnknownKey[] = []
  const body = input.parse(input.code).body as readonly ModuleDeclaration[]
  for (const node of body) {
    const text = rewritten(node, input, unknown)
    if (text !== undefined) edited.overwrite(node.start, node.end, text)
  }
  for (const { source } of input.unknownNamesOf ? wholeImports(body) : []) {
    const virtual = typeof source?.value === 'string' ? parseSpecifier(source.value) : undefined
    if (virtual?.kind !== 'module') continue
    const { module } = virtual
    if (!input.findModule(module) && input.isOther?.(module)) continue
    const names = input.unknownNamesOf!(module)
    if (names.length === 0) continue
    unknown.push(...names.map((name) => ({ module, name })))
    edited.overwrite(source!.start, source!.end, JSON.stringify(extendedSpecifier(module, names)))
  }
  return edited.hasChanged()
    ? { code: edited.toString(), map: edited.generateMap({ hires: 'boundary' }), unknown }
    : undefined
}

/** Finds the namespace and dynamic imports below a node. */
function* wholeImports(node: unknown): Generator<ModuleDeclaration> {
  if (typeof node !== 'object' || node === null) return
  const { type, specifiers } = node as Partial<ModuleDeclaration>
  const isNamespace = specifiers?.some((one) => one.type === 'ImportNamespaceSpecifier')
  if (type === 'ImportExpression' || (type === 'ImportDeclaration' && isNamespace)) {
    yield node as ModuleDeclaration
  }
  for (const child of Object.values(node)) yield* wholeImports(child)
}

function rewritten(
  node: ModuleDeclaration,
  input: RewriteInput,
  unknown: UnknownKey[],
): string | undefined {
  const isImport = node.type === 'ImportDeclaration'
  if (!isImport && node.type !== 'ExportNamedDeclaration') return undefined
  const source = node.source?.value
  const virtual = typeof source === 'string' ? parseSpecifier(source) : undefined
  if (virtual?.kind !== 'module' || !node.specifiers?.length) return undefined
  const module = input.findModule(virtual.module)
  if (!module && (!input.keepsKnown || input.isOther?.(virtual.module))) return undefined
  if (node.specifiers.some(({ type }) => type === 'ImportNamespaceSpecifier')) return undefined

  const keyword = isImport ? 'import' : 'export'
  const kept: string[] = []
  const single: string[] = []
  const before = unknown.length
  for (const specifier of node.specifiers) {
    const from = nameOf(isImport ? specifier.imported : specifier.local)
    const to = isImport ? specifier.local.name! : exportName(nameOf(specifier.exported)!)
    const message = module?.messages.find(({ name, key }) => name === from || key === from)
    if (from === undefined) kept.push(`default as ${to}`)
    else if (message && input.keepsKnown) kept.push(`${exportName(from)} as ${to}`)
    else {
      if (!message) unknown.push({ module: virtual.module, name: from })
      const own = message
        ? keySpecifier(module!.name, message)
        : unknownSpecifier(virtual.module, from)
      single.push(`${keyword} { message as ${to} } from ${JSON.stringify(own)}`)
    }
  }
  if (input.keepsKnown && unknown.length === before) return undefined
  if (kept.length > 0) {
    single.push(`${keyword} { ${kept.join(', ')} } from ${JSON.stringify(source)}`)
  }
  return `${single.join('; ')};`
}

const nameOf = (name: Name | undefined): string | undefined =>
  name === undefined ? undefined : (name.name ?? String(name.value))

/** Returns a name for an import or export list, quoted if it is not an identifier. */
export function exportName(text: string): string {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(text) ? text : JSON.stringify(text)
}
