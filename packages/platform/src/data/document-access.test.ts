import { AccessLevel } from '@servicekit/contract'
import { getOperationAST, getVariableValues, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { gatewaySchema } from './build-schema.ts'
import { CostError, type Spend } from './cost.ts'
import { argumentNeeds, selectionNeeds } from './document-access.ts'
import { filterReader } from './dynamic-query.ts'
import { buildModel } from './model.ts'

const { User, Inherited } = AccessLevel
/** Levels of the schemas and fields below; each differs from those it could be confused with. */
const [schemaRead, fieldRead, nestedRead] = [11, 12, 13]

const level = (read: number, write = 0, edit = 0, remove = 0) => ({
  readAccessLevel: read,
  writeAccessLevel: write,
  editAccessLevel: edit,
  deleteAccessLevel: remove,
})
const field = (name: string, more: object = {}) => ({ name, type: 'String', ...more })
const entity = (schemaName: string, fields: readonly object[], levels: object = {}) => ({
  id: schemaName,
  schemaName,
  collectionName: schemaName,
  schemaType: 1,
  querySchema: `${schemaName}s`,
  fields,
  ...levels,
})
const gateway = gatewaySchema(
  buildModel([
    entity(
      'Order',
      [
        field('Plain'),
        field('Secret', level(fieldRead, 22, 32)),
        field('Ship', { type: 'Address' }),
        field('Bill', { type: 'Address', ...level(15, 25, 35) }),
        field('Closed', { type: 'Vault' }),
        field('Stops', { type: 'Address', isArray: true }),
      ],
      level(schemaRead, 21, 31, 41),
    ),
    entity('Free', [field('Name')]),
    entity('Note', [field('Plain', level(51)), field('filter', level(52))], level(53)),
    { ...entity('Address', [field('City'), field('Code', level(14, 24, 34))]), schemaType: 2 },
    { ...entity('Vault', [field('Door')], level(nestedRead, 23, 33)), schemaType: 2 },
  ] as never),
)

const document = (text: string) => {
  const parsed = parse(text)
  expect(validate(gateway.schema, parsed)).toEqual([])
  return parsed
}
/** Returns the levels that a document requires, with the operations that require them first. */
const selection = (text: string) =>
  Object.fromEntries(selectionNeeds(document(text), gateway)) as Record<string, string>
const run = (
  text: string,
  values: Readonly<Record<string, unknown>> = {},
  spend: Spend = () => {},
) => {
  const parsed = document(text)
  const operation = getOperationAST(parsed)!
  const { coerced = {} } = getVariableValues(
    gateway.schema,
    operation.variableDefinitions ?? [],
    values,
  )
  return Object.fromEntries(argumentNeeds(gateway, parsed, operation, coerced, filterReader(spend)))
}

describe('selectionNeeds', () => {
  it('requires the level of the schema and of each selected field', () => {
    expect(selection('{ Orders { totalCount } }')).toEqual({ [schemaRead]: 'read Order' })
    expect(selection('{ Orders { items { Plain } } }')).toEqual({ [schemaRead]: 'read Order' })
    expect(selection('{ Orders { items { Plain Secret } } }')).toEqual({
      [schemaRead]: 'read Order',
      [fieldRead]: 'read Order.Secret',
    })
  })

  it('requires nothing for the name of a type', () => {
    expect(selection('{ Orders { items { __typename } } }')).toEqual({ [schemaRead]: 'read Order' })
    expect(run('{ __type(name: "Order") { name } }')).toEqual({})
  })

  it('requires User for a schema and fields without a level', () => {
    expect(Inherited).toBe(0)
    expect(selection('{ Frees { items { Name } } }')).toEqual({ [User]: 'read Free' })
  })

  it('requires the level of nested fields: their own, that of their type, or that of their field', () => {
    expect(selection('{ Orders { items { Ship { City Code } } } }')).toEqual({
      [schemaRead]: 'read Order',
      14: 'read Address.Code',
    })
    expect(selection('{ Orders { items { Bill { City } } } }')).toEqual({
      [schemaRead]: 'read Order',
      15: 'read Order.Bill',
    })
    expect(selection('{ Orders { items { Closed { Door } } } }')).toEqual({
      [schemaRead]: 'read Order',
      [nestedRead]: 'read Vault.Door',
    })
  })

  it('finds fields in fragments, wherever they are used', () => {
    const secret = { [schemaRead]: 'read Order', [fieldRead]: 'read Order.Secret' }
    expect(selection('{ Orders { items { ... on Order { Secret } } } }')).toEqual(secret)
    expect(selection('{ Orders { items { ...F } } } fragment F on Order { Secret }')).toEqual(
      secret,
    )
    expect(selection('{ Orders { ...R } } fragment R on OrderResult { items { Secret } }')).toEqual(
      secret,
    )
    expect(selection('{ ...Q } fragment Q on Query { Orders { items { Secret } } }')).toEqual(
      secret,
    )
    // The same fragment has another level below another field.
    const shared = `{ Orders { items { Ship { ...A } Bill { ...A } Closed { Door } } } }
      fragment A on Address { City }`
    expect(Object.keys(selection(shared)).map(Number)).toEqual([schemaRead, nestedRead, 15])
  })

  it('collects the levels of all operations of a document', () => {
    expect(selection('query A { Orders { totalCount } } query B { Frees { totalCount } }')).toEqual(
      { [schemaRead]: 'read Order', [User]: 'read Free' },
    )
  })

  it('requires User to read the schema', () => {
    const read = { [User]: 'read the schema' }
    expect(selection('{ __schema { queryType { name } } }')).toEqual(read)
    expect(selection('{ __type(name: "Order") { name } }')).toEqual(read)
    expect(selection('{ __typename }')).toEqual({})
  })

  it('requires the level of each kind of mutation', () => {
    const one = '(where: {Plain: {eq: "x"}}'
    expect(selection('mutation { insertOrder(input: {}) { itemId } }')).toEqual({
      21: 'write Order',
    })
    expect(selection('mutation { insertManyOrder(input: []) { acknowledged } }')).toEqual({
      21: 'write Order',
    })
    expect(selection(`mutation { updateOrder${one}, input: {}) { acknowledged } }`)).toEqual({
      31: 'edit Order',
    })
    expect(selection(`mutation { deleteOrder${one}) { acknowledged } }`)).toEqual({
      41: 'delete Order',
    })
  })

  it('is as fast for fragments that use each other many times', () => {
    const count = 26
    const fragments = Array.from({ length: count }, (_, i) =>
      i + 1 === count
        ? `fragment F${i} on Order { Secret }`
        : `fragment F${i} on Order { ...F${i + 1} ... on Order { ...F${i + 1} } }`,
    )
    const parsed = parse(`{ Orders { items { ...F0 } } } ${fragments.join('\n')}`)
    expect([...selectionNeeds(parsed, gateway).keys()]).toEqual([schemaRead, fieldRead])
  })
})

describe('argumentNeeds', () => {
  const secretRead = { [fieldRead]: 'read Order.Secret' }

  it.each([
    ['where', '(where: {Secret: {eq: "x"}})'],
    ['a nested condition', '(where: {or: [{Plain: {eq: "x"}}, {and: [{Secret: {eq: "x"}}]}]})'],
    ['order', '(order: [{field: "Secret", direction: ASC}])'],
  ])('requires the level of a field in %s', (_, given) => {
    expect(run(`{ Orders${given} { totalCount } }`)).toMatchObject(secretRead)
  })

  it('requires the levels of fields in dynamic filters and sorts', () => {
    const query = 'query ($input: DynamicQueryInput) { Orders(input: $input) { totalCount } }'
    expect(run(query, { input: { filter: '{"Secret": "x"}' } })).toEqual(secretRead)
    expect(run(query, { input: { sort: '{"Secret": -1}' } })).toEqual(secretRead)
    expect(run(query, { input: { filter: '{"Plain": "x"}', sort: '{"Plain": 1}' } })).toEqual({
      [schemaRead]: 'read Order.Plain',
    })
    // Invalid ones are reported by the execution.
    expect(run(query, { input: { filter: 'no JSON', sort: 'no JSON' } })).toEqual({})
    expect(run(query, { input: {} })).toEqual({})
    expect(run(query)).toEqual({})
  })

  it('requires nothing for operations without arguments', () => {
    expect(run('{ Orders { totalCount } __typename }')).toEqual({})
  })

  it('requires no level to identify the record to change', () => {
    const byId = '(where: {ItemId: {eq: "1"}}'
    expect(run(`mutation { deleteOrder${byId}) { acknowledged } }`)).toEqual({})
    expect(run(`{ Orders${byId}) { totalCount } }`)).toEqual({ [schemaRead]: 'read Order.ItemId' })
    expect(run('mutation { deleteOrder(where: {Secret: {eq: "x"}}) { acknowledged } }')).toEqual(
      secretRead,
    )
    const filtered = 'mutation { deleteOrder(filter: "{\\"Secret\\": \\"x\\"}") { acknowledged } }'
    expect(run(filtered)).toEqual(secretRead)
    const sameFilter =
      'mutation { deleteOrder(filter: "{\\"ItemId\\": \\"x\\"}") { acknowledged } }'
    expect(run(sameFilter)).toEqual({})
  })

  it.each([
    ['where: {ItemId: {eq: "x"}}', {}],
    ['where: {ItemId: {in: ["x", "y"]}}', {}],
    ['filter: "{\\"ItemId\\": {\\"$in\\": [\\"x\\"]}}"', {}],
    ['where: {ItemId: {startsWith: "x"}}', { 11: 'read Order.ItemId' }],
    ['where: {ItemId: {neq: "x"}}', { 11: 'read Order.ItemId' }],
    ['where: {ItemId: {eq: "x", contains: ""}}', { 11: 'read Order.ItemId' }],
    ['where: {or: [{ItemId: {eq: "x"}}, {ItemId: {endsWith: "x"}}]}', { 11: 'read Order.ItemId' }],
    ['filter: "{\\"ItemId\\": {\\"$regex\\": \\"^x\\"}}"', { 11: 'read Order.ItemId' }],
    ['filter: "{\\"ItemId\\": {\\"$ne\\": \\"x\\"}}"', { 11: 'read Order.ItemId' }],
    ['filter: "{\\"ItemId\\": {\\"$exists\\": true}}"', { 11: 'read Order.ItemId' }],
  ])('lets whoever may not read a record change it only by its whole id: %s', (by, needs) => {
    expect(run(`mutation { deleteManyOrder(${by}) { itemIds } }`)).toEqual(needs)
  })

  it('requires the levels of the fields that an input sets, by verb', () => {
    expect(run('mutation { insertOrder(input: {Secret: "x"}) { itemId } }')).toEqual({
      22: 'write Order.Secret',
    })
    expect(run('mutation { insertOrder(input: {Plain: "x"}) { itemId } }')).toEqual({
      21: 'write Order.Plain',
    })
    const update =
      'mutation { updateOrder(where: {ItemId: {eq: "1"}}, input: {Secret: "x"}) { acknowledged } }'
    expect(run(update)).toEqual({ 32: 'edit Order.Secret' })
    const many =
      'mutation { insertManyOrder(input: [{Plain: "x"}, {Secret: "x"}]) { acknowledged } }'
    expect(run(many)).toEqual({ 21: 'write Order.Plain', 22: 'write Order.Secret' })
  })

  it('requires the levels of all fields of a nested object that an update replaces', () => {
    const update = (input: string, many = '') =>
      run(
        `mutation { update${many}Order(where: {ItemId: {eq: "1"}}, input: ${input}) { acknowledged } }`,
      )
    const ship = { 31: 'edit Order.Ship', 34: 'edit Address.Code' }
    expect(update('{Ship: {City: "x"}}')).toEqual(ship)
    expect(update('{Ship: {}}')).toEqual(ship)
    expect(update('{Ship: null}')).toEqual(ship)
    expect(update('{Ship: {City: "x"}}', 'Many')).toEqual(ship)
    expect(update('{Stops: []}')).toEqual({ 31: 'edit Order.Stops', 34: 'edit Address.Code' })
    expect(update('{Closed: {Door: "x"}}')).toEqual({
      31: 'edit Order.Closed',
      33: 'edit Vault.Door',
    })
    expect(update('{Plain: "x"}')).toEqual({ 31: 'edit Order.Plain' })
  })

  it('ends for nested objects that contain each other', () => {
    const ring = gatewaySchema(
      buildModel([
        entity('Root', [field('One', { type: 'A' })]),
        { ...entity('A', [field('B', { type: 'B' }), field('A', { type: 'A' })]), schemaType: 2 },
        { ...entity('B', [field('A', { type: 'A' }), field('X', level(0, 0, 61))]), schemaType: 2 },
      ] as never),
    )
    const parsed = parse(
      'mutation { updateRoot(filter: "x", input: {One: null}) { acknowledged } }',
    )
    expect(
      Object.fromEntries(
        argumentNeeds(
          ring,
          parsed,
          getOperationAST(parsed)!,
          {},
          filterReader(() => {}),
        ),
      ),
    ).toMatchObject({ 61: 'edit B.X' })
  })

  it('requires the levels of nested objects that an input sets', () => {
    const insert = (input: string) => run(`mutation { insertOrder(input: ${input}) { itemId } }`)
    expect(insert('{Ship: {City: "x", Code: "y"}}')).toEqual({
      21: 'write Order.Ship',
      24: 'write Address.Code',
    })
    expect(insert('{Bill: {City: "x"}}')).toEqual({ 25: 'write Order.Bill' })
    expect(insert('{Closed: {Door: "x"}}')).toEqual({
      21: 'write Order.Closed',
      23: 'write Vault.Door',
    })
    expect(insert('{Stops: [{City: "x"}, {Code: "y"}]}')).toEqual({
      21: 'write Order.Stops',
      24: 'write Address.Code',
    })
    expect(insert('{Ship: null}')).toEqual({ 21: 'write Order.Ship' })
  })

  it('reads values of variables once for each use', () => {
    const spent: number[] = []
    const filter = `{"Secret": "${'x'.repeat(85)}"}`
    const query = (text: string, uses: string) =>
      run(`query ($f: String) ${text.replaceAll('$uses', uses)}`, { f: filter }, (cost) =>
        spent.push(cost),
      )
    const both =
      'a: Orders(input: {filter: $f}) { totalCount } b: Orders(input: {filter: $f}) { totalCount }'
    expect(query('{ $uses }', both)).toEqual(secretRead)
    expect(spent).toEqual([filter.length / 50, 3])
    const costly = () => {
      throw new CostError(1)
    }
    expect(() =>
      run(
        'query ($f: String) { Orders(input: {filter: $f}) { totalCount } }',
        { f: filter },
        costly,
      ),
    ).toThrow('costs more than 1')
  })

  it('reads a value again for another schema', () => {
    const both = { [schemaRead]: 'read Order.Plain', 51: 'read Note.Plain' }
    const uses = (given: string) =>
      `a: Orders(${given}) { totalCount } b: Notes(${given}) { totalCount }`
    const text = (type: string, given: string) => `query ($v: ${type}) { ${uses(given)} }`
    expect(run(text('String', 'input: {filter: $v}'), { v: '{"Plain": "x"}' })).toEqual(both)
    expect(run(text('String', 'input: {sort: $v}'), { v: '{"Plain": 1}' })).toEqual(both)
    const order = [{ field: 'Plain', direction: 'ASC' }]
    expect(run(text('[DynamicSortInput!]', 'order: $v'), { v: order })).toEqual(both)
  })

  it('does not mistake an argument of a query for a field', () => {
    expect(run('{ Notes(input: {filter: "{}"}) { totalCount } }')).toEqual({})
  })

  it('reads one value for each of its uses', () => {
    const text = `query ($w: OrderFilterInput) {
      Orders(where: $w) { totalCount }
    }`
    expect(run(text, { w: { Secret: { eq: 'x' } } })).toEqual(secretRead)
    const mutation = `mutation ($w: OrderFilterInput) {
      a: updateOrder(where: $w, input: {Plain: "x"}) { acknowledged }
      b: deleteOrder(where: $w) { acknowledged }
    }`
    expect(run(mutation, { w: { Secret: { eq: 'x' } } })).toEqual({
      ...secretRead,
      31: 'edit Order.Plain',
    })
  })
})
