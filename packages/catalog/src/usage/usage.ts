import type { ts } from 'ts-morph'
import type { MessageModel, Model, ModuleModel } from '../model.ts'
import type { Alias } from './aliases.ts'
import type { SourceText } from './files.ts'
import { findSightings, type Sighting } from './find.ts'
import type { ReadFile } from './read-file.ts'
import { openFiles } from './link.ts'
import type { Context } from './value.ts'
import { indexOf, resolve, unknownImports } from './resolve.ts'

/** Where a text is asked for. */
export interface Usage {
  /** Relative to the root, with `/`. */
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly column: number
  readonly module: string
  /** Key of the message; undefined where any of the module may be meant. */
  readonly key: string | undefined
  /** How it is asked for. */
  readonly by: 'import' | 'i18next'
  /** Names of the arguments, where all are written out. */
  readonly args: readonly string[] | undefined
}

/** A name that is asked for and that there is not. */
export interface UnknownUsage {
  readonly file: string
  readonly line: number
  readonly column: number
  /** Undefined where the code does not say which module is asked. */
  readonly module: string | undefined
  /** Undefined where it is the module that there is not. */
  readonly name: string | undefined
}

export interface UsageReport {
  readonly files: number
  readonly usages: readonly Usage[]
  readonly unknown: readonly UnknownUsage[]
  /** Places that may ask for any text of a module: nothing in it can be told unused. */
  readonly dynamic: readonly Usage[]
}

export interface UsageOptions {
  /** Other names of folders in imports, such as `{ '@/': 'src/' }`. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Those of the tsconfig.json, which {@link readPathAliases} reads. */
  readonly paths?: readonly Alias[]
  /** Names of functions that return `t`, or an object with it, beside those that are recognized. */
  readonly hooks?: readonly string[]
}

/** A sighting with the file it is in and the messages that it means. */
export interface Found {
  readonly path: string
  readonly sighting: Sighting
  readonly read: ReadFile
  readonly context: Context
  readonly messages: readonly { readonly module: ModuleModel; readonly message: MessageModel }[]
}

/** Reads which texts an application asks for. */
export function readUsage(
  model: Model,
  sources: readonly SourceText[],
  options: UsageOptions = {},
): UsageReport {
  const usages: Usage[] = []
  const dynamic: Usage[] = []
  const unknown: UnknownUsage[] = []
  const index = indexOf(model)
  const files = openFiles(model, sources, options)
  for (const [path, { read, context }] of files) {
    const place = (node: ts.Node) => ({ file: path, ...placeOf(read, node) })
    unknown.push(
      ...unknownImports(read, model, index).map(({ node, ...rest }) => ({
        ...place(node),
        ...rest,
      })),
    )
    for (const sighting of findSightings(read, context, options.hooks)) {
      const at = place(sighting.node)
      const { by, args } = sighting
      const found = resolve(sighting, index)
      for (const { module, message } of found.messages) {
        usages.push({ ...at, module: module.name, key: message.key, by, args })
      }
      for (const module of found.whole) {
        dynamic.push({ ...at, module: module.name, key: undefined, by, args })
      }
      unknown.push(...found.unknown.map((one) => ({ ...at, ...one })))
    }
  }
  return { files: sources.length, usages, unknown: once(unknown), dynamic }
}

/** Every sighting of the application with what it means, for those who rewrite them. */
export function findUsages(
  model: Model,
  sources: readonly SourceText[],
  options: UsageOptions = {},
): readonly Found[] {
  const index = indexOf(model)
  return [...openFiles(model, sources, options)].flatMap(([path, { read, context }]) =>
    findSightings(read, context, options.hooks).map((sighting) => ({
      path,
      sighting,
      read,
      context,
      messages: resolve(sighting, index).messages,
    })),
  )
}

const once = (all: readonly UnknownUsage[]): readonly UnknownUsage[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
]

function placeOf({ source }: ReadFile, node: ts.Node): { line: number; column: number } {
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source))
  return { line: line + 1, column: character + 1 }
}
