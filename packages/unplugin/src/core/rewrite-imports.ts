import type { ModuleModel } from '@servicekit/catalog'
import { MagicString, type SourceMap } from 'magic-string'
import { keySpecifier, modulePrefix, parseSpecifier } from './ids.ts'
import { unknownKey } from './used-messages.ts'

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
  /** For messages: the file that is rewritten. */
  readonly file: string
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
 * Namespace and dynamic imports keep the whole module.
 *
 * @returns undefined where there is nothing to rewrite.
 * @throws Error for a key that does not exist, with the one that was meant.
 */
export function rewriteImports(
  input: RewriteInput,
): { readonly code: string; readonly map: SourceMap } | undefined {
  if (!input.code.includes(modulePrefix)) return undefined
  const edited = new MagicString(input.code)
  for (const node of input.parse(input.code).body as readonly ModuleDeclaration[]) {
    const text = rewritten(node, input)
    if (text !== undefined) edited.overwrite(node.start, node.end, text)
  }
  return edited.hasChanged()
    ? { code: edited.toString(), map: edited.generateMap({ hires: 'boundary' }) }
    : undefined
}

function rewritten(node: ModuleDeclaration, input: RewriteInput): string | undefined {
  const isImport = node.type === 'ImportDeclaration'
  if (!isImport && node.type !== 'ExportNamedDeclaration') return undefined
  const source = node.source?.value
  const virtual = typeof source === 'string' ? parseSpecifier(source) : undefined
  if (virtual?.kind !== 'module' || !node.specifiers?.length) return undefined
  const module = input.findModule(virtual.module)
  if (!module) return undefined

  const kept: string[] = []
  const single: string[] = []
  for (const specifier of node.specifiers) {
    const from = nameOf(isImport ? specifier.imported : specifier.local)
    const to = isImport ? specifier.local.name! : exportName(specifier.exported!)
    const message = module.messages.find(({ name, key }) => name === from || key === from)
    if (specifier.type === 'ImportNamespaceSpecifier') return undefined
    if (from === undefined) kept.push(`default as ${to}`)
    else if (!message) throw unknownKey(from, module, input.file)
    else {
      const keyword = isImport ? 'import' : 'export'
      single.push(
        `${keyword} { message as ${to} } from ${JSON.stringify(keySpecifier(module.name, message))}`,
      )
    }
  }
  if (kept.length > 0) {
    const keyword = isImport ? 'import' : 'export'
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
