import { type RuntimePart, runtimeFiles } from './emit/runtime-files.ts'

/** Kind of an export; `internal` (marked `@internal`) is used only by generated modules. */
type ExportKind = 'type' | 'value' | 'internal'

/** Returns the names of the exports of a runtime file, by default of every kind. */
export function exportsOf(part: RuntimePart, kind?: ExportKind): readonly string[] {
  return [...runtimeFiles[part].ts.matchAll(exported)].flatMap(([, mark, type, name = '']) => {
    const found = mark ? 'internal' : type ? 'type' : 'value'
    return kind === undefined || kind === found ? name : []
  })
}

const exported =
  /(@internal\s+\*\/\n|^)export (?:async )?(?:(interface|type)|function|class|const) (\w+)/gm

/** Keywords of JavaScript, which the names of mutations may be. */
const keywords = `
break case catch class const continue debugger default delete do else enum
export extends false finally for function if implements import in instanceof interface
let new null package private protected public return static super switch this
throw true try typeof var void while with yield await arguments`
  .trim()
  .split(/\s+/)

/** Identifiers used in generated modules, which are not available to schemas. */
export const reservedNames: readonly string[] = [
  ...(Object.keys(runtimeFiles) as RuntimePart[]).flatMap((part) => exportsOf(part)),
  'fields',
  // Type parameters of operations and nested rows.
  'F',
  'K',
  'L',
  'R',
  'S',
  'AsyncGenerator',
  'Pick',
  'Promise',
  ...keywords,
]

/** Returns all names that the module of a schema may export, derived from its type name. */
export function derivedNames(type: string): readonly string[] {
  return [
    type,
    `${type}Field`,
    `${type}Scalars`,
    `${type}Members`,
    `${type}Longs`,
    `${type}Where`,
    `${type}Condition`,
    `${type}Conditions`,
    `${type}ListVariables`,
    `${type}NestedOptions`,
    `${type}Sort`,
    `${type}Page`,
    `${type}InsertInput`,
    `${type}InsertSchema`,
    `${type}SchemaLabel`,
    `${type}Labels`,
    `${type}UpdateSchema`,
    `${type}Schema`,
    `${type}UpdateInput`,
    `${type}Shape`,
    `${type}Row`,
    `get${type}`,
    `to${type}Insert`,
    `to${type}Update`,
    `get${type}Nested`,
    `get${type}Options`,
    `load${type}`,
    `load${type}Options`,
    `label${type}`,
    `label${type}Options`,
    `to${type}Label`,
    `${type}References`,
    `get${type}NestedOptions`,
    `make${type}`,
    `make${type}InsertInput`,
  ]
}

/** Returns all names derived from the function name of a list query or mutation. */
export function derivedOperations(identifier: string): readonly string[] {
  const names = [identifier, `${identifier}Document`, `${identifier}Nested`, `${identifier}Options`]
  if (!identifier.startsWith('list')) return names
  const what = identifier.slice('list'.length)
  return [
    ...names,
    `${identifier}InfiniteOptions`,
    `${identifier}NestedOptions`,
    `${identifier}NestedInfiniteOptions`,
    `count${what}`,
    `count${what}Options`,
    `walk${what}`,
    `walk${what}Nested`,
    `pick${what}`,
    `pick${what}Options`,
  ]
}
