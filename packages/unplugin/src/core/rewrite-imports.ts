import type { ModuleModel } from '@servicekit/catalog'
import { MagicString, type SourceMap } from 'magic-string'
import { keySpecifier, modulePrefix, parseSpecifier, unknownSpecifier } from './ids.ts'
import type { UnknownKey } from './unknown-key.ts'

/** The few parts of an ESTree program that are read here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}
interface ModuleDeclaration extends Node {
  readonly source?: { readonly value: unknown } | null
  readonly specifiers?: readonly Specifier[]
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
  /** Parses JavaScript to an ESTree program; every bundler offers one. */
  readonly parse: (code: string) => { readonly body: readonly unknown[] }
  /** The model of a UILM module; undefined where there is none. */
  readonly findModule: (name: string) => ModuleModel | undefined
  /** Whether specifiers of modules without a model are left alone, as those of lookups are. */
  readonly isOther?: (name: string) => boolean
  /** Whether only imports of unknown keys are rewritten, as in development. */
  readonly keepsKnown?: boolean
}

/**
 * Rewrites imports of single keys to one module each, so that the bundler's own
 * tree shaking and chunking decide which texts are used, and where:
 *
 * ```js
 * import { SIGN_IN, WELCOME as hello } from '~uilm/auth'
 * import { SIGN_IN } from '~uilm-key/auth/SIGN_IN'; import { WELCOME as hello } from '~uilm-key/auth/WELCOME'
 * ```
 *
 * Namespace and dynamic imports keep the whole module. A key that does not exist is
 * imported from a module of its own, which shows its name, and is returned too: a
 * build fails for it, and development goes on.
 *
 * @returns undefined where there is nothing to rewrite.
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
  for (const node of input.parse(input.code).body as readonly ModuleDeclaration[]) {
    const text = rewritten(node, input, unknown)
    if (text !== undefined) edited.overwrite(node.start, node.end, text)
  }
  return edited.hasChanged()
    ? { code: edited.toString(), map: edited.generateMap({ hires: 'boundary' }), unknown }
    : undefined
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
    const to = isImport ? specifier.local.name! : exportName(specifier.exported!)
    const message = module?.messages.find(({ name, key }) => name === from || key === from)
    if (from === undefined) kept.push(`default as ${to}`)
    else if (message && input.keepsKnown) kept.push(`${exportName({ name: from })} as ${to}`)
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

/** A name as it stands in an import or export list: quoted where it is no identifier. */
function exportName(name: Name): string {
  const text = nameOf(name)!
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(text) ? text : JSON.stringify(text)
}
