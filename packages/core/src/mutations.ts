import { isGraphqlName } from './graphql-name.ts'

/** Kinds of mutations of the data gateway, each of one record or of many. */
export const mutationKinds = [
  'insert',
  'insertMany',
  'update',
  'updateMany',
  'delete',
  'deleteMany',
] as const

export type MutationKind = (typeof mutationKinds)[number]

/** Returns whether a mutation is named like one of many records. */
export const isNamedMany = (name: string): boolean => /^(?:insert|update|delete)Many/.test(name)

/** Mutation that a listing names, with its kind if the listing has it. */
export interface ListedMutation {
  readonly name: string
  readonly kind?: MutationKind | undefined
}

/**
 * Returns the name of each kind of mutation that the listing of a schema names: the name of the
 * kind and the schema, otherwise the first name that begins with the kind, of those that GraphQL
 * allows if there are any. The insert is always the first name that begins with insert (section 4.5
 * rule 4).
 */
export function mutationNames(
  schemaName: string,
  mutations: readonly ListedMutation[],
): ReadonlyMap<MutationKind, string> {
  const names = new Map<MutationKind, string>()
  for (const { name, kind } of mutations) {
    if (kind !== undefined && !names.has(kind)) names.set(kind, name)
  }
  const listed = mutations.flatMap(({ name, kind }) => (kind === undefined ? name : []))
  for (const kind of mutationKinds) {
    if (names.has(kind)) continue
    const used = new Set(names.values())
    const free = listed.filter((name) => name.startsWith(kind) && !used.has(name))
    const ofKind = free.filter((name) => isNamedMany(name) === isNamedMany(kind))
    const found =
      kind === 'insert'
        ? free[0]
        : (free.find((name) => name === kind + schemaName) ??
          ofKind.find(isGraphqlName) ??
          ofKind[0])
    if (found !== undefined) names.set(kind, found)
  }
  return names
}
