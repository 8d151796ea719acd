import { createGateway, orThrow, execute } from './gw/gateway.js'
import { listOrders, listOrdersNested, getOrder, countOrders, walkOrders, insertOrder, listOrdersDocument, walkOrdersNested, listOrdersOptions, OrderInsertSchema, makeOrder } from './gw/order.js'
import { listProducts, insertProduct, getProduct, walkProducts, countProducts } from './gw/product.js'
const gateway = createGateway({ baseUrl: 'https://x', projectKey: 'P' })
export const a1 = await listProducts(gateway, { select: ['Nme'] })
export const a2 = await listProducts(gateway, { where: { Price: { contains: 3 } } })
export const a3 = await listProducts(gateway, { where: { Name: { startWith: 'x' } } })
export const a4 = await listProducts(gateway, { where: { Nme: { eq: 'x' } } })
export const a5 = await listProducts(gateway, { where: { or: { Name: { eq: 'x' } } } })
export const a6 = await listProducts(gateway, { order: [{ field: 'Nme' }] })
export const a7 = await listProducts(gateway, { order: [{ field: 'Name', direction: 'asc' }] })
export const a8 = await listProducts(gateway, { paging: { pageNo: 1 } })
export const a9 = await insertProduct(gateway, { Name: 'Cup', Price: 12 })
export const b1 = await insertProduct(gateway, { Name: 'Cup', Price: '12', Sku: 's' })
export const b2 = await insertProduct(gateway, { Name: 'Cup', Price: 12, Sku: 's', Colour: 'x' })
export const b3 = await listOrdersNested(gateway, { select: { Lines: { Sk: true } } })
export const b4 = await listOrdersNested(gateway, { select: { Number: true, Lines: true } })
export const b5 = await listOrders(gateway, { select: ['Lines'] })
export const b6 = await getProduct(gateway, 5)
export const b7 = await getProduct(gateway, 'x', { select: ['Nme'] })
export const b8 = await countProducts(gateway, { Nme: { eq: 1 } })
for await (const { items } of walkProducts(gateway, { select: ['Nme'] })) items
for await (const { items } of walkOrdersNested(gateway, { select: { Number: true, Lines: { Sku: true } }, page: 5 })) items
const r = await listProducts(gateway, { select: ['Name'] })
r.data.items
if (r.ok) { const [row] = r.data.items; row?.Price }
const n = await listOrdersNested(gateway, { select: { Number: true, Lines: { Sku: true, Quantity: true }, ShippingAddress: { City: true } } })
if (n.ok) { const [row] = n.data.items; row?.Lines?.[0]?.Name; row?.Status }
const t = await orThrow(listOrders(gateway, { select: ['Number'] }))
t.items[0]?.Number
await execute(gateway, listOrdersDocument, { page: { pageNo: 1 } })
void [getOrder, countOrders, walkOrders, insertOrder, listOrdersOptions, OrderInsertSchema, makeOrder, insertProduct, GwX]
