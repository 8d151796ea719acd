import { expect, test } from 'vitest'
import { storefront } from '../test/storefront.ts'
import { buildModel } from './model.ts'
import { normaliseListing } from './normalise.ts'
import { findRelations } from './relations.ts'

const model = buildModel(normaliseListing(storefront))
const found = (
  ...given: Parameters<typeof findRelations> extends [unknown, ...infer R] ? R : never
) =>
  findRelations(model, ...given).map(
    ({ from, field, to }) => `${from.name}.${field.name}: ${to.name}`,
  )

test('finds relations by names and by nested objects', () => {
  expect(found()).toMatchInlineSnapshot(`
    [
      "Customer.FavouriteProductIds: Product",
      "Customer.HomeAddress: Address",
      "Order.CustomerId: Customer",
      "Order.Lines: OrderLine",
      "Order.ShippingAddress: Address",
      "OrderLine.ProductId: Product",
      "Product.CategoryId: Category",
    ]
  `)
})

test('a configured relation adds one, or removes one that names suggest', () => {
  const relations = found({ 'Category.ParentId': 'Category', 'Product.CategoryId': false })
  expect(relations).toContain('Category.ParentId: Category')
  expect(relations).not.toContain('Product.CategoryId: Category')
})

test('names what a configured relation misspells', () => {
  expect(() => found({ 'Category.ParentID': 'Category' })).toThrow(
    'Unknown field "Category.ParentID". Did you mean "Category.ParentId"?',
  )
  expect(() => found({ 'Category.ParentId': 'Categorie' })).toThrow(
    'Unknown schema "Categorie". Did you mean "Category"?',
  )
})
