import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editsOf, baseListing } from '../test/edits.ts'
import { listings } from '../test/random-listing.ts'
import { storefront } from '../test/storefront.ts'
import { compareListings } from './compare-listings.ts'
import { diffModels } from './diff.ts'
import { emitAll } from './emit/emit-all.ts'
import { buildModel } from './model.ts'
import { normaliseListing } from './normalise.ts'

/** Files of the runtime, which every listing has. */
const runtime = new Set(emitAll(buildModel(normaliseListing([]))).map(({ name }) => name))
const modelOf = (listing: unknown) => buildModel(normaliseListing(listing))

/** Returns the declarations of the generated modules by name. */
const declarations = (listing: unknown): ReadonlyMap<string, string> => {
  const text = emitAll(modelOf(listing))
    .filter(({ name }) => !runtime.has(name))
    .map((file) => file.text)
    .join('\n')
  const parts = text.split(/^(?=export )/m)
  return new Map(
    parts.flatMap((part) => {
      const name = /^export (?:interface|type|const) ([\p{ID_Continue}$]+)/u.exec(part)?.[1]
      return name === undefined ? [] : [[name, part]]
    }),
  )
}

/** Expects verdicts as in `diffModels`, and names that the modules export before. */
const expectSuccess = (before: unknown, after: unknown): void => {
  const changes = compareListings(before, after)
  expect(changes.map(({ names: _, ...change }) => change)).toEqual(
    diffModels(modelOf(before), modelOf(after)).changes,
  )
  const exported = declarations(before)
  for (const { kind, names } of changes) {
    expect([...exported.keys()]).toEqual(expect.arrayContaining([...names]))
    expect(names.length > 0).toBe(kind === 'breaking')
  }
}

test('has the verdicts of the generator, and names what modules export', () => {
  fc.assert(fc.property(listings, listings, expectSuccess), { numRuns: 100 })
  for (const { seed, listing } of editsOf(200)) expectSuccess(baseListing(seed), listing)
})

test('names the types that a change of a field affects', () => {
  let compared = 0
  for (const { seed, listing } of editsOf(100)) {
    const before = baseListing(seed)
    const [old, next] = [declarations(before), declarations(listing)]
    for (const { field, names } of compareListings(before, listing)) {
      if (field === undefined) continue
      const types = names.filter((name) => old.get(name)!.startsWith('export interface'))
      const textOf = (all: ReadonlyMap<string, string>) => (type: string) =>
        `${all.get(type)}${all.get(`${type}Scalars`)}`
      for (const type of types) expect(textOf(next)(type), type).not.toBe(textOf(old)(type))
      compared += types.length
    }
  }
  expect(compared).toBeGreaterThan(40)
})

test('names the functions of a removed schema, and only inputs of a field that is required', () => {
  const items = storefront as readonly { schemaName: string; fields: { name: string }[] }[]
  const others = items.filter(({ schemaName }) => schemaName !== 'Product')
  expect(compareListings(items, others)).toMatchObject([
    {
      kind: 'breaking',
      schema: 'Product',
      names: expect.arrayContaining([
        'Product',
        'listProducts',
        'getProduct',
        'insertProduct',
      ]) as [],
    },
  ])
  const required = items.map((schema) => ({
    ...schema,
    fields: schema.fields.map((field) =>
      schema.schemaName === 'Product' && field.name === 'Material'
        ? { ...field, requiredOn: 'Insert' }
        : field,
    ),
  }))
  expect(compareListings(items, required)).toMatchObject([
    {
      field: 'Material',
      names: ['ProductInsertInput', 'insertProduct', 'insertManyProduct'],
    },
  ])
  expect(compareListings(required, items)).toMatchObject([{ kind: 'additive', names: [] }])
})

test('does not break code that updates nothing yet', () => {
  const schema = { schemaName: 'Product', querySchema: 'Products' }
  const field = { name: 'Sku', type: 'String', requiredOn: 'Update' }
  const updated = { ...schema, mutationSchemas: ['updateProduct'] }
  const kinds = (before: object) =>
    compareListings([before], [{ ...updated, fields: [field] }]).map(({ kind }) => kind)
  expect(kinds(schema)).not.toContain('breaking')
  expect(kinds(updated)).toContain('breaking')
})
