import {
  findByImportName,
  type MessageModel,
  type ModuleModel,
  specifierOf,
} from '@servicekit/catalog'
import { escapePattern, findClosest } from '@servicekit/core'
import { findModuleUses } from '../source/module-uses.ts'
import { parseSource } from '../source/parse-source.ts'
import { modulePrefix } from './ids.ts'

/** Imported name that does not exist in its module. */
export interface UnknownKey {
  /** Module as written in the import: `cart` of `~uilm/cart`. */
  readonly module: string
  readonly name: string
}

/** Error for an unknown key, with its position and the surrounding lines. */
export class UnknownKeyError extends Error implements UnknownKey {
  override readonly name: string
  readonly module: string
  /** Single sentence without the position. */
  readonly summary: string
  readonly file: string
  readonly position: Position | undefined
  readonly frame: string

  constructor({ module, name }: UnknownKey, file: string, source: string, summary: string) {
    const position = locate(source, file, modulePrefix + module, name)
    const frame = position ? codeFrame(source, position) : ''
    const location = position ? `${file}:${position.line}:${position.column}` : file
    super([`${location}: ${summary}`, ...(frame === '' ? [] : [frame])].join('\n\n'))
    this.name = name
    this.module = module
    this.summary = summary
    this.file = file
    this.position = position
    this.frame = frame
    // The relevant position is in the importing file. The stack would point into this
    // plugin.
    this.stack = this.message
  }
}

/** Creates the error for an unknown key of a file. */
export function unknownKeyError(
  unknown: UnknownKey,
  { file, source }: { readonly file: string; readonly source: string },
  modules: readonly ModuleModel[],
): UnknownKeyError {
  const module = findByImportName(modules, unknown.module)
  const missing = module
    ? `${specifierOf(module.name)} has no key ${unknown.name}.`
    : `${modulePrefix}${unknown.module} is not in the translations.`
  const found = suggestion(unknown.name, module, modules)
  const hints = found.length === 0 && !module ? similarModule(unknown, modules) : found
  const summary = [missing, ...hints].join(' ')
  return new UnknownKeyError(unknown, file, source, summary)
}

/** Suggests the module whose name is similar to that of an unknown one. */
function similarModule({ module }: UnknownKey, modules: readonly ModuleModel[]): readonly string[] {
  const closest = findClosest(
    modulePrefix + module,
    modules.map(({ name }) => specifierOf(name)),
  )
  return closest === undefined ? [] : [`Did you mean ${closest}?`]
}

/** Suggests a similar key of the same module, or else a key of another module. */
function suggestion(
  name: string,
  own: ModuleModel | undefined,
  modules: readonly ModuleModel[],
): readonly string[] {
  const found = similarKey(name, own, modules)
  if (!found) return []
  const { module, message } = found
  if (module === own) return [`Did you mean ${message.name}?`]
  return message.name === name
    ? [`${specifierOf(module.name)} has it.`]
    : [`Did you mean ${message.name} of ${specifierOf(module.name)}?`]
}

/** Key with its module. */
interface FoundKey {
  readonly module: ModuleModel
  readonly message: MessageModel
}

/** Returns the key that is most similar to an unknown one. */
export const findSimilarKey = (
  { module, name }: UnknownKey,
  modules: readonly ModuleModel[],
): FoundKey | undefined => similarKey(name, findByImportName(modules, module), modules)

/** Prefers the own module, then a key with the same name. */
function similarKey(
  name: string,
  own: ModuleModel | undefined,
  modules: readonly ModuleModel[],
): FoundKey | undefined {
  const inOwn = own && findSimilar(name, own)
  if (inOwn) return inOwn
  for (const module of modules) {
    const message = module.messages.find((one) => one.name === name)
    if (message) return { module, message }
  }
  for (const module of modules) {
    const found = findSimilar(name, module)
    if (found) return found
  }
  return undefined
}

function findSimilar(name: string, module: ModuleModel): FoundKey | undefined {
  const names = module.messages.map((message) => message.name)
  const closest = findClosest(name, names)
  const message = module.messages.find((one) => one.name === closest)
  return message && { module, message }
}

/** Position, one-based. */
interface Position {
  readonly line: number
  readonly column: number
  readonly length: number
}

/**
 * Returns the position where a source file first uses a name of a module, or else where the name
 * first occurs: no parser reads the templates of components.
 */
function locate(
  source: string,
  file: string,
  specifier: string,
  name: string,
): Position | undefined {
  const program = parseSource(source, file)
  const uses = program ? findModuleUses(program).names : []
  const use = uses.find((one) => one.specifier === specifier && one.name === name)
  const start = use?.start ?? indexOfName(source, name)
  if (start < 0) return undefined
  const before = source.slice(0, start).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1, length: name.length }
}

/** Returns the first position of a name that is not part of a longer one; -1 if there is none. */
const indexOfName = (source: string, name: string): number =>
  source.search(
    new RegExp(`(?<![\\p{ID_Continue}$])${escapePattern(name)}(?![\\p{ID_Continue}$])`, 'u'),
  )

/**
 * Returns the lines around a position, with a marker below it:
 *
 * ```text
 *   1 | import { subscribe } from '~uilm'
 * > 2 | import { CHEKOUT } from '~uilm/cart'
 *     |          ^^^^^^^
 * ```
 */
function codeFrame(source: string, { line, column, length }: Position): string {
  const lines = source.split(/\r?\n/)
  const first = Math.max(1, line - 2)
  const last = Math.min(lines.length, line + 2)
  const width = String(last).length
  const rows: string[] = []
  for (let number = first; number <= last; number++) {
    const isPosition = number === line
    const label = String(number).padStart(width)
    rows.push(`${isPosition ? '>' : ' '} ${label} | ${lines[number - 1]}`.trimEnd())
    if (!isPosition) continue
    // Preserve tabs to align the marker with the name.
    const indent = lines[number - 1]!.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')
    rows.push(`  ${' '.repeat(width)} | ${indent}${'^'.repeat(length)}`)
  }
  return rows.join('\n')
}
