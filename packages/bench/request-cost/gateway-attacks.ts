/** JSON body of a gateway request. */
export interface GatewayBody {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
}

/** Returns a request whose size grows with `n`. */
export type Attack = (n: number) => GatewayBody

const times = <T>(n: number, make: (index: number) => T): T[] =>
  Array.from({ length: n }, (_, index) => make(index))
const join = (n: number, make: (index: number) => string): string => times(n, make).join(' ')

const list = (variables: Readonly<Record<string, unknown>>): GatewayBody => ({
  query: `query ($where: ProductFilterInput, $order: [DynamicSortInput!], $paging: PaginationInput) {
    Products(where: $where, order: $order, paging: $paging) { items { ItemId } } }`,
  variables,
})
const inItems = (selection: string, definitions = ''): GatewayBody => ({
  query: `{ Products { items { ${selection} } } } ${definitions}`,
})
const filtered = (filter: unknown): GatewayBody => ({
  query: 'query ($input: DynamicQueryInput) { Products(input: $input) { totalCount } }',
  variables: { input: { filter: JSON.stringify(filter) } },
})
const types = '__schema { types'

/** Requests that are cheap to send and were, or could be, expensive to process. */
export const attacks: Readonly<Record<string, Attack>> = {
  'a chain of fragments that each spread the next one twice': (n) => ({
    query: `{ ...f0 } ${join(n, (i) => `fragment f${i} on Query { ...f${i + 1} ...f${i + 1} }`)}
      fragment f${n} on Query { Products { totalCount } }`,
  }),
  'a chain of fragments on rows that each spread the next one twice': (n) =>
    inItems(
      '...f0',
      `${join(n, (i) => `fragment f${i} on Product { ...f${i + 1} ...f${i + 1} }`)}
        fragment f${n} on Product { ItemId }`,
    ),
  'fragments that alias a nested object twice': (n) => ({
    query: `{ Orders { items { ...f0 } } } ${join(
      n,
      (i) => `fragment f${i} on Order { a: ShippingAddress { City } b: ShippingAddress { City }
        Lines { Sku } ...f${i + 1} ...f${i + 1} }`,
    )} fragment f${n} on Order { ItemId }`,
  }),
  'cyclic fragments': (n) =>
    inItems(
      '...f0',
      join(n, (i) => `fragment f${i} on Product { ...f${(i + 1) % n} ...f${(i * 7) % n} }`),
    ),
  'unused fragments': (n) =>
    inItems(
      'ItemId',
      join(n, (i) => `fragment f${i} on Product { ItemId Name }`),
    ),
  'many fragments in one selection': (n) =>
    inItems(
      join(n, (i) => `...f${i}`),
      join(n, (i) => `fragment f${i} on Product { ItemId Name }`),
    ),
  'many inline fragments': (n) => inItems(join(n, () => '... on Product { ItemId }')),
  'nested inline fragments': (n) =>
    inItems(`${'... on Product { '.repeat(n)}ItemId${' }'.repeat(n)}`),
  'one field again and again': (n) => inItems('Name '.repeat(n)),
  'one list again and again': (n) => ({ query: `{ ${'Products { totalCount } '.repeat(n)} }` }),
  'fields that conflict': (n) => inItems(join(n, (i) => `a: ${i % 2 ? 'Name' : 'ItemId'}`)),
  'fields that conflict, on many lines': (n) =>
    inItems('\n'.repeat(40_000) + join(n, (i) => `a: ${i % 2 ? 'Name' : 'ItemId'}`)),
  'aliases of a field': (n) => inItems(join(n, (i) => `a${i}: Description`)),
  'aliases of a page': (n) => ({
    query: `{ Products { ${join(n, (i) => `a${i}: items { Name }`)} } }`,
  }),
  'aliases of a list': (n) => ({
    query: `{ ${join(n, (i) => `a${i}: Products { items { ItemId } totalCount }`)} }`,
  }),
  'aliases of a large page': (n) => ({
    query: `{ ${join(
      n,
      (i) =>
        `a${i}: Orders(paging: {pageNo: 1, pageSize: 1000}) { items { ItemId Lines { Sku } } }`,
    )} }`,
  }),
  'one large page': (n) => ({
    query: `{ Orders(paging: {pageNo: 1, pageSize: 1000}) { items { ${join(
      n,
      (i) => `a${i}: Lines { Sku Quantity } b${i}: ShippingAddress { City }`,
    )} } } }`,
  }),
  'unknown fields': (n) => inItems(join(n, (i) => `Nam${i}`)),
  'unknown lists': (n) => ({ query: `{ ${join(n, (i) => `Product${i} { totalCount }`)} }` }),
  'a long unknown name': (n) => inItems('N'.repeat(n * 10)),
  'directives of one field': (n) => inItems(`Name ${'@include(if: true) '.repeat(n)}`),
  'directives of many fields': (n) =>
    inItems('Name @include(if: true) @skip(if: false) '.repeat(n)),
  'unknown directives': (n) => inItems(`Name ${join(n, (i) => `@d${i}`)}`),
  'operations that share a fragment': (n) => ({
    query: `${join(n, (i) => `query q${i}($a: String) { ...f }`)} fragment f on Query { ${join(
      n,
      (i) => `a${i}: Products(where: {Name: {eq: $a}}) { totalCount }`,
    )} }`,
    operationName: 'q0',
  }),
  'unused variables': (n) => ({
    query: `query (${join(n, (i) => `$v${i}: String`)}) { Products { totalCount } }`,
  }),
  'used variables': (n) => ({
    query: `query (${join(n, (i) => `$v${i}: String`)}) {
      Products(where: {Name: {in: [${join(n, (i) => `$v${i}`)}]}}) { totalCount } }`,
  }),
  'undefined variables': (n) => ({
    query: `query { Products(where: {Name: {in: [${join(n, (i) => `$v${i}`)}]}}) { totalCount } }`,
  }),
  'variables that nobody declared': (n) => list(Object.fromEntries(times(n, (i) => [`v${i}`, i]))),
  'variables of a wrong type': (n) => list({ where: { Name: { in: times(n, (i) => ({ i })) } } }),
  'variables that are unknown fields': (n) =>
    list({ where: Object.fromEntries(times(n, (i) => [`v${i}`, i])) }),
  'a long list of values': (n) => list({ where: { Name: { in: times(n * 3, String) } } }),
  'empty conditions': (n) => list({ where: { and: times(n * 3, () => ({})) } }),
  conditions: (n) => list({ where: { or: times(n, () => ({ Name: { contains: 'x' } })) } }),
  'nested conditions': (n) => list({ where: nested(Math.min(n, 2000)) }),
  'wide and nested conditions': (n) => list({ where: wide(n, 6) }),
  'one condition in many lists': (n) => ({
    query: `query ($where: ProductFilterInput) { ${join(
      Math.min(n, 50),
      (i) => `a${i}: Products(where: $where) { totalCount }`,
    )} }`,
    variables: { where: { or: times(n, () => ({ Name: { contains: 'x' } })) } },
  }),
  'literal conditions': (n) => ({
    query: `{ Products(where: {or: [${join(n, () => '{Name: {eq: "a"}}')}]}) { totalCount } }`,
  }),
  'literal empty conditions': (n) => ({
    query: `{ Products(where: {or: [${'{}'.repeat(n)}]}) { totalCount } }`,
  }),
  'literal lists': (n) => ({
    query: `{ Products(where: ${'{or: ['.repeat(n)}${']}'.repeat(n)}) { totalCount } }`,
  }),
  'empty conditions of a filter': (n) => filtered({ $and: times(n * 3, () => ({})) }),
  'conditions of a filter': (n) => filtered({ $or: times(n, () => ({ Name: { $regex: 'x' } })) }),
  'values of a filter': (n) => filtered({ Name: { $in: times(n, String) } }),
  'one filter in many lists': (n) => ({
    query: `query ($input: DynamicQueryInput) { ${join(
      Math.min(n, 50),
      (i) => `a${i}: Products(input: $input) { totalCount }`,
    )} }`,
    variables: { input: { filter: JSON.stringify({ $and: times(n, () => ({})) }) } },
  }),
  'a filter that is not JSON': (n) => ({
    query: '{ Products(input: {filter: "[[[['.padEnd(n * 10, '[') + '"}) { totalCount } }',
  }),
  'a long pattern': (n) => filtered({ Name: { $regex: `${'a'.repeat(n * 10)}(` } }),
  'a pattern of wildcards': (n) => filtered({ Name: { $regex: '.*'.repeat(n * 5) } }),
  'a long order': (n) => list({ order: times(n, () => ({ field: 'Name' })) }),
  'an order by unknown fields': (n) => list({ order: times(n, (i) => ({ field: `f${i}` })) }),
  'a long text': (n) => list({ where: { Name: { contains: 'x'.repeat(n * 30) } } }),
  'a long literal': (n) => ({
    query: `{ Products(where: {Name: {eq: "${'\\u0041'.repeat(n * 5)}"}}) { totalCount } }`,
  }),
  'a block of many lines': (n) => ({
    query: `{ Products(where: {Name: {eq: """${'\n '.repeat(n * 12)}"""}}) { totalCount } }`,
  }),
  'a wrong literal': (n) => ({
    query: `{ Products(where: {SortOrder: {eq: "${'x'.repeat(n * 30)}"}}) { totalCount } }`,
  }),
  'many comments': (n) => ({ query: `${'#\n'.repeat(n * 12)} { Products { totalCount } }` }),
  'many tokens': (n) => ({ query: `{ ${'a '.repeat(n * 12)} }` }),
  'many brackets': (n) => ({ query: '{a'.repeat(n * 12) }),
  'the whole introspection': () => ({
    query: `{ ${types} { name kind description
      fields(includeDeprecated: true) { name description args { name type { ...T } defaultValue }
        type { ...T } isDeprecated deprecationReason }
      inputFields { name description type { ...T } defaultValue }
      interfaces { ...T } enumValues { name description } possibleTypes { ...T } }
      directives { name description locations args { name type { ...T } } } } }
      fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`,
  }),
  'introspection with aliases': (n) => ({
    query: `{ ${join(n, (i) => `a${i}: ${types} { name fields { name } } }`)} }`,
  }),
  'introspection of types with aliases': (n) => ({
    query: `{ ${types} { fields { ${join(n, (i) => `a${i}: type { fields { name } }`)} } } } }`,
  }),
  'nested introspection': (n) => ({
    query: `{ ${types} ${'{ fields { type '.repeat(n)} { name } ${'} }'.repeat(n)} } }`,
  }),
  'introspection of lists in lists': () => ({
    query: `{ ${types} { fields { args { type { inputFields { name } } } type { ofType { ofType { fields { name } } }
      fields { name type { name } } } } inputFields { type { ofType { inputFields { name } } inputFields { name } } } } } }`,
  }),
  'introspection with a chain of fragments': (n) => ({
    query: `{ ${types} { ...f0 } } } ${join(
      n,
      (i) => `fragment f${i} on __Type { a: ofType { ...f${i + 1} } b: ofType { ...f${i + 1} } }`,
    )} fragment f${n} on __Type { name }`,
  }),
  deletes: (n) => ({
    query: `mutation { ${join(n, (i) => `a${i}: deleteProduct(where: {ItemId: {eq: "none"}}) { itemId }`)} }`,
  }),
  inserts: (n) => ({
    query: `mutation { ${join(n, (i) => `a${i}: insertCategory(input: {Name: "a", Slug: "b"}) { itemId }`)} }`,
  }),
  'an insert of many': (n) => ({
    query:
      'mutation ($many: [CategoryInsertInput!]) { insertManyCategory(input: $many) { acknowledged } }',
    variables: { many: times(n, () => ({ Name: 'a', Slug: 'b' })) },
  }),
  'an insert of many, many times': (n) => ({
    query: `mutation ($many: [CategoryInsertInput!]) { ${join(
      20,
      (i) => `a${i}: insertManyCategory(input: $many) { acknowledged }`,
    )} }`,
    variables: { many: times(n, () => ({ Name: 'a', Slug: 'b' })) },
  }),
  'an insert of nothing': (n) => ({
    query:
      'mutation ($many: [CategoryInsertInput!]) { insertManyCategory(input: $many) { acknowledged } }',
    variables: { many: times(n * 3, () => ({})) },
  }),
}

function nested(depth: number): unknown {
  let where: unknown = { Name: { eq: 'a' } }
  for (let level = 0; level < depth; level++) where = level % 2 ? { and: [where] } : { or: [where] }
  return where
}

function wide(n: number, depth: number): unknown {
  if (depth === 0 || n < 2) return { Name: { eq: 'a' }, and: times(n, () => ({})) }
  return { or: times(3, () => wide(Math.floor(n / 3), depth - 1)) }
}
