const head = `
import {
  createGateway, deleteManyProduct, deleteProduct, execute, getProduct, insertManyProduct, insertOrder, insertProduct,
  listOrders, listOrdersDocument, listOrdersNested, listProducts, omitUndefined, orThrow, type ProductField,
  type ProductWhere, toOrderUpdate, toProductInsert, toProductUpdate, updateManyOrder, updateManyProduct, updateOrder, updateProduct,
  updateProductDocument, walkProducts,
} from './storefront/index.js'
export const anything: ProductWhere = {}
export const used: readonly unknown[] = [
  deleteManyProduct, deleteProduct, execute, getProduct, insertManyProduct, insertOrder, insertProduct, listOrders,
  listOrdersDocument, listOrdersNested, listProducts, omitUndefined, orThrow, toOrderUpdate, toProductInsert, toProductUpdate,
  updateManyOrder, updateManyProduct, updateOrder, updateProduct, updateProductDocument, walkProducts,
]
const gateway = createGateway({ baseUrl: 'https://api.example.com', projectKey: 'P1' })
`

/** An application: each way to use generated code. */
export const right = `${head}
export async function rows(): Promise<string | null | undefined> {
  const result = await listProducts(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5, in: [1] }, or: [{ Name: { startsWith: 'C' } }, { ReleasedAt: { lt: new Date() } }] },
    order: [{ field: 'Price', direction: 'ASC' }, { field: 'Name' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors[0]?.message
  const total: number = result.data.totalCount
  const items: readonly { readonly ItemId: string; readonly Name: string | null; readonly Price: number | null }[] =
    result.data.items
  return total > 0 ? items[0]?.Name : undefined
}
export async function all(): Promise<readonly (string | null)[] | null | undefined> {
  const page = await orThrow(listProducts(gateway, { select: undefined, where: {} }))
  const weight: number | null | undefined = page.items[0]?.WeightGrams
  return weight === 1 ? page.items[0]?.Tags : page.items[0]?.Colours
}
export async function filtered(search?: string, from?: Date): Promise<number> {
  const where: ProductWhere = omitUndefined({
    Name: { contains: search, neq: null },
    Sku: search === undefined ? undefined : { eq: search },
    or: [{ ReleasedAt: { gt: from } }, { and: [{ Price: { lt: undefined } }] }],
  })
  const page = await orThrow(listProducts(gateway, { where: omitUndefined({ Name: { eq: search }, Price: { in: [1] } }) }))
  await updateManyProduct(gateway, { and: [where] }, {})
  return page.totalCount
}
export async function dynamic(select: ProductField[], some: readonly ('Name' | 'Price')[]): Promise<readonly unknown[]> {
  const [row] = (await orThrow(listProducts(gateway, { select }))).items
  const [other] = (await orThrow(listProducts(gateway, { select: some }))).items
  const [both] = (await orThrow(listProducts(gateway, { select: ['Sku', ...some] }))).items
  const one = await orThrow(getProduct(gateway, 'id', { select }))
  const rest: { readonly Name?: string | null; readonly Price?: number | null } | undefined = other
  for await (const { items } of walkProducts(gateway, { select })) {
    const id: string | undefined = items[0]?.ItemId
    const name: string | null | undefined = items[0]?.Name
    if (id === name) break
  }
  const ids: readonly (string | undefined)[] = [row?.ItemId, other?.ItemId, both?.ItemId, one?.ItemId]
  const names: readonly (string | null | undefined)[] = [row?.Name, rest?.Name, both?.Sku, one?.Name]
  return [...ids, ...names, row && 'Price' in row]
}
export async function nested(): Promise<string | null | undefined> {
  const page = await orThrow(
    listOrdersNested(gateway, {
      select: { Number: true, ShippingAddress: { City: true, Location: true }, Lines: { Sku: true } },
    }),
  )
  const row = page.items[0]
  const id: string | null | undefined = row?.ItemId
  const number: number | null | undefined = row?.Number
  const kind: string | undefined = row?.ShippingAddress?.Location?.type
  return id ?? row?.Lines?.[0]?.Sku ?? row?.ShippingAddress?.City ?? kind ?? String(number)
}
export async function documents(): Promise<number | undefined> {
  const result = await execute(gateway, listOrdersDocument, { paging: { pageNo: 1, pageSize: 5 } })
  return result.ok ? result.data.Orders?.items[0]?.Total ?? undefined : undefined
}
export async function inserts(): Promise<string | null> {
  const inserted = await insertProduct(gateway, { Name: 'Cup', Price: 12, Sku: 'C-1', Stock: undefined, Description: null })
  await insertOrder(gateway, {
    Number: 1, CustomerId: 'c', Status: 'placed', PlacedAt: new Date(), Total: 3,
    Lines: [{ ProductId: 'p', Sku: 's', Quantity: 1, UnitPrice: 3 }],
    ShippingAddress: { Recipient: 'A', Street: 'B', City: 'C', CountryCode: 'DE', Location: { type: 'Point', coordinates: [1, 2] } },
  })
  return inserted.ok ? inserted.data.itemId : null
}
export async function roundTrip(id: string): Promise<string> {
  const row = await orThrow(getProduct(gateway, id))
  if (row === null) return ''
  await updateProduct(gateway, row.ItemId, toProductUpdate({ ...row, Price: 12, ReleasedAt: new Date() }))
  const copy = await orThrow(insertProduct(gateway, toProductInsert({ ...row, Name: 'Copy', Price: row.Price ?? 0, Sku: 'C-2' })))
  const [order] = (await orThrow(listOrders(gateway, { select: ['Status', 'Currency'] }))).items
  if (order !== undefined) await updateOrder(gateway, order.ItemId, { ...toOrderUpdate(order), Status: 'paid', ChangeReason: 'paid' })
  return copy.itemId ?? row.ItemId
}
export async function changes(ids: readonly string[]): Promise<readonly (string | null)[]> {
  const one = await orThrow(updateProduct(gateway, 'id', { Price: 12, Description: null, Stock: undefined, ReleasedAt: new Date() }))
  await updateProduct(gateway, { Sku: { eq: 'C-1' }, LastUpdatedDate: { lt: new Date() } }, {})
  await updateOrder(gateway, 'id', { Status: 'paid', ChangeReason: 'paid by bank transfer' })
  const many = await orThrow(updateManyProduct(gateway, { or: [{ Price: { lt: 1, gt: 0 } }, { ItemId: { in: ids } }] }, { IsActive: false }))
  await deleteProduct(gateway, 'id', { isHardDelete: false })
  await deleteManyProduct(gateway, { ItemId: { in: ids } }, { isHardDelete: true })
  await deleteManyProduct(gateway, { and: [{ Name: { eq: null } }], IsActive: { eq: false } }, { isHardDelete: true })
  await execute(gateway, updateProductDocument, { where: { ItemId: { eq: 'id' } }, input: { Price: 1 } })
  const inserted = await orThrow(insertManyProduct(gateway, [{ Name: 'Cup', Price: 12, Sku: 'C-1' }]))
  return [one.itemId, ...many.itemIds, ...inserted.itemIds]
}
`

