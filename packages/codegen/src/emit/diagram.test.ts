import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listings } from '../../test/random-listing.ts'
import { storefront } from '../../test/storefront.ts'
import { buildModel } from '../model.ts'
import { normaliseListing } from '../normalise.ts'
import { emitDiagram } from './diagram.ts'

const model = buildModel(normaliseListing(storefront))

test('diagram.md of the storefront', async () => {
  const { name, text } = emitDiagram(model, { 'Category.ParentId': 'Category' })
  await expect(text).toMatchFileSnapshot(`../../__snapshots__/storefront/${name}`)
})

const field = (name: string, type = 'String', isArray = false) => ({ name, type, isArray })
const diagramOf = (...schemas: readonly object[]): string =>
  emitDiagram(buildModel(normaliseListing(schemas))).text

test('finds relations by names, but none by the fields that every record has', () => {
  const text = diagramOf(
    { schemaName: 'Item', schemaType: 1, fields: [field('ownerIds', 'ID', true)] },
    { schemaName: 'Owner', schemaType: 1, fields: [field('item_id'), field('ValidId', 'Int')] },
    { schemaName: 'Organization', schemaType: 1, fields: [field('OrganizationId')] },
    { schemaName: 'Valid', schemaType: 1, fields: [field('Owner', 'Owner')] },
  )
  expect(text.split('\n').filter((line) => line.includes(' : '))).toEqual([
    '  "Owner" }o..o{ "Item" : "ownerIds"',
    '  "Item" |o..o{ "Owner" : "item_id"',
    '  "Owner" |o--|| "Valid" : "Owner"',
  ])
})

test('no name and no description of the listing breaks the syntax', () => {
  const text = diagramOf({
    schemaName: 'My "own" %% schema',
    schemaType: 1,
    fields: [{ ...field('Text', '[String!]\n}'), description: 'says "yes"\n```\n%%{init}%%' }],
  })
  expect(text).toContain(`  "My 'own' schema" {\n`)
  expect(text.match(/```/g)).toHaveLength(2)
})

/** Lines of an entity-relationship diagram, as its documentation describes them. */
const line =
  /^ {2}(?:"[^"]+" \{|\}|"[^"]+" [|}]o(?:--|\.\.)(?:o\{|\|\|) "[^"]+" : "[^"]+")$|^ {4}[\p{L}_][\p{L}\p{N}_-]*(?:\[\])? [\p{L}_][\w]*(?: [PF]K)?(?: "[^"]*")?$/u

test('every line of a random listing has the syntax of a diagram', () => {
  let count = 0
  fc.assert(
    fc.property(listings, (listing) => {
      const { text } = emitDiagram(buildModel(normaliseListing(listing)))
      const lines = text.split('\n').slice(4, -2)
      expect(lines.filter((one) => !line.test(one))).toEqual([])
      count += lines.length
    }),
  )
  expect(count).toBeGreaterThan(1000)
})
