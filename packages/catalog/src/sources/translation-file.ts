import type { TranslationFile } from '../model/catalog.ts'
import {
  createLines,
  isJsonObject,
  type JsonNode,
  type JsonObject,
  memoize,
  parseJsonTree,
  parseYamlTree,
  PlacedSyntaxError,
  positionAt,
} from '@servicekit/core'
import { loadYaml } from './load-yaml.ts'

/** Value of a key with its place. */
interface FileEntry {
  readonly value: unknown
  /** Number of UTF-16 code units before its name. */
  readonly offset: number
}

export type FileEntries = ReadonlyMap<string, FileEntry>

/** Content of a translation file. */
export interface ParsedFile {
  readonly tree: JsonObject
  /** Name at the top that contains everything, as in Rails: the language. */
  readonly root: string | undefined
}

/**
 * Parses a translation file.
 *
 * @param languages Names of its language. If the only name at the top is one of them, everything is
 * in it.
 * @throws PlacedSyntaxError
 */
export function parseTranslationFile(
  text: string,
  format: 'json' | 'yaml',
  languages: readonly string[],
): ParsedFile {
  const tree =
    format === 'yaml'
      ? parseYamlTree(text, loadYaml(undefined))
      : text.trim() === ''
        ? empty()
        : parseJsonTree(text)
  if (!isJsonObject(tree)) {
    throw new PlacedSyntaxError('it is not an object of keys and translations', 0)
  }
  const [only, ...others] = tree.entries
  const isRoot =
    only !== undefined &&
    others.length === 0 &&
    isJsonObject(only[1].node) &&
    languages.some((name) => plain(name) === plain(only[0]))
  return isRoot ? { tree: only[1].node as JsonObject, root: only[0] } : { tree, root: undefined }
}

const empty = (): JsonNode => ({ entries: new Map(), repeated: [] })
const plain = (name: string): string => name.toLowerCase().replaceAll('_', '-')

/**
 * Returns the entries by module of a file whose names at the top are modules. Texts at the top are
 * in the module without a name.
 */
export function sectionsOf({ entries }: JsonObject): ReadonlyMap<string | undefined, FileEntries> {
  const sections = new Map<string | undefined, FileEntries>()
  const rest: JsonObject = { entries: new Map(), repeated: [] }
  for (const [name, property] of entries) {
    if (isJsonObject(property.node)) sections.set(name, entriesOf(property.node))
    else rest.entries.set(name, property)
  }
  return rest.entries.size > 0 ? sections.set(undefined, entriesOf(rest)) : sections
}

/** Deeper nesting is a value, which is reported. */
const deepest = 50

/**
 * Returns the entries of an object: `{a: {b: 'x'}}` has the key `a.b`, as in most tools. A key that
 * is written with dots takes precedence over nested names.
 */
export function entriesOf({ entries }: JsonObject): FileEntries {
  const flat = new Map<string, FileEntry>()
  const add = (prefix: string, object: JsonObject['entries'], depth: number): void => {
    for (const [name, { node, offset }] of object) {
      const key = prefix === '' ? name : `${prefix}.${name}`
      if (isJsonObject(node) && depth < deepest) add(key, node.entries, depth + 1)
      else if (prefix === '' || !isFlat(entries, key)) {
        flat.set(key, { value: isJsonObject(node) ? {} : node.value, offset })
      }
    }
  }
  add('', entries, 0)
  return flat
}

const isFlat = (entries: JsonObject['entries'], key: string): boolean => {
  const found = entries.get(key)
  return found !== undefined && !isJsonObject(found.node)
}

/** Returns where the keys of a file are. */
export function translationFile(path: string, text: string, entries: FileEntries): TranslationFile {
  const lines = memoize((_: undefined) => createLines(text))
  return {
    path,
    positionOf(key) {
      const found = entries.get(key)
      if (!found) return undefined
      return { line: lines(undefined)(found.offset), column: positionAt(text, found.offset).column }
    },
  }
}