/**
 * Mistakes, one for each rule of the types. Each line must be an error; otherwise the marker
 * above it is one.
 */
export const wrong = `${head}
export async function mistakes(): Promise<void> {
  // @ts-expect-error a field that the schema has not
  await listProducts(gateway, { where: { Colour: { eq: 'red' } } })
  // @ts-expect-error a text for a number
  await listProducts(gateway, { where: { Price: { gt: '5' } } })
  // @ts-expect-error an operator that numbers have not
  await listProducts(gateway, { where: { Price: { contains: 5 } } })
  // @ts-expect-error a list cannot be compared
  await listProducts(gateway, { where: { Colours: { eq: 'red' } } })
  // @ts-expect-error a field that the schema has not, in a joined condition
  await listProducts(gateway, { where: { or: [{ Colour: { eq: 'red' } }] } })
  // @ts-expect-error a misspelt selection
  await listProducts(gateway, { select: ['Nme'] })
  // @ts-expect-error an object in a flat selection
  await listOrders(gateway, { select: ['Lines'] })
  // @ts-expect-error a misspelt order
  await listProducts(gateway, { order: [{ field: 'Nme' }] })
  // @ts-expect-error a direction that is none
  await listProducts(gateway, { order: [{ field: 'Name', direction: 'UP' }] })
  const name = undefined as string | undefined
  // @ts-expect-error an undefined value in a condition
  await listProducts(gateway, { where: { Name: { eq: name } } })
  // @ts-expect-error an undefined filter
  await listProducts(gateway, { where: { Name: undefined } })
  // @ts-expect-error an undefined value in a joined condition
  await listProducts(gateway, { where: { and: [{ or: [{ Name: { eq: name } }] }] } })
  // @ts-expect-error an undefined value in a list
  await listProducts(gateway, { where: { Name: { in: [name] } } })
  // @ts-expect-error an undefined condition in a list
  await listProducts(gateway, { where: { or: [undefined] } })
  // @ts-expect-error an undefined condition
  await listProducts(gateway, { where: undefined })
  // @ts-expect-error a field that the schema has not, where undefined is left out
  await listProducts(gateway, { where: omitUndefined({ Colour: { eq: name } }) })
  // @ts-expect-error an operator that numbers have not, where undefined is left out
  await listProducts(gateway, { where: omitUndefined({ Price: { contains: name } }) })
  // @ts-expect-error a text for a number, where undefined is left out
  await listProducts(gateway, { where: omitUndefined({ or: [{ Price: { eq: name } }] }) })
  // @ts-expect-error an undefined value in a list, where undefined is left out
  await listProducts(gateway, { where: omitUndefined({ Name: { in: [name] } }) })
  // @ts-expect-error an undefined id
  await getProduct(gateway, name)
  // @ts-expect-error half a paging
  await listProducts(gateway, { paging: { pageNo: 1 } })
  // @ts-expect-error an unknown option
  await listProducts(gateway, { filter: {} })
  // @ts-expect-error Sku is required on insert
  await insertProduct(gateway, { Name: 'Cup', Price: 12 })
  // @ts-expect-error required is not nullable
  await insertProduct(gateway, { Name: 'Cup', Price: 12, Sku: null })
  // @ts-expect-error the service sets it
  await insertProduct(gateway, { Name: 'Cup', Price: 12, Sku: 'C', CreatedBy: 'me' })
  // @ts-expect-error a member that the schema has not
  await insertProduct(gateway, { Name: 'Cup', Price: 12, Sku: 'C', Colour: 'red' })
  // @ts-expect-error an object where true belongs
  await listOrdersNested(gateway, { select: { Number: {} } })
  // @ts-expect-error true where a shape belongs
  await listOrdersNested(gateway, { select: { ShippingAddress: true } })

  // @ts-expect-error an update without a condition
  await updateProduct(gateway, { Price: 1 })
  // @ts-expect-error an update by an undefined id
  await updateProduct(gateway, name, { Price: 1 })
  // @ts-expect-error an update by an empty condition
  await updateProduct(gateway, {}, { Price: 1 })
  // @ts-expect-error a filter without an operator
  await updateManyProduct(gateway, { Name: {} }, { Price: 1 })
  // @ts-expect-error an undefined filter
  await updateManyProduct(gateway, { Name: undefined }, { Price: 1 })
  // @ts-expect-error an undefined filter beside another
  await updateManyProduct(gateway, { Price: { gt: 1 }, Name: undefined }, { Price: 1 })
  // @ts-expect-error an undefined value
  await updateManyProduct(gateway, { Name: { eq: name } }, { Price: 1 })
  // @ts-expect-error an undefined condition
  await updateManyProduct(gateway, undefined, { Price: 1 })
  // @ts-expect-error an id where a condition belongs
  await updateManyProduct(gateway, 'id', { Price: 1 })
  // @ts-expect-error a field that the schema has not
  await deleteManyProduct(gateway, { Colour: { eq: 'red' } }, { isHardDelete: true })
  // @ts-expect-error an operator that numbers have not
  await deleteManyProduct(gateway, { Price: { contains: 5 } }, { isHardDelete: true })
  // @ts-expect-error an empty condition
  await deleteManyProduct(gateway, {}, { isHardDelete: true })
  // @ts-expect-error an empty alternative
  await deleteManyProduct(gateway, { or: [{ Name: { eq: 'Cup' } }, {}] }, { isHardDelete: true })
  const maybe: ProductWhere = {}
  // @ts-expect-error a condition that may be empty
  await deleteManyProduct(gateway, maybe, { isHardDelete: true })
  // @ts-expect-error the kind of a delete is explicit
  await deleteProduct(gateway, 'id', {})
  // @ts-expect-error the kind of a delete is explicit
  await deleteProduct(gateway, 'id')
  // @ts-expect-error a document without a condition
  await execute(gateway, updateProductDocument, { where: {}, input: { Price: 1 } })
  // @ts-expect-error Status is required on update
  await updateOrder(gateway, 'id', { ChangeReason: 'x' })
  // @ts-expect-error required is not nullable
  await updateOrder(gateway, 'id', { Status: 'paid', ChangeReason: null })
  // @ts-expect-error an ItemId never changes
  await updateProduct(gateway, 'id', { ItemId: 'other' })
  // @ts-expect-error the service sets it
  await updateProduct(gateway, 'id', { LastUpdatedBy: 'me' })
  // @ts-expect-error Sku is required on insert, in each record
  await insertManyProduct(gateway, [{ Name: 'Cup', Price: 1, Sku: 'C' }, { Name: 'Cup', Price: 1 }])
  const [order] = (await orThrow(listOrders(gateway, { select: ['Status'] }))).items
  // @ts-expect-error Status may be null in the row, and ChangeReason is missing
  await updateOrder(gateway, 'id', toOrderUpdate(order!))
  const row = await orThrow(getProduct(gateway, 'id'))
  // @ts-expect-error Name may be null in the row
  await insertProduct(gateway, toProductInsert(row!))
  // @ts-expect-error a text for a number
  toProductUpdate({ Price: '12' })

  // @ts-expect-error the kind of a delete is true or false
  await deleteProduct(gateway, 'id', { isHardDelete: 'yes' })
  // @ts-expect-error a delete by an undefined id
  await deleteProduct(gateway, name, { isHardDelete: true })
  // @ts-expect-error many records are a list
  await insertManyProduct(gateway, { Name: 'Cup', Price: 1, Sku: 'C' })
  // @ts-expect-error ChangeReason is required on update, of many records too
  await updateManyOrder(gateway, { Number: { eq: 1 } }, { Status: 'paid' })
  // @ts-expect-error a mutation of one record has one ItemId
  console.log((await orThrow(updateProduct(gateway, 'id', {}))).itemIds)
  // @ts-expect-error a mutation of many records has a list of ItemIds
  console.log((await orThrow(updateManyProduct(gateway, { Name: { eq: 'a' } }, {}))).itemId)
  // @ts-expect-error an input of an update has no ItemId
  console.log(toProductUpdate(row!).ItemId)
  // @ts-expect-error an input has no field that the service sets
  console.log(toProductInsert(row!).CreatedDate)
  const select = ['Name'] as ProductField[]
  const [dynamic] = (await orThrow(listProducts(gateway, { select }))).items
  // @ts-expect-error a dynamic selection may lack a field
  const certain: string | null = dynamic!.Name
  const one = await orThrow(getProduct(gateway, 'id', { select }))
  // @ts-expect-error a dynamic selection may lack a field, by an ItemId too
  const got: string | null = one!.Name
  const [some] = (await orThrow(listProducts(gateway, { select: ['Name'] as ('Name' | 'Price')[] }))).items
  // @ts-expect-error a selection of unknown length may lack a field
  const price: number | null = some!.Price
  // @ts-expect-error a field that cannot be selected
  console.log(certain, got, price, some!.Sku)
  const [listed] = (await orThrow(listProducts(gateway))).items
  const id: string = listed!.ItemId
  // @ts-expect-error a row always has an ItemId, but no other field for certain
  const sku: string = listed!.Sku
  console.log(id, sku)

  const result = await listProducts(gateway, { select: ['Name'] })
  // @ts-expect-error data is there only when ok
  console.log(result.data)
  if (!result.ok) return
  // @ts-expect-error a field that was not selected
  console.log(result.data.items[0]?.Price)
  const { items } = await orThrow(listOrdersNested(gateway, { select: { Number: true, ShippingAddress: { City: true, Cty: true } } }))
  // @ts-expect-error a misspelt member of a shape cannot be read
  console.log(items[0]?.ShippingAddress?.Cty)
  // @ts-expect-error a member that the shape has not
  console.log(items[0]?.ShippingAddress?.Street)
  const { items: all } = await orThrow(listOrders(gateway))
  // @ts-expect-error objects are not in a flat selection
  console.log(all[0]?.Lines)
}
`
