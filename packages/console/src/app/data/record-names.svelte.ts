import type { Core } from '@servicekit/client/core'
import { SvelteMap } from 'svelte/reactivity'
import { runDocument } from './gateway.ts'
import type { DataRecord } from './record-query.ts'
import type { RecordSchema, RelatedSchema } from './schema-catalog.ts'

/** Record that a field may refer to. */
export interface NamedRecord {
  readonly id: string
  readonly name: string
}

/** Number of records that a search offers. */
const maxFound = 20

/** Returns the ids in a field that refers to records. */
export const idsOf = (value: unknown): readonly string[] =>
  [value].flat().filter((id): id is string => typeof id === 'string' && id !== '')

/** Creates a cache of the names of records that others refer to. */
export function createRecordNames(core: Core) {
  const known = new SvelteMap<string, string>()
  const keyOf = ({ name }: RelatedSchema, id: string): string => `${name} ${id}`

  async function read(
    target: RelatedSchema,
    where: object,
    pageSize: number,
    signal?: AbortSignal,
  ): Promise<readonly NamedRecord[]> {
    const { name, query, label } = target
    if (label === undefined) return []
    const document = `query Names($where: ${name}FilterInput, $paging: PaginationInput) {
      list: ${query}(where: $where, paging: $paging) { items { ItemId ${label} } }
    }`
    const variables = { where, paging: { pageNo: 1, pageSize } }
    const { list } = await runDocument<{ list: { items: readonly DataRecord[] } }>(
      core,
      document,
      variables,
      signal,
    )
    return list.items.flatMap((record) => {
      const text = record[label]
      if (typeof text !== 'string' || text === '') return []
      known.set(keyOf(target, record.ItemId), text)
      return [{ id: record.ItemId, name: text }]
    })
  }

  return {
    /** Returns the name of a record, once it is known. */
    nameOf: (target: RelatedSchema, id: string): string | undefined => known.get(keyOf(target, id)),
    /** Reads the names of the records that others refer to. @throws ApiError */
    load: async (
      { fields }: RecordSchema,
      records: readonly DataRecord[],
      signal?: AbortSignal,
    ): Promise<void> => {
      await Promise.all(
        fields.map(async ({ name, target }) => {
          if (target?.label === undefined) return
          const ids = new Set(records.flatMap((record) => idsOf(record[name])))
          const unknown = [...ids].filter((id) => !known.has(keyOf(target, id)))
          if (unknown.length === 0) return
          await read(target, { ItemId: { in: unknown } }, unknown.length, signal)
        }),
      )
    },
    /** Finds records by a part of their name; the first ones without a text. @throws ApiError */
    search: (target: RelatedSchema, text: string): Promise<readonly NamedRecord[]> =>
      read(target, text === '' ? {} : { [target.label ?? '']: { contains: text } }, maxFound),
  }
}

export type RecordNames = ReturnType<typeof createRecordNames>
