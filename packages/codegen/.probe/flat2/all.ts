import { createGateway } from './gateway/gateway.js'
const gateway = createGateway({ baseUrl: 'https://api.example.com', projectKey: 'P1' })

import { listProduct0s } from './gateway/product0.js'
export async function list0(): Promise<number> {
  const result = await listProduct0s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct0 } from './gateway/product0.js'
export async function insert0(): Promise<string | null | undefined> {
  const made = await insertProduct0(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct1s } from './gateway/product1.js'
export async function list1(): Promise<number> {
  const result = await listProduct1s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct1 } from './gateway/product1.js'
export async function insert1(): Promise<string | null | undefined> {
  const made = await insertProduct1(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct2s } from './gateway/product2.js'
export async function list2(): Promise<number> {
  const result = await listProduct2s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct2 } from './gateway/product2.js'
export async function insert2(): Promise<string | null | undefined> {
  const made = await insertProduct2(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct3s } from './gateway/product3.js'
export async function list3(): Promise<number> {
  const result = await listProduct3s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct3 } from './gateway/product3.js'
export async function insert3(): Promise<string | null | undefined> {
  const made = await insertProduct3(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct4s } from './gateway/product4.js'
export async function list4(): Promise<number> {
  const result = await listProduct4s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct4 } from './gateway/product4.js'
export async function insert4(): Promise<string | null | undefined> {
  const made = await insertProduct4(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct5s } from './gateway/product5.js'
export async function list5(): Promise<number> {
  const result = await listProduct5s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct5 } from './gateway/product5.js'
export async function insert5(): Promise<string | null | undefined> {
  const made = await insertProduct5(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct6s } from './gateway/product6.js'
export async function list6(): Promise<number> {
  const result = await listProduct6s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct6 } from './gateway/product6.js'
export async function insert6(): Promise<string | null | undefined> {
  const made = await insertProduct6(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct7s } from './gateway/product7.js'
export async function list7(): Promise<number> {
  const result = await listProduct7s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct7 } from './gateway/product7.js'
export async function insert7(): Promise<string | null | undefined> {
  const made = await insertProduct7(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct8s } from './gateway/product8.js'
export async function list8(): Promise<number> {
  const result = await listProduct8s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct8 } from './gateway/product8.js'
export async function insert8(): Promise<string | null | undefined> {
  const made = await insertProduct8(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct9s } from './gateway/product9.js'
export async function list9(): Promise<number> {
  const result = await listProduct9s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct9 } from './gateway/product9.js'
export async function insert9(): Promise<string | null | undefined> {
  const made = await insertProduct9(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct10s } from './gateway/product10.js'
export async function list10(): Promise<number> {
  const result = await listProduct10s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct10 } from './gateway/product10.js'
export async function insert10(): Promise<string | null | undefined> {
  const made = await insertProduct10(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct11s } from './gateway/product11.js'
export async function list11(): Promise<number> {
  const result = await listProduct11s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct11 } from './gateway/product11.js'
export async function insert11(): Promise<string | null | undefined> {
  const made = await insertProduct11(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct12s } from './gateway/product12.js'
export async function list12(): Promise<number> {
  const result = await listProduct12s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct12 } from './gateway/product12.js'
export async function insert12(): Promise<string | null | undefined> {
  const made = await insertProduct12(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct13s } from './gateway/product13.js'
export async function list13(): Promise<number> {
  const result = await listProduct13s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct13 } from './gateway/product13.js'
export async function insert13(): Promise<string | null | undefined> {
  const made = await insertProduct13(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct14s } from './gateway/product14.js'
export async function list14(): Promise<number> {
  const result = await listProduct14s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct14 } from './gateway/product14.js'
export async function insert14(): Promise<string | null | undefined> {
  const made = await insertProduct14(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct15s } from './gateway/product15.js'
export async function list15(): Promise<number> {
  const result = await listProduct15s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct15 } from './gateway/product15.js'
export async function insert15(): Promise<string | null | undefined> {
  const made = await insertProduct15(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct16s } from './gateway/product16.js'
export async function list16(): Promise<number> {
  const result = await listProduct16s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct16 } from './gateway/product16.js'
export async function insert16(): Promise<string | null | undefined> {
  const made = await insertProduct16(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct17s } from './gateway/product17.js'
export async function list17(): Promise<number> {
  const result = await listProduct17s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct17 } from './gateway/product17.js'
export async function insert17(): Promise<string | null | undefined> {
  const made = await insertProduct17(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct18s } from './gateway/product18.js'
export async function list18(): Promise<number> {
  const result = await listProduct18s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct18 } from './gateway/product18.js'
export async function insert18(): Promise<string | null | undefined> {
  const made = await insertProduct18(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct19s } from './gateway/product19.js'
export async function list19(): Promise<number> {
  const result = await listProduct19s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct19 } from './gateway/product19.js'
export async function insert19(): Promise<string | null | undefined> {
  const made = await insertProduct19(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct20s } from './gateway/product20.js'
export async function list20(): Promise<number> {
  const result = await listProduct20s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct20 } from './gateway/product20.js'
export async function insert20(): Promise<string | null | undefined> {
  const made = await insertProduct20(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct21s } from './gateway/product21.js'
export async function list21(): Promise<number> {
  const result = await listProduct21s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct21 } from './gateway/product21.js'
export async function insert21(): Promise<string | null | undefined> {
  const made = await insertProduct21(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct22s } from './gateway/product22.js'
export async function list22(): Promise<number> {
  const result = await listProduct22s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct22 } from './gateway/product22.js'
export async function insert22(): Promise<string | null | undefined> {
  const made = await insertProduct22(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct23s } from './gateway/product23.js'
export async function list23(): Promise<number> {
  const result = await listProduct23s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct23 } from './gateway/product23.js'
export async function insert23(): Promise<string | null | undefined> {
  const made = await insertProduct23(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct24s } from './gateway/product24.js'
export async function list24(): Promise<number> {
  const result = await listProduct24s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct24 } from './gateway/product24.js'
export async function insert24(): Promise<string | null | undefined> {
  const made = await insertProduct24(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct25s } from './gateway/product25.js'
export async function list25(): Promise<number> {
  const result = await listProduct25s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct25 } from './gateway/product25.js'
export async function insert25(): Promise<string | null | undefined> {
  const made = await insertProduct25(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct26s } from './gateway/product26.js'
export async function list26(): Promise<number> {
  const result = await listProduct26s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct26 } from './gateway/product26.js'
export async function insert26(): Promise<string | null | undefined> {
  const made = await insertProduct26(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct27s } from './gateway/product27.js'
export async function list27(): Promise<number> {
  const result = await listProduct27s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct27 } from './gateway/product27.js'
export async function insert27(): Promise<string | null | undefined> {
  const made = await insertProduct27(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct28s } from './gateway/product28.js'
export async function list28(): Promise<number> {
  const result = await listProduct28s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct28 } from './gateway/product28.js'
export async function insert28(): Promise<string | null | undefined> {
  const made = await insertProduct28(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct29s } from './gateway/product29.js'
export async function list29(): Promise<number> {
  const result = await listProduct29s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct29 } from './gateway/product29.js'
export async function insert29(): Promise<string | null | undefined> {
  const made = await insertProduct29(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct30s } from './gateway/product30.js'
export async function list30(): Promise<number> {
  const result = await listProduct30s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct30 } from './gateway/product30.js'
export async function insert30(): Promise<string | null | undefined> {
  const made = await insertProduct30(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct31s } from './gateway/product31.js'
export async function list31(): Promise<number> {
  const result = await listProduct31s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct31 } from './gateway/product31.js'
export async function insert31(): Promise<string | null | undefined> {
  const made = await insertProduct31(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct32s } from './gateway/product32.js'
export async function list32(): Promise<number> {
  const result = await listProduct32s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct32 } from './gateway/product32.js'
export async function insert32(): Promise<string | null | undefined> {
  const made = await insertProduct32(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct33s } from './gateway/product33.js'
export async function list33(): Promise<number> {
  const result = await listProduct33s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct33 } from './gateway/product33.js'
export async function insert33(): Promise<string | null | undefined> {
  const made = await insertProduct33(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct34s } from './gateway/product34.js'
export async function list34(): Promise<number> {
  const result = await listProduct34s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct34 } from './gateway/product34.js'
export async function insert34(): Promise<string | null | undefined> {
  const made = await insertProduct34(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct35s } from './gateway/product35.js'
export async function list35(): Promise<number> {
  const result = await listProduct35s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct35 } from './gateway/product35.js'
export async function insert35(): Promise<string | null | undefined> {
  const made = await insertProduct35(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct36s } from './gateway/product36.js'
export async function list36(): Promise<number> {
  const result = await listProduct36s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct36 } from './gateway/product36.js'
export async function insert36(): Promise<string | null | undefined> {
  const made = await insertProduct36(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct37s } from './gateway/product37.js'
export async function list37(): Promise<number> {
  const result = await listProduct37s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct37 } from './gateway/product37.js'
export async function insert37(): Promise<string | null | undefined> {
  const made = await insertProduct37(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct38s } from './gateway/product38.js'
export async function list38(): Promise<number> {
  const result = await listProduct38s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct38 } from './gateway/product38.js'
export async function insert38(): Promise<string | null | undefined> {
  const made = await insertProduct38(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct39s } from './gateway/product39.js'
export async function list39(): Promise<number> {
  const result = await listProduct39s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct39 } from './gateway/product39.js'
export async function insert39(): Promise<string | null | undefined> {
  const made = await insertProduct39(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct40s } from './gateway/product40.js'
export async function list40(): Promise<number> {
  const result = await listProduct40s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct40 } from './gateway/product40.js'
export async function insert40(): Promise<string | null | undefined> {
  const made = await insertProduct40(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct41s } from './gateway/product41.js'
export async function list41(): Promise<number> {
  const result = await listProduct41s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct41 } from './gateway/product41.js'
export async function insert41(): Promise<string | null | undefined> {
  const made = await insertProduct41(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct42s } from './gateway/product42.js'
export async function list42(): Promise<number> {
  const result = await listProduct42s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct42 } from './gateway/product42.js'
export async function insert42(): Promise<string | null | undefined> {
  const made = await insertProduct42(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct43s } from './gateway/product43.js'
export async function list43(): Promise<number> {
  const result = await listProduct43s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct43 } from './gateway/product43.js'
export async function insert43(): Promise<string | null | undefined> {
  const made = await insertProduct43(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct44s } from './gateway/product44.js'
export async function list44(): Promise<number> {
  const result = await listProduct44s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct44 } from './gateway/product44.js'
export async function insert44(): Promise<string | null | undefined> {
  const made = await insertProduct44(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct45s } from './gateway/product45.js'
export async function list45(): Promise<number> {
  const result = await listProduct45s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct45 } from './gateway/product45.js'
export async function insert45(): Promise<string | null | undefined> {
  const made = await insertProduct45(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct46s } from './gateway/product46.js'
export async function list46(): Promise<number> {
  const result = await listProduct46s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct46 } from './gateway/product46.js'
export async function insert46(): Promise<string | null | undefined> {
  const made = await insertProduct46(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct47s } from './gateway/product47.js'
export async function list47(): Promise<number> {
  const result = await listProduct47s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct47 } from './gateway/product47.js'
export async function insert47(): Promise<string | null | undefined> {
  const made = await insertProduct47(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct48s } from './gateway/product48.js'
export async function list48(): Promise<number> {
  const result = await listProduct48s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct48 } from './gateway/product48.js'
export async function insert48(): Promise<string | null | undefined> {
  const made = await insertProduct48(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct49s } from './gateway/product49.js'
export async function list49(): Promise<number> {
  const result = await listProduct49s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct49 } from './gateway/product49.js'
export async function insert49(): Promise<string | null | undefined> {
  const made = await insertProduct49(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct50s } from './gateway/product50.js'
export async function list50(): Promise<number> {
  const result = await listProduct50s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct50 } from './gateway/product50.js'
export async function insert50(): Promise<string | null | undefined> {
  const made = await insertProduct50(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct51s } from './gateway/product51.js'
export async function list51(): Promise<number> {
  const result = await listProduct51s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct51 } from './gateway/product51.js'
export async function insert51(): Promise<string | null | undefined> {
  const made = await insertProduct51(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct52s } from './gateway/product52.js'
export async function list52(): Promise<number> {
  const result = await listProduct52s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct52 } from './gateway/product52.js'
export async function insert52(): Promise<string | null | undefined> {
  const made = await insertProduct52(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct53s } from './gateway/product53.js'
export async function list53(): Promise<number> {
  const result = await listProduct53s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct53 } from './gateway/product53.js'
export async function insert53(): Promise<string | null | undefined> {
  const made = await insertProduct53(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct54s } from './gateway/product54.js'
export async function list54(): Promise<number> {
  const result = await listProduct54s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct54 } from './gateway/product54.js'
export async function insert54(): Promise<string | null | undefined> {
  const made = await insertProduct54(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct55s } from './gateway/product55.js'
export async function list55(): Promise<number> {
  const result = await listProduct55s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct55 } from './gateway/product55.js'
export async function insert55(): Promise<string | null | undefined> {
  const made = await insertProduct55(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct56s } from './gateway/product56.js'
export async function list56(): Promise<number> {
  const result = await listProduct56s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct56 } from './gateway/product56.js'
export async function insert56(): Promise<string | null | undefined> {
  const made = await insertProduct56(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct57s } from './gateway/product57.js'
export async function list57(): Promise<number> {
  const result = await listProduct57s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct57 } from './gateway/product57.js'
export async function insert57(): Promise<string | null | undefined> {
  const made = await insertProduct57(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct58s } from './gateway/product58.js'
export async function list58(): Promise<number> {
  const result = await listProduct58s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct58 } from './gateway/product58.js'
export async function insert58(): Promise<string | null | undefined> {
  const made = await insertProduct58(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct59s } from './gateway/product59.js'
export async function list59(): Promise<number> {
  const result = await listProduct59s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct59 } from './gateway/product59.js'
export async function insert59(): Promise<string | null | undefined> {
  const made = await insertProduct59(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct60s } from './gateway/product60.js'
export async function list60(): Promise<number> {
  const result = await listProduct60s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct60 } from './gateway/product60.js'
export async function insert60(): Promise<string | null | undefined> {
  const made = await insertProduct60(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct61s } from './gateway/product61.js'
export async function list61(): Promise<number> {
  const result = await listProduct61s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct61 } from './gateway/product61.js'
export async function insert61(): Promise<string | null | undefined> {
  const made = await insertProduct61(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct62s } from './gateway/product62.js'
export async function list62(): Promise<number> {
  const result = await listProduct62s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct62 } from './gateway/product62.js'
export async function insert62(): Promise<string | null | undefined> {
  const made = await insertProduct62(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct63s } from './gateway/product63.js'
export async function list63(): Promise<number> {
  const result = await listProduct63s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct63 } from './gateway/product63.js'
export async function insert63(): Promise<string | null | undefined> {
  const made = await insertProduct63(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct64s } from './gateway/product64.js'
export async function list64(): Promise<number> {
  const result = await listProduct64s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct64 } from './gateway/product64.js'
export async function insert64(): Promise<string | null | undefined> {
  const made = await insertProduct64(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct65s } from './gateway/product65.js'
export async function list65(): Promise<number> {
  const result = await listProduct65s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct65 } from './gateway/product65.js'
export async function insert65(): Promise<string | null | undefined> {
  const made = await insertProduct65(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct66s } from './gateway/product66.js'
export async function list66(): Promise<number> {
  const result = await listProduct66s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct66 } from './gateway/product66.js'
export async function insert66(): Promise<string | null | undefined> {
  const made = await insertProduct66(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct67s } from './gateway/product67.js'
export async function list67(): Promise<number> {
  const result = await listProduct67s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct67 } from './gateway/product67.js'
export async function insert67(): Promise<string | null | undefined> {
  const made = await insertProduct67(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct68s } from './gateway/product68.js'
export async function list68(): Promise<number> {
  const result = await listProduct68s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct68 } from './gateway/product68.js'
export async function insert68(): Promise<string | null | undefined> {
  const made = await insertProduct68(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct69s } from './gateway/product69.js'
export async function list69(): Promise<number> {
  const result = await listProduct69s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct69 } from './gateway/product69.js'
export async function insert69(): Promise<string | null | undefined> {
  const made = await insertProduct69(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct70s } from './gateway/product70.js'
export async function list70(): Promise<number> {
  const result = await listProduct70s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct70 } from './gateway/product70.js'
export async function insert70(): Promise<string | null | undefined> {
  const made = await insertProduct70(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct71s } from './gateway/product71.js'
export async function list71(): Promise<number> {
  const result = await listProduct71s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct71 } from './gateway/product71.js'
export async function insert71(): Promise<string | null | undefined> {
  const made = await insertProduct71(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct72s } from './gateway/product72.js'
export async function list72(): Promise<number> {
  const result = await listProduct72s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct72 } from './gateway/product72.js'
export async function insert72(): Promise<string | null | undefined> {
  const made = await insertProduct72(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct73s } from './gateway/product73.js'
export async function list73(): Promise<number> {
  const result = await listProduct73s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct73 } from './gateway/product73.js'
export async function insert73(): Promise<string | null | undefined> {
  const made = await insertProduct73(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct74s } from './gateway/product74.js'
export async function list74(): Promise<number> {
  const result = await listProduct74s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct74 } from './gateway/product74.js'
export async function insert74(): Promise<string | null | undefined> {
  const made = await insertProduct74(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct75s } from './gateway/product75.js'
export async function list75(): Promise<number> {
  const result = await listProduct75s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct75 } from './gateway/product75.js'
export async function insert75(): Promise<string | null | undefined> {
  const made = await insertProduct75(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct76s } from './gateway/product76.js'
export async function list76(): Promise<number> {
  const result = await listProduct76s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct76 } from './gateway/product76.js'
export async function insert76(): Promise<string | null | undefined> {
  const made = await insertProduct76(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct77s } from './gateway/product77.js'
export async function list77(): Promise<number> {
  const result = await listProduct77s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct77 } from './gateway/product77.js'
export async function insert77(): Promise<string | null | undefined> {
  const made = await insertProduct77(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct78s } from './gateway/product78.js'
export async function list78(): Promise<number> {
  const result = await listProduct78s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct78 } from './gateway/product78.js'
export async function insert78(): Promise<string | null | undefined> {
  const made = await insertProduct78(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct79s } from './gateway/product79.js'
export async function list79(): Promise<number> {
  const result = await listProduct79s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct79 } from './gateway/product79.js'
export async function insert79(): Promise<string | null | undefined> {
  const made = await insertProduct79(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct80s } from './gateway/product80.js'
export async function list80(): Promise<number> {
  const result = await listProduct80s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct80 } from './gateway/product80.js'
export async function insert80(): Promise<string | null | undefined> {
  const made = await insertProduct80(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct81s } from './gateway/product81.js'
export async function list81(): Promise<number> {
  const result = await listProduct81s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct81 } from './gateway/product81.js'
export async function insert81(): Promise<string | null | undefined> {
  const made = await insertProduct81(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct82s } from './gateway/product82.js'
export async function list82(): Promise<number> {
  const result = await listProduct82s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct82 } from './gateway/product82.js'
export async function insert82(): Promise<string | null | undefined> {
  const made = await insertProduct82(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct83s } from './gateway/product83.js'
export async function list83(): Promise<number> {
  const result = await listProduct83s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct83 } from './gateway/product83.js'
export async function insert83(): Promise<string | null | undefined> {
  const made = await insertProduct83(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct84s } from './gateway/product84.js'
export async function list84(): Promise<number> {
  const result = await listProduct84s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct84 } from './gateway/product84.js'
export async function insert84(): Promise<string | null | undefined> {
  const made = await insertProduct84(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct85s } from './gateway/product85.js'
export async function list85(): Promise<number> {
  const result = await listProduct85s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct85 } from './gateway/product85.js'
export async function insert85(): Promise<string | null | undefined> {
  const made = await insertProduct85(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct86s } from './gateway/product86.js'
export async function list86(): Promise<number> {
  const result = await listProduct86s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct86 } from './gateway/product86.js'
export async function insert86(): Promise<string | null | undefined> {
  const made = await insertProduct86(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct87s } from './gateway/product87.js'
export async function list87(): Promise<number> {
  const result = await listProduct87s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct87 } from './gateway/product87.js'
export async function insert87(): Promise<string | null | undefined> {
  const made = await insertProduct87(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct88s } from './gateway/product88.js'
export async function list88(): Promise<number> {
  const result = await listProduct88s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct88 } from './gateway/product88.js'
export async function insert88(): Promise<string | null | undefined> {
  const made = await insertProduct88(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct89s } from './gateway/product89.js'
export async function list89(): Promise<number> {
  const result = await listProduct89s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct89 } from './gateway/product89.js'
export async function insert89(): Promise<string | null | undefined> {
  const made = await insertProduct89(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct90s } from './gateway/product90.js'
export async function list90(): Promise<number> {
  const result = await listProduct90s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct90 } from './gateway/product90.js'
export async function insert90(): Promise<string | null | undefined> {
  const made = await insertProduct90(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct91s } from './gateway/product91.js'
export async function list91(): Promise<number> {
  const result = await listProduct91s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct91 } from './gateway/product91.js'
export async function insert91(): Promise<string | null | undefined> {
  const made = await insertProduct91(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct92s } from './gateway/product92.js'
export async function list92(): Promise<number> {
  const result = await listProduct92s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct92 } from './gateway/product92.js'
export async function insert92(): Promise<string | null | undefined> {
  const made = await insertProduct92(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct93s } from './gateway/product93.js'
export async function list93(): Promise<number> {
  const result = await listProduct93s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct93 } from './gateway/product93.js'
export async function insert93(): Promise<string | null | undefined> {
  const made = await insertProduct93(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct94s } from './gateway/product94.js'
export async function list94(): Promise<number> {
  const result = await listProduct94s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct94 } from './gateway/product94.js'
export async function insert94(): Promise<string | null | undefined> {
  const made = await insertProduct94(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct95s } from './gateway/product95.js'
export async function list95(): Promise<number> {
  const result = await listProduct95s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct95 } from './gateway/product95.js'
export async function insert95(): Promise<string | null | undefined> {
  const made = await insertProduct95(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct96s } from './gateway/product96.js'
export async function list96(): Promise<number> {
  const result = await listProduct96s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct96 } from './gateway/product96.js'
export async function insert96(): Promise<string | null | undefined> {
  const made = await insertProduct96(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct97s } from './gateway/product97.js'
export async function list97(): Promise<number> {
  const result = await listProduct97s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct97 } from './gateway/product97.js'
export async function insert97(): Promise<string | null | undefined> {
  const made = await insertProduct97(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct98s } from './gateway/product98.js'
export async function list98(): Promise<number> {
  const result = await listProduct98s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct98 } from './gateway/product98.js'
export async function insert98(): Promise<string | null | undefined> {
  const made = await insertProduct98(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}

import { listProduct99s } from './gateway/product99.js'
export async function list99(): Promise<number> {
  const result = await listProduct99s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}

import { insertProduct99 } from './gateway/product99.js'
export async function insert99(): Promise<string | null | undefined> {
  const made = await insertProduct99(gateway, { Name: 'Cup', Price: 12 })
  return made.ok ? made.data.itemId : made.errors[0]?.message
}
