import { entitiesOf } from './schemas.mjs'

/**
 * Prints programs that call each generated operation once and read one field of its result.
 *
 * @typedef {import('./schemas.mjs').Schema} Schema
 */

/** Prints the required members of an insert. @param {Schema} schema */
function inputOf({ fields }) {
  const values = {
    String: `'a'`,
    Int: '1',
    Float: '1.5',
    Boolean: 'true',
    DateTime: `'2026-01-01'`,
  }
  return fields
    .filter(({ requiredOn }) => requiredOn === 'Insert')
    .map(({ name, type, isArray }) => {
      const value = values[/** @type {keyof typeof values} */ (type)]
      return `${name}: ${isArray ? `[${value}]` : value}`
    })
    .join(', ')
}

/** Converts `OrderLine` to `order-line`. @param {string} name */
const kebab = (name) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()

/**
 * Prints calls of an update by ItemId and a delete, in addition to those of lists and inserts.
 *
 * @param {readonly Schema[]} schemas
 * @param {string} folder relative path of the generated modules
 * @param {string} where printed ItemId or condition of the delete
 */
export function printServicekitChanges(schemas, folder, where) {
  const imports = entitiesOf(schemas).map(
    ({ schemaName: name }) =>
      `import { delete${name}, update${name} } from '${folder}/${kebab(name)}.js'\n`,
  )
  const uses = entitiesOf(schemas).map(
    ({ schemaName: name }) => `
export const update${name}Use = async (gateway: Gateway): Promise<string | null | undefined> => {
  const result = await update${name}(gateway, 'a', { Language: 'en' })
  return result.ok ? result.data.itemId : undefined
}
export const delete${name}Use = async (gateway: Gateway): Promise<string | null | undefined> => {
  const result = await delete${name}(gateway, ${where}, { isHardDelete: true })
  return result.ok ? result.data.itemId : undefined
}`,
  )
  return `${printServicekitUsage(schemas, folder)}${imports.join('')}${uses.join('')}\n`
}

/**
 * @param {readonly Schema[]} schemas
 * @param {string} folder relative path of the generated modules
 */
export function printServicekitUsage(schemas, folder) {
  const imports = entitiesOf(schemas).map(
    ({ schemaName: name, querySchema }) =>
      `import { insert${name}, list${querySchema} } from '${folder}/${kebab(name)}.js'\n`,
  )
  const uses = entitiesOf(schemas).map(
    (schema) => `
export const list${schema.schemaName}Use = async (gateway: Gateway): Promise<string | null | undefined> => {
  const result = await list${schema.querySchema}(gateway, { where: { ItemId: { eq: 'a' } }, paging: { pageNo: 1, pageSize: 20 } })
  return result.ok ? result.data.items[0]?.ItemId : undefined
}
export const insert${schema.schemaName}Use = async (gateway: Gateway): Promise<string | null | undefined> => {
  const result = await insert${schema.schemaName}(gateway, { ${inputOf(schema)} })
  return result.ok ? result.data.itemId : undefined
}`,
  )
  return `import type { Gateway } from '${folder}/gateway.js'\n${imports.join('')}${uses.join('')}\n`
}

/**
 * @param {readonly Schema[]} schemas
 * @param {string} file path of the generated documents
 * @param {'node' | 'string'} mode its configured document mode
 */
export function printClientPresetUsage(schemas, file, mode) {
  const documents = entitiesOf(schemas).map(
    ({ schemaName, querySchema }) => `List${querySchema}Document, Insert${schemaName}Document`,
  )
  const uses = entitiesOf(schemas).map(
    (schema) => `
export const list${schema.schemaName}Use = async (): Promise<string | null | undefined> => {
  const result = await execute(List${schema.querySchema}Document, { where: { ItemId: { eq: 'a' } }, paging: { pageNo: 1, pageSize: 20 } })
  return result.${schema.querySchema}?.items[0]?.ItemId
}
export const insert${schema.schemaName}Use = async (): Promise<string | null | undefined> => {
  const result = await execute(Insert${schema.schemaName}Document, { input: { ${inputOf(schema)} } })
  return result.insert${schema.schemaName}?.itemId
}`,
  )
  const document = mode === 'node' ? 'TypedDocumentNode' : 'TypedDocumentString'
  const from = mode === 'node' ? '@graphql-typed-document-node/core' : file
  return `import type { ${document} } from '${from}'
import { ${documents.join(', ')} } from '${file}'

declare function execute<Result, Variables>(document: ${document}<Result, Variables>, variables: Variables): Promise<Result>
${uses.join('')}
`
}
