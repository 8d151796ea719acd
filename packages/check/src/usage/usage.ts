import {
  keyOfIdentifier,
  type MessageModel,
  type Model,
  type ModuleModel,
} from '@servicekit/catalog'
import type { ts } from 'ts-morph'
import type { Alias } from './aliases.ts'
import type { SourceFile } from './read-sources.ts'
import { findReferences, type Reference } from './find-references.ts'
import { defaultTextOf } from './i18next-references.ts'
import type { ReadFile } from './read-file.ts'
import { openFiles } from './open-files.ts'
import type { Context } from './value.ts'
import { indexOf, resolve, unknownImports } from './resolve.ts'

/** Use of a message in the code. */
export interface Usage {
  /** Path relative to the root, with `/` separators. */
  readonly file: string
  /** One-based. */
  readonly line: number
  readonly column: number
  readonly module: string
  /** Key of the message; undefined if any message of the module may be used. */
  readonly key: string | undefined
  /** Kind of usage. */
  readonly by: 'import' | 'i18next'
  /** Names of the arguments, if they are all written literally. */
  readonly args: readonly string[] | undefined
}

/** Use of a key or module that does not exist. */
export interface UnknownUsage {
  readonly file: string
  readonly line: number
  readonly column: number
  /** Undefined if the module is unknown. */
  readonly module: string | undefined
  /** Undefined if the module itself does not exist. */
  readonly name: string | undefined
  /** Key that the code expects; undefined if it names none, as with a namespace import. */
  readonly key: string | undefined
  /** Text for a missing translation: `t('KEY', 'text')`. */
  readonly text: string | undefined
}

export interface UsageReport {
  readonly files: number
  readonly usages: readonly Usage[]
  readonly unknown: readonly UnknownUsage[]
  /**
   * Usages that may refer to any message of a module, so that none can be reported as
   * unused.
   */
  readonly dynamic: readonly Usage[]
}

export interface UsageOptions {
  /** Import prefixes and their folders, e.g. `{ '@/': 'src/' }`. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Aliases of the tsconfig.json, as returned by {@link readPathAliases}. */
  readonly paths?: readonly Alias[]
  /** Names of additional functions that return `t` or an object containing it. */
  readonly hooks?: readonly string[]
}

/** Usage with its file and the messages that it resolves to. */
export interface ResolvedReference {
  readonly path: string
  readonly reference: Reference
  readonly read: ReadFile
  readonly context: Context
  readonly messages: readonly { readonly module: ModuleModel; readonly message: MessageModel }[]
}

/** Returns the messages that an application uses. */
export function readUsage(
  model: Model,
  sources: readonly SourceFile[],
  options: UsageOptions = {},
): UsageReport {
  const usages: Usage[] = []
  const dynamic: Usage[] = []
  const unknown: UnknownUsage[] = []
  const index = indexOf(model)
  const files = openFiles(model, sources, options)
  for (const [path, { read, context }] of files) {
    const position = (node: ts.Node) => ({ file: path, ...positionOf(read, node) })
    unknown.push(
      ...unknownImports(read, model, index).map(({ node, imported, ...rest }) => ({
        ...position(node),
        ...rest,
        key: /^(?:\*|default)$/.test(imported) ? undefined : keyOfIdentifier(imported),
        text: undefined,
      })),
    )
    for (const reference of findReferences(read, context)) {
      const at = position(reference.node)
      const { by, args } = reference
      const found = resolve(reference, index)
      for (const { module, message } of found.messages) {
        usages.push({ ...at, module: module.name, key: message.key, by, args })
      }
      for (const module of found.whole) {
        dynamic.push({ ...at, module: module.name, key: undefined, by, args })
      }
      const text = reference.call && defaultTextOf(reference.call)
      unknown.push(
        ...found.unknown.map((one) => ({
          ...at,
          ...one,
          key: by === 'import' ? keyOfIdentifier(one.name) : one.name,
          text: by === 'i18next' ? text : undefined,
        })),
      )
    }
  }
  return { files: sources.length, usages, unknown: once(unknown), dynamic }
}

/** Parsed file with the messages that it uses. */
export interface OpenedFile {
  readonly path: string
  readonly read: ReadFile
  readonly references: readonly ResolvedReference[]
}

/** Returns the files that may use messages, with their usages. */
export function openedFiles(
  model: Model,
  sources: readonly SourceFile[],
  options: UsageOptions = {},
): readonly OpenedFile[] {
  const index = indexOf(model)
  return [...openFiles(model, sources, options)].map(([path, { read, context }]) => ({
    path,
    read,
    references: findReferences(read, context).map((reference) => ({
      path,
      reference,
      read,
      context,
      messages: resolve(reference, index).messages,
    })),
  }))
}

/** Returns all usages of an application with their messages, for rewriting. */
export const resolveReferences = (
  model: Model,
  sources: readonly SourceFile[],
  options: UsageOptions = {},
): readonly ResolvedReference[] =>
  openedFiles(model, sources, options).flatMap(({ references }) => references)

const once = (all: readonly UnknownUsage[]): readonly UnknownUsage[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
]

function positionOf({ source }: ReadFile, node: ts.Node): { line: number; column: number } {
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source))
  return { line: line + 1, column: character + 1 }
}
