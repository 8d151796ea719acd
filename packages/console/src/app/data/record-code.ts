import type { DataSchema } from '@servicekit/client/data'
import { upperFirst } from '@servicekit/core'
import { printExactJson } from '@servicekit/core/exact-json'
import { isEntity, systemFields } from './relations.ts'
import { argumentsOf, listDocument, type ListState } from './record-query.ts'
import type { RecordSchema } from './schema-catalog.ts'

/** Request for people who copy it, and the same with generated code. */
interface CopiedCode {
  readonly typed: string
  readonly path: string
  readonly body: { readonly query: string; readonly variables?: object }
}

const path = '/data/v4/gateway'

/** Returns the code of a list of records. */
export function listCode(schema: RecordSchema, list: ListState): CopiedCode {
  const variables = argumentsOf(list)
  return {
    typed: `const result = await list${upperFirst(schema.query)}(gateway, ${printExactJson(variables)})`,
    path,
    body: { query: listDocument(schema), variables },
  }
}

/** Returns the code that reads one record. */
export function recordCode(schema: RecordSchema, id: string): CopiedCode {
  const variables = { where: { ItemId: { eq: id } }, paging: { pageNo: 1, pageSize: 1 } }
  return {
    typed: `const result = await get${upperFirst(schema.name)}(gateway, ${JSON.stringify(id)})`,
    path,
    body: { query: listDocument(schema), variables },
  }
}

const scalars = /^(?:string|id|int|float|long|boolean|datetime|geojson)$/i

/** Returns the code that reads the scalar fields of a schema; undefined for a nested object. */
export function schemaCode(schema: DataSchema): CopiedCode | undefined {
  const { querySchema: query, fields } = schema
  if (!query || !isEntity(schema)) return undefined
  const own = (fields ?? []).filter(
    ({ name, type }) => !systemFields.has(name) && scalars.test(type ?? ''),
  )
  const select = ['ItemId', ...own.map(({ name }) => name)]
  return {
    typed: `const result = await list${upperFirst(query)}(gateway, ${JSON.stringify({ select })})`,
    path,
    body: { query: `{ ${query} { items { ${select.join(' ')} } } }` },
  }
}

/** Returns the statement that sends a query. */
export const queryCode = (body: object): string =>
  `const result = await client.data.execute(${printExactJson(body)})`
