import { upperFirst } from '@servicekit/core'
import type { NormalField, NormalSchema } from './normalise.ts'
import { scalarByAnyCase } from './scalars.ts'

export interface InlineObjects {
  /** Listed schemas, plus one for each nested object that is defined inline. */
  readonly schemas: readonly NormalSchema[]
  /** Schema names of the fields with inline objects. */
  readonly nameOf: ReadonlyMap<NormalField, string>
}

/**
 * Creates a schema for each nested object that is only defined inline: the field has
 * `fields`, and no listed schema has its type. Its name is that of the type, or
 * `Order.Payment` if the type is missing or already used for other members.
 */
export function collectInlineObjects(listed: readonly NormalSchema[]): InlineObjects {
  const known = new Set(listed.map((schema) => schema.name))
  const nameOf = new Map<NormalField, string>()
  const found = new Map<string, { readonly members: string; readonly schema: NormalSchema }>()
  for (const schema of listed) visit(schema.name, schema.fields)
  const schemas = [...listed]
  for (const { schema } of found.values()) schemas.push(schema)
  return { schemas, nameOf }

  function visit(owner: string, fields: readonly NormalField[]): void {
    for (const field of fields) {
      if (field.fields.length === 0 || known.has(field.type)) continue
      if (scalarByAnyCase(field.type) !== undefined) continue
      const members = JSON.stringify(field.fields)
      const path = `${owner}.${upperFirst(field.name)}`
      const name = [field.type, path, `${path}#${nameOf.size}`].find(
        (candidate) =>
          candidate !== '' &&
          !known.has(candidate) &&
          (found.get(candidate)?.members ?? members) === members,
      )!
      nameOf.set(field, name)
      if (!found.has(name)) {
        const { fields } = field
        const schema = { name, kind: 'object', query: undefined, mutations: [], fields } as const
        found.set(name, { members, schema })
        visit(name, field.fields)
      }
    }
  }
}
