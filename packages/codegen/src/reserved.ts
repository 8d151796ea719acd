import { type RuntimePart, runtimeFiles } from './emit/runtime-files.ts'

/** Exports of a file of the runtime. */
interface RuntimeExports {
  readonly types: readonly string[]
  readonly values: readonly string[]
  /** Marked `@internal`: used only by generated modules. */
  readonly internals: readonly string[]
}

/** Returns the exports of a file of the runtime. */
export function exportsOf(part: RuntimePart): RuntimeExports {
  const found = [...runtimeFiles[part].ts.matchAll(exported)]
  const named = (isWanted: (mark: string, keyword: string) => boolean): readonly string[] =>
    found.filter(([, mark, keyword]) => isWanted(mark!, keyword!)).map(([, , , name]) => name!)
  const isType = (keyword: string): boolean => keyword === 'interface' || keyword === 'type'
  return {
    types: named((_, keyword) => isType(keyword)),
    values: named((mark, keyword) => mark === '' && !isType(keyword)),
    internals: named((mark) => mark !== ''),
  }
}

const exported =
  /(@internal \*\/\n|^)export (?:async )?(interface|type|function|class|const) (\w+)/gm

/** Identifiers used in generated modules, which are not available to schemas. */
export const reservedNames: readonly string[] = [
  ...(Object.keys(runtimeFiles) as RuntimePart[]).flatMap((part) =>
    Object.values(exportsOf(part)).flat(),
  ),
  'fields',
  // Type parameters of operations and nested rows.
  'F',
  'K',
  'R',
  'S',
  'AsyncGenerator',
  'Pick',
  'Promise',
]

/** Returns all names that the module of a schema may export, derived from its type name. */
export function derivedNames(type: string): readonly string[] {
  return [
    type,
    `${type}Field`,
    `${type}Scalars`,
    `${type}Members`,
    `${type}Where`,
    `${type}ListVariables`,
    `${type}ListOptions`,
    `${type}NestedOptions`,
    `${type}Sort`,
    `${type}Page`,
    `${type}InsertInput`,
    `${type}InsertSchema`,
    `${type}Shape`,
    `${type}Row`,
    `get${type}`,
    `get${type}Nested`,
    `get${type}Options`,
    `make${type}`,
    `make${type}InsertInput`,
  ]
}

/** Returns all names derived from the function name of a list query or insert. */
export function derivedOperations(identifier: string): readonly string[] {
  const names = [identifier, `${identifier}Document`, `${identifier}Nested`, `${identifier}Options`]
  if (!identifier.startsWith('list')) return names
  const what = identifier.slice('list'.length)
  return [...names, `count${what}`, `walk${what}`, `walk${what}Nested`]
}
