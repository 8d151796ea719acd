import { readFile } from 'node:fs/promises'
import { findByImportName, lookupModuleOf } from '@servicekit/catalog'
import type { ESTree } from 'vite'
import { modulePrefix } from '../core/ids.ts'
import type { PluginContext } from '../core/plugin-context.ts'
import { compilerRuntimeEnd } from '../core/react-compiler.ts'
import { type RewriteInput, rewriteImports, type RewrittenFile } from '../core/rewrite-imports.ts'
import { type UnknownKeyError, unknownKeyError } from '../core/unknown-key.ts'
import { looksUpKeys, unknownNames } from '../core/used-messages.ts'
import { findModuleUses, type ModuleUses } from '../source/module-uses.ts'
import { warnAboutLookup } from './bundler.ts'

/** Source file that a bundler has compiled to JavaScript. */
export interface CompiledFile {
  readonly code: string
  readonly id: string
  /** Parser of the bundler. */
  readonly parse: (code: string) => ESTree.Program
}

/** Selects the files of which a bundler calls the hook `transform`. */
export const sourceFilter = {
  id: { exclude: /^\0~uilm/ },
  code: [modulePrefix, compilerRuntimeEnd],
}

/**
 * Rewrites the imports of a file for a build: one module for each message.
 *
 * @throws UnknownKeyError for the first key that does not exist.
 */
export async function rewriteForBuild(
  context: PluginContext,
  file: CompiledFile,
  options: Pick<RewriteInput, 'replacesCompiler'>,
): Promise<RewrittenFile | undefined> {
  const { rewritten, errors, uses } = await rewriteFile(context, file, options)
  if (errors[0]) throw errors[0]
  const { session } = await context.open()
  for (const module of uses.lookups.size > 0 ? session.model().modules : []) {
    if (looksUpKeys(uses, module)) warnAboutLookup(context, file.id, module)
  }
  return rewritten
}

/** Rewrites the imports of a file for development, where unknown keys are shown by name. */
export const rewriteForDev = (
  context: PluginContext,
  file: CompiledFile,
  options: Pick<RewriteInput, 'replacesCompiler' | 'bundlesImported'>,
): Promise<{
  readonly rewritten: RewrittenFile | undefined
  readonly errors: readonly UnknownKeyError[]
}> => rewriteFile(context, file, { ...options, onlyUnknown: true })

async function rewriteFile(
  context: PluginContext,
  { code, id, parse }: CompiledFile,
  options: Partial<RewriteInput>,
): Promise<{
  readonly rewritten: RewrittenFile | undefined
  readonly errors: readonly UnknownKeyError[]
  readonly uses: ModuleUses
}> {
  const { session } = await context.open()
  const model = session.model()
  const findModule = (name: string) => findByImportName(model.modules, name)
  const program = parse(code)
  const uses = findModuleUses(program)
  const rewritten = rewriteImports({
    code,
    program,
    findModule,
    isLookup: (name) => lookupModuleOf(modulePrefix + name, model) !== undefined,
    unknownNamesOf: (name) => unknownNames(uses, name, findModule(name)),
    ...options,
  })
  const unknown = rewritten?.unknown ?? []
  if (unknown.length === 0) return { rewritten, errors: [], uses }
  const file = pathOf(id)
  // The bundler has compiled what the developer wrote.
  const source = await readFile(file, 'utf8').catch(() => code)
  const errors = unknown.map((key) => unknownKeyError(key, { file, source }, model.modules))
  return { rewritten, errors, uses }
}

/** Removes the query that distinguishes the blocks of a component file. */
const pathOf = (id: string): string => id.replace(/\?.*$/, '')
