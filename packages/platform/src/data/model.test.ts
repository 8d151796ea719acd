import { readFileSync } from 'node:fs'
import { data } from '@servicekit/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildModel } from './model.ts'

const field = (name: string, type?: string, fields?: data.SchemaField[]): data.SchemaField => ({
  name,
  ...(type === undefined ? {} : { type }),
  ...(fields ? { fields } : {}),
})
const entity = (schemaName: string, fields: data.SchemaField[] = []): data.DataSchema => ({
  schemaName,
  schemaType: 1,
  querySchema: `${schemaName}s`,
  fields,
})
const fieldsOf = (definitions: data.DataSchema[], name: string) =>
  buildModel(definitions)
    .types.get(name)!
    .fields.filter(({ system }) => !system)
    .map(({ name, scalar, object }) => [name, scalar ?? object])

describe('types of fields', () => {
  it.each([
    ['String', 'String'],
    ['int', 'Int'],
    ['GEOJSON', 'GeoJson'],
    ['Unheard', 'JSON'],
    ['', 'JSON'],
    [undefined, 'JSON'],
  ])('%j is the scalar %s', (type, scalar) => {
    expect(fieldsOf([entity('A', [field('X', type)])], 'A')).toEqual([['X', scalar]])
  })

  it('prefer listed schemas to scalars and inline fields', () => {
    const definitions = [
      entity('A', [field('X', 'B', [field('Other', 'String')])]),
      { schemaName: 'B', schemaType: 2, fields: [field('Y', 'B')] },
    ]
    expect(fieldsOf(definitions, 'A')).toEqual([['X', 'B']])
    expect(fieldsOf(definitions, 'B')).toEqual([['Y', 'B']])
  })

  it('derive from inline fields, with a free name', () => {
    const inner = [field('Amount', 'Float')]
    const definitions = [
      entity('A', [field('X', 'Money', inner), field('Y', 'Money', inner), field('Z', '', inner)]),
    ]
    expect(fieldsOf(definitions, 'A')).toEqual([
      ['X', 'Money'],
      ['Y', 'A_Y'],
      ['Z', 'A_Z'],
    ])
    expect(fieldsOf(definitions, 'Money')).toEqual([['Amount', 'Float']])
  })
})

it('skips a field with the name of another, and reports it', () => {
  const twins = [entity('A', [field('X', 'Int'), field('X', 'String')])]
  expect(fieldsOf(twins, 'A')).toEqual([['X', 'Int']])
  expect(buildModel(twins).problems).toEqual([
    {
      code: 'FIELD_SKIPPED',
      schema: 'A',
      member: 'X',
      message: 'Another field has the same name.',
    },
  ])
})

describe('operations', () => {
  const names = (definition: Partial<data.DataSchema>, naming?: 'get') => {
    const { types } = buildModel([{ ...entity('A'), ...definition }], naming)
    const { query, mutations } = types.get('A')!
    return [query, mutations.insert]
  }

  it.each([
    [{}, ['As', 'insertA']],
    [{ querySchema: 'allTheA' }, ['allTheA', 'insertA']],
    [{ querySchema: null }, [undefined, 'insertA']],
    [{ mutationSchemas: ['updateA', 'insertOne', 'insertTwo'] }, ['As', 'insertOne']],
    [{ mutationSchemas: [{ name: 'insertObject' }] }, ['As', 'insertObject']],
    [{ schemaType: 2 }, [undefined, undefined]],
  ])('of %j are %j', (definition, expected) => {
    expect(names(definition)).toEqual(expected)
  })

  it.each([
    [['insertA', 'updateA', 'deleteA'], {}],
    [['insertManyA', 'insertA'], { insert: 'insertManyA', insertMany: undefined }],
    [['updateManyOfA', 'updateOfA'], { updateMany: 'updateManyOfA', update: 'updateOfA' }],
    [['removeA', 'deleteTheA'], { delete: 'deleteTheA' }],
  ])('of %j have names for one and many records', (mutationSchemas, changes) => {
    const { types } = buildModel([{ ...entity('A'), mutationSchemas }])
    expect(types.get('A')!.mutations).toEqual({
      insert: 'insertA',
      insertMany: 'insertManyA',
      update: 'updateA',
      updateMany: 'updateManyA',
      delete: 'deleteA',
      deleteMany: 'deleteManyA',
      ...changes,
    })
  })

  it('may start with get', () => {
    expect(names({}, 'get')).toEqual(['getAs', 'insertA'])
  })
})

it('reads the sample project without a problem', () => {
  const file = new URL('../../../../fixtures/projects/storefront/schemas.json', import.meta.url)
  const definitions = z.array(data.DataSchema).parse(JSON.parse(readFileSync(file, 'utf8')))
  expect(buildModel(definitions).problems).toEqual([])
})

it('never throws for invalid definitions', () => {
  const odd = [
    { schemaName: '' },
    { schemaName: 'constructor', fields: [field('hasOwnProperty', 'toString')] },
    { schemaName: 'A', fields: null, mutationSchemas: null },
    { schemaName: 'A' },
    { ...entity('Deep'), fields: [field('A', 'X', [field('B', 'X', [field('C', 'X', [])])])] },
  ]
  const { types, problems } = buildModel(odd)
  expect([...types.keys()].sort()).toEqual(['A', 'Deep', 'X', 'X_B', 'constructor'])
  expect(problems.map(({ schema }) => schema)).toEqual(['', 'A'])
})
