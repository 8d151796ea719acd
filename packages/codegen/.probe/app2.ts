import { createGateway, orThrow } from './gw/gateway.js'
import { listOrders, listOrdersNested, getOrder, walkOrders, insertOrder, makeOrder } from './gw/order.js'
import { listProducts, insertProduct, getProduct, walkProducts } from './gw/product.js'
const gateway = createGateway({ baseUrl: 'https://x', projectKey: 'P' })
const t = await orThrow(listProducts(gateway, { select: ['Name', 'Price'], where: { Price: { gt: 5 } }, order: [{ field: 'Name' }] }))
t.items[0]?./*D1*/Price
const t2 = await orThrow(listProducts(gateway))
t2.items[0]?./*D2*/Price
const g = await orThrow(getProduct(gateway, 'x', { select: ['Price'] }))
g?./*D3*/Price
for await (const { items } of walkProducts(gateway)) items[0]?./*D4*/Price
const n = await orThrow(listOrdersNested(gateway, { select: { Status: true, Lines: { Sku: true } } }))
n.items[0]?./*D5*/Status
n.items[0]?.Lines?.[0]?./*D6*/Sku
await listProducts(gateway, { where: { /*D7*/Price: { /*D8*/gt: 5 } } })
await listOrdersNested(gateway, { select: { /*D9*/Status: true } })
await listProducts(gateway, { select: ['/*C1*/'] })
await listProducts(gateway, { where: { /*C2*/ } })
await listProducts(gateway, { where: { Price: { /*C3*/ } } })
await listProducts(gateway, { order: [{ field: '/*C4*/' }] })
await listOrdersNested(gateway, { select: { /*C5*/ } })
await listOrdersNested(gateway, { select: { Lines: { /*C6*/ } } })
await listProducts(gateway, { /*C7*/ })
await insertProduct(gateway, { /*C8*/ })
for await (const p of walkProducts(gateway, { /*C9*/ })) p
await listProducts(gateway, { order: [{ /*C10*/ }] })
await listProducts(gateway, { select: ['Name', '/*C11*/'] })
void [listOrders, getOrder, walkOrders, insertOrder, makeOrder]
