import { isJsonObject, type JsonObject, type JsonProperty } from '@servicekit/core'
import type { FileContent, FileEntry, SkippedValue } from '../entry.ts'
import { isLanguageName } from '../language-name.ts'
import { namesOfPath } from '../path-names.ts'
import { formKey, isCategory } from '../plural-keys.ts'

interface TreeFile {
  readonly path: string
  readonly lineAt: (offset: number) => number
  /** Reads objects of plural categories as plural forms, as in Rails. */
  readonly hasPluralObjects?: boolean
}

/** Returns the entries of a tree: `{a: {b: 'x'}}` has the key `a.b`, as in most tools. */
export function entriesOfTree(root: JsonObject, file: TreeFile): FileContent {
  const languages = languageRoots(root, file.path)
  const entries: FileEntry[] = []
  const skipped: SkippedValue[] = []
  for (const { language, tree } of languages ?? [{ language: undefined, tree: root }]) {
    visit(tree, '', (key, { node, offset }) => {
      const line = file.lineAt(offset)
      if (isJsonObject(node)) return
      const { value } = node
      if (typeof value === 'string' || value === null) {
        entries.push({ key, value: value ?? '', line, ...(language && { language }) })
      } else skipped.push({ key, line, reason: reasonFor(value) })
    })
  }
  return { entries, skipped }

  function visit(
    { entries: properties, repeated }: JsonObject,
    prefix: string,
    found: (key: string, property: JsonProperty) => void,
  ): void {
    for (const [name, property] of [...repeated, ...properties]) {
      const key = prefix + name
      const { node } = property
      if (!isJsonObject(node)) found(key, property)
      else if (file.hasPluralObjects && isPluralObject(node)) {
        for (const [category, form] of node.entries) {
          found(formKey(key, category as Parameters<typeof formKey>[1]), form)
        }
      } else if (node.entries.size === 0) {
        skipped.push({ key, line: file.lineAt(property.offset), reason: 'is empty' })
      } else visit(node, `${key}.`, found)
    }
  }
}

/** Returns the trees by language, if the names at the top are languages. */
export function languageRoots(
  { entries }: JsonObject,
  path: string,
): readonly { readonly language: string; readonly tree: JsonObject }[] | undefined {
  const roots = [...entries].flatMap(([language, { node }]) =>
    isLanguageName(language) && isJsonObject(node) ? [{ language, tree: node }] : [],
  )
  if (roots.length === 0 || roots.length < entries.size) return undefined
  const known = namesOfPath(path).language
  const plain = (name: string): string => name.toLowerCase().replaceAll('_', '-')
  const isOfPath = known === undefined || plain(known) === plain(roots[0]!.language)
  return roots.length > 1 || isOfPath ? roots : undefined
}

/** Returns whether an object has nothing but plural forms, as in Rails. */
const isPluralObject = ({ entries }: JsonObject): boolean =>
  entries.has('other') &&
  entries.size > 1 &&
  [...entries].every(([name, { node }]) => isCategory(name) && !isJsonObject(node))

const reasonFor = (value: unknown): string =>
  Array.isArray(value)
    ? 'is a list, which has no key for each text'
    : `is a ${typeof value}, and not a text`
