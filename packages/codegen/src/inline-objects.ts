import { upperFirst } from './names.ts'
import type { NormalSchema } from './normalise.ts'
import type { NormalField } from './normalise-field.ts'
import { scalarByAnyCase } from './scalars.ts'

export interface InlineObjects {
  /** The listed schemas, and one more for each nested object that is spelled out in place. */
  readonly schemas: readonly NormalSchema[]
  /** Schema behind each field that spells one out. */
  readonly nameOf: ReadonlyMap<NormalField, string>
}

/**
 * Makes a schema of each nested object that is only spelled out in place: the
 * field's `fields` hold its members and no schema of the listing has its type.
 * It is called like its type, or `Order.Payment` where the type is missing or
 * already stands for other members.
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
      const place = `${owner}.${upperFirst(field.name)}`
      const name = [field.type, place, `${place}#${nameOf.size}`].find(
        (candidate) =>
          candidate !== '' &&
          !known.has(candidate) &&
          (found.get(candidate)?.members ?? members) === members,
      )!
      nameOf.set(field, name)
      if (!found.has(name)) {
        found.set(name, { members, schema: objectOf(name, field.fields) })
        visit(name, field.fields)
      }
    }
  }
}

function objectOf(name: string, fields: readonly NormalField[]): NormalSchema {
  return { name, kind: 'object', query: undefined, mutations: [], fields }
}
