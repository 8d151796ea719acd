// The generator replaces these values if the option `long` is `bigint` or `string`.

/** Type of fields of type Long. @internal */
export const longType: 'number' | 'bigint' | 'string' = 'number'

/** Type of the values in conditions on such fields. @internal */
export const longFilter: 'number' | 'string' = 'number'

/** Names of the schemas that queries list, by root field. @internal */
export const longRoots: { readonly [field: string]: string } = {}

/**
 * Fields of type Long of each schema, and its objects that contain some, by schema name: `'Long'`,
 * or the name of the object's schema.
 *
 * @internal
 */
export const longSchemas: { readonly [schema: string]: { readonly [field: string]: string } } = {}
