import type { Model } from '@servicekit/catalog'
import type { ts } from 'ts-morph'
import type { OpenFile } from './open-files.ts'
import { indexOf } from './resolve.ts'

/** Message that a file exports to code that is not read. */
export interface ExportedMessage {
  readonly path: string
  readonly node: ts.Node
  readonly module: string
  /** Undefined for all messages of the module. */
  readonly key: string | undefined
}

/**
 * Returns the messages that code outside the sources may import: the re-exports of a library, and
 * those of files that no other file imports. The application decides about the others.
 */
export function exportedMessages(
  files: readonly (readonly [path: string, file: OpenFile])[],
  model: Model,
  isLibrary: (path: string) => boolean,
): readonly ExportedMessage[] {
  const index = indexOf(model)
  const byPath = new Map(files)
  const imported = new Set(
    files.flatMap(([path, { read, fileOf }]) => {
      // Tests import what a library exports.
      if (isTest(path)) return []
      const { imports, exports, paths } = read
      const specifiers = [
        ...imports.map(({ specifier }) => specifier),
        ...exports.stars.map(({ specifier }) => specifier),
        ...[...exports.named.values()].flatMap((one) =>
          'specifier' in one ? [one.specifier] : [],
        ),
        ...paths.map(({ text }) => text),
      ]
      return specifiers.flatMap((specifier) => fileOf(specifier) ?? [])
    }),
  )
  const found: ExportedMessage[] = []
  const seen = new Set<string>()
  const addAll = (path: string): void => {
    const file = byPath.get(path)
    if (!file || seen.has(path)) return
    seen.add(path)
    const { exports } = file.read
    for (const [name, one] of exports.named) {
      const node = 'specifier' in one ? one.node : 'declared' in one ? one.declared : one.expression
      const value = file.context.member(path, name)
      if (value?.kind === 'module') found.push({ path, node, module: value.module, key: undefined })
      if (value?.kind === 'message') {
        const key = index.get(value.module)?.names.get(value.name)?.key
        if (key !== undefined) found.push({ path, node, module: value.module, key })
      }
      if (value?.kind === 'file') addAll(value.file)
    }
    for (const { specifier, node } of exports.stars) {
      const value = file.context.imported(specifier, '*')
      if (value?.kind === 'module') found.push({ path, node, module: value.module, key: undefined })
      if (value?.kind === 'file') addAll(value.file)
    }
  }
  for (const [path] of files) if (isLibrary(path) || !imported.has(path)) addAll(path)
  return found
}

const isTest = (path: string): boolean =>
  /(?:^|\/)(?:tests?|__tests__|specs?|stories)\/|\.(?:test|spec|stories|cy)\.\w+$/.test(path)
