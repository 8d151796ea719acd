import type { ts } from 'ts-morph'
import type { OpenFile } from './open-files.ts'
import type { Index } from './resolve.ts'

/** Position in a file, one-based. */
interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Message that a file exports to code that is not read. */
export interface ExportedMessage extends Position {
  readonly module: string
  /** Undefined for all messages of the module. */
  readonly key: string | undefined
}

/** Imports and exports of a file, without its syntax tree. */
export interface FileLinks {
  readonly path: string
  /** Files that it imports, or may import. */
  readonly imports: readonly string[]
  readonly messages: readonly ExportedMessage[]
  /** Files that it exports as a whole. */
  readonly wholeFiles: readonly string[]
}

/** Reads the links of a file. */
export function linksOf(
  path: string,
  { read, context, fileOf, exportOf }: OpenFile,
  index: Index,
  positionOf: (node: ts.Node) => Position,
): FileLinks {
  const { imports, exports, paths } = read
  const specifiers = [
    ...imports.map(({ specifier }) => specifier),
    ...exports.stars.map(({ specifier }) => specifier),
    ...[...exports.named.values()].flatMap((one) => ('specifier' in one ? [one.specifier] : [])),
    ...paths.flatMap(({ text, kind }) => (kind === 'loaded' || kind === 'path' ? [text] : [])),
  ]
  const values = [
    ...[...exports.named].map(([name, one]) => ({
      node: 'specifier' in one ? one.node : 'declared' in one ? one.declared : one.expression,
      value: exportOf(name),
    })),
    ...exports.stars.map(({ specifier, node }) => ({
      node,
      value: context.imported(specifier, '*'),
    })),
  ]
  return {
    path,
    imports: specifiers.flatMap((specifier) => fileOf(specifier) ?? []),
    messages: values.flatMap(({ node, value }): ExportedMessage[] => {
      if (value?.kind === 'module') {
        return [{ ...positionOf(node), module: value.module, key: undefined }]
      }
      if (value?.kind !== 'message') return []
      const { module } = value
      const key = index.get(module)?.names.get(value.name)?.key
      return key === undefined ? [] : [{ ...positionOf(node), module, key }]
    }),
    wholeFiles: values.flatMap(({ value }) => (value?.kind === 'file' ? [value.file] : [])),
  }
}

/**
 * Returns the messages that code outside the sources may import: the re-exports of a library, and
 * those of files that no other file imports. The application decides about the others.
 */
export function exportedMessages(
  files: readonly FileLinks[],
  isLibrary: (path: string) => boolean,
): readonly ExportedMessage[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  // Tests import what a library exports.
  const imported = new Set(files.flatMap(({ path, imports }) => (isTest(path) ? [] : imports)))
  const found: ExportedMessage[] = []
  const seen = new Set<string>()
  const addAll = (path: string): void => {
    const file = byPath.get(path)
    if (!file || seen.has(path)) return
    seen.add(path)
    found.push(...file.messages)
    for (const whole of file.wholeFiles) addAll(whole)
  }
  for (const { path } of files) if (isLibrary(path) || !imported.has(path)) addAll(path)
  return found
}

const isTest = (path: string): boolean =>
  /(?:^|\/)(?:tests?|__tests__|specs?|stories)\/|\.(?:test|spec|stories|cy)\.\w+$/.test(path)
