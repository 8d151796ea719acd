import type { ChangeKind } from '../src/index.ts'

interface EditedField {
  name: string
  type: string
  isArray?: boolean
  requiredOn?: string
  description?: string
}

export interface EditedSchema {
  schemaName: string
  schemaType: 1 | 2
  querySchema?: string
  mutationSchemas?: string[]
  fields: EditedField[]
}

/** Expected report of a check for an edit: the kind of each place, and nothing else. */
export type Expected = readonly (readonly [kind: ChangeKind, place: string])[]

export interface Edit {
  readonly what: string
  readonly listing: readonly EditedSchema[]
  readonly expected: Expected
}

/** Returns a deterministic generator of pseudo-random numbers: mulberry32. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const types = ['String', 'Int', 'Float', 'Long', 'Boolean', 'DateTime', 'ID', 'Address']

/**
 * Creates a listing of 6 entities and one nested object, with fields determined by a
 * seed.
 */
export function baseListing(seed: number): EditedSchema[] {
  const random = randomOf(seed)
  const fields = (count: number): EditedField[] =>
    Array.from({ length: count }, (_, index) => ({
      name: `Field${index}`,
      type: types[random(types.length)]!,
      isArray: random(6) === 0,
      requiredOn: ['None', 'None', 'Insert', 'Both', 'Update'][random(5)]!,
      description: random(2) === 0 ? '' : `About ${index}.`,
    }))
  const entities = ['Order', 'Product', 'Customer', 'Invoice', 'Ticket', 'Device']
  return [
    ...entities.map((name): EditedSchema => ({
      schemaName: name,
      schemaType: 1,
      querySchema: `${name}s`,
      mutationSchemas: [`insert${name}`],
      fields: fields(4 + random(6)),
    })),
    {
      schemaName: 'Address',
      schemaType: 2,
      fields: [
        { name: 'City', type: 'String', requiredOn: 'None' },
        { name: 'Zip', type: 'String', requiredOn: 'None' },
      ],
    },
  ]
}

type Change = (context: {
  readonly listing: EditedSchema[]
  readonly schema: EditedSchema
  readonly field: EditedField
  readonly random: (below: number) => number
}) => Expected

const at = ({ schemaName }: EditedSchema, field?: string): string =>
  field === undefined ? schemaName : `${schemaName}.${field}`
const isNeeded = (field: EditedField): boolean =>
  field.requiredOn === 'Insert' || field.requiredOn === 'Both'

/** All kinds of changes of a listing, with the expected report of each. */
const edits: Readonly<Record<string, Change>> = {
  'nothing changes': () => [],
  'the order changes': ({ listing }) => {
    listing.reverse()
    return []
  },
  'an optional field is new': ({ schema }) => {
    schema.fields.push({ name: 'Fresh', type: 'String', requiredOn: 'None' })
    return [['additive', at(schema, 'Fresh')]]
  },
  'a required field is new': ({ schema }) => {
    schema.fields.unshift({ name: 'Fresh', type: 'Int', requiredOn: 'Insert' })
    return [['breaking', at(schema, 'Fresh')]]
  },
  'a field is gone': ({ schema, field }) => {
    schema.fields.splice(schema.fields.indexOf(field), 1)
    return [['breaking', at(schema, field.name)]]
  },
  'a field is renamed': ({ schema, field }) => {
    const old = field.name
    field.name = `${old}New`
    return [
      ['breaking', at(schema, old)],
      [isNeeded(field) ? 'breaking' : 'additive', at(schema, field.name)],
    ]
  },
  'a text becomes a truth value': ({ schema, field }) => {
    if (field.type !== 'String') return []
    field.type = 'Boolean'
    return [['breaking', at(schema, field.name)]]
  },
  'a number gets wider': ({ schema, field }) => {
    if (field.type !== 'Int' && field.type !== 'Long') return []
    field.type = 'Float'
    return [['additive', at(schema, field.name)]]
  },
  'a number gets narrower': ({ schema, field }) => {
    if (field.type !== 'Float') return []
    field.type = 'Int'
    return [['breaking', at(schema, field.name)]]
  },
  'one becomes many, or many one': ({ schema, field }) => {
    field.isArray = field.isArray !== true
    return [['breaking', at(schema, field.name)]]
  },
  'a field becomes required, or optional': ({ schema, field }) => {
    const wasNeeded = isNeeded(field)
    field.requiredOn = wasNeeded ? 'None' : 'Insert'
    return [[wasNeeded ? 'additive' : 'breaking', at(schema, field.name)]]
  },
  'a field is required on update': ({ schema, field }) => {
    if (field.requiredOn !== 'None') return []
    field.requiredOn = 'Update'
    return [['same', at(schema, field.name)]]
  },
  'a description changes': ({ schema, field }) => {
    field.description = `${field.description ?? ''} More.`
    return [['same', at(schema, field.name)]]
  },
  'a schema is gone': ({ listing, schema }) => {
    listing.splice(listing.indexOf(schema), 1)
    return [['breaking', at(schema)]]
  },
  'a schema is new': ({ listing }) => {
    const fields = [{ name: 'Name', type: 'String' }]
    const names = { querySchema: 'Parcels', mutationSchemas: ['insertParcel'] }
    listing.push({ schemaName: 'Parcel', schemaType: 1, ...names, fields })
    return [['additive', 'Parcel']]
  },
  'a query is renamed': ({ schema }) => {
    schema.querySchema = `All${schema.querySchema}`
    return [['breaking', at(schema)]]
  },
  'an insert is renamed': ({ schema }) => {
    schema.mutationSchemas = [`insertOne${schema.schemaName}`]
    return [['breaking', at(schema)]]
  },
}

/** Returns edits of listings with increasing seeds, cycling through all kinds. */
export function editsOf(count: number): readonly (Edit & { readonly seed: number })[] {
  const kinds = Object.entries(edits)
  return Array.from({ length: count }, (_, seed) => {
    const random = randomOf(seed + 1000)
    const listing = baseListing(seed)
    const entities = listing.filter(({ schemaType }) => schemaType === 1)
    const schema = entities[random(entities.length)]!
    const field = schema.fields[random(schema.fields.length)]!
    const [what, change] = kinds[seed % kinds.length]!
    return { seed, what, expected: change({ listing, schema, field, random }), listing }
  })
}
