import { upperFirst } from './names.ts'
import type { NormalSchema } from './normalise.ts'
import type { NormalField } from './normalise-field.ts'
import { scalarByAnyCase } from './scalars.ts'

/**
 * Makes a schema of each nested object that is only spelled out in place: the
 * field's `fields` hold its members and no schema of the listing has its type.
 * Where several fields spell out the same type, their members are united.
 */
export function collectInlineObjects(listed: readonly NormalSchema[]): NormalSchema[] {
  const known = new Set(listed.map((schema) => schema.name))
  const found = new Map<string, NormalField[]>()
  for (const schema of listed) visit(schema.name, schema.fields)
  const objects = [...found].map(([name, fields]): NormalSchema => ({
    name,
    kind: 'object',
    query: undefined,
    mutations: [],
    fields,
  }))
  return [...listed, ...objects]

  function visit(owner: string, fields: readonly NormalField[]): void {
    for (const field of fields) {
      if (field.fields.length === 0 || scalarByAnyCase(field.type) !== undefined) continue
      const name = inlineNameOf(owner, field)
      visit(name, field.fields)
      if (known.has(name)) continue
      const members = found.get(name) ?? []
      found.set(name, members)
      const present = new Set(members.map((member) => member.name))
      members.push(...field.fields.filter((member) => !present.has(member.name)))
    }
  }
}

/** Name of the object behind a field: its type, or `Order.Payment` where it has none. */
export function inlineNameOf(owner: string, field: NormalField): string {
  return field.type === '' ? `${owner}.${upperFirst(field.name)}` : field.type
}
