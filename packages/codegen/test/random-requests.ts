import fc from 'fast-check'

/** Request to the gateway. */
export interface GatewayRequest {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

interface Field {
  readonly name: string
  readonly type: string
  readonly isArray: boolean
  readonly requiredOn: string
}

/** Schema of a listing, as the platform and the gateway in memory read it. */
export interface Schema {
  readonly schemaName: string
  readonly schemaType: 1 | 2
  readonly fields: readonly Field[]
}

const systemFields: readonly Field[] = [
  ['ItemId', 'String'],
  ['CreatedDate', 'DateTime'],
  ['LastUpdatedDate', 'DateTime'],
  ['CreatedBy', 'String'],
  ['LastUpdatedBy', 'String'],
  ['Language', 'String'],
  ['OrganizationId', 'String'],
  ['Tags', 'String', true],
].map(([name, type, isArray = false]) => ({ name, type, isArray, requiredOn: 'None' }) as Field)

const nestedName = 'Part'
const types = ['String', 'ID', 'Int', 'Long', 'Float', 'Boolean', 'DateTime', 'GeoJson', nestedName]

const fields = (types: readonly string[]) =>
  fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('Alpha', 'Beta', 'constructor', 'Delta', 'or', 'toString', 'Gamma'),
      type: fc.constantFrom(...types),
      isArray: fc.boolean().chain((one) => (one ? fc.boolean() : fc.constant(false))),
      requiredOn: fc.constantFrom('None', 'None', 'None', 'Insert', 'Update', 'Both'),
    }),
    { minLength: 1, maxLength: 6, selector: ({ name }) => name },
  )

const levels = {
  readAccessLevel: 2,
  writeAccessLevel: 2,
  editAccessLevel: 2,
  deleteAccessLevel: 2,
}

const kinds = ['insert', 'insertMany', 'update', 'updateMany', 'delete', 'deleteMany']

/** Listing of one nested object and one schema for each number. */
export const listings = (count: number): fc.Arbitrary<readonly Schema[]> =>
  fc
    .tuple(
      fields(types.filter((type) => type !== nestedName)),
      fc.array(fields(types), { minLength: count, maxLength: count }),
    )
    .map(([nested, all]) => [
      { schemaName: nestedName, schemaType: 2, fields: nested, ...levels },
      ...all.map((own, index) => {
        const schemaName = `Thing${index}`
        return {
          schemaName,
          schemaType: 1 as const,
          querySchema: `${schemaName}s`,
          mutationSchemas: kinds.map((kind) => kind + schemaName),
          fields: [...systemFields, ...own],
          ...levels,
        }
      }),
    ])

const plainTexts = [
  '',
  'a',
  'A',
  'ab',
  'Ab',
  'b',
  'z',
  'Z',
  'ä',
  '\uFFFD',
  '😀',
  '%',
  '_',
  '\\',
  ' ',
]
const texts = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.constantFrom(...plainTexts),
  },
  { weight: 10, arbitrary: fc.string({ unit: 'grapheme', maxLength: 3 }) },
  // Texts that PostgreSQL cannot store.
  { weight: 1, arbitrary: fc.constantFrom('a\0', '\uD83D') },
)
const instants = fc.constantFrom(
  '2025-03-19T06:00:00.000Z',
  '2025-03-19T07:00:00+01:00',
  '2025-03-19',
  '2026-01-01T00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
)
const ints = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer())
const valid: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  String: texts,
  ID: fc.oneof(texts, fc.integer({ min: 0, max: 9 })),
  Int: ints,
  Long: fc.oneof(
    ints,
    fc.maxSafeInteger(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  ),
  Float: fc.oneof(
    ints,
    fc.constantFrom(0.1, -0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  ),
  Boolean: fc.boolean(),
  DateTime: instants,
  GeoJson: fc.constantFrom({ type: 'Point', coordinates: [1, 2] }, { type: 'Point' }),
}
/** Few: most of them only show how GraphQL prints its errors. */
const invalid = fc.constantFrom<unknown>('x', 1.5, true, 2 ** 53, 2n ** 63n, '2025-02-30', {}, [])

const value = (type: string): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 100, arbitrary: valid[type]! }, { weight: 1, arbitrary: invalid })

const inputOf = (
  schema: Schema,
  listing: readonly Schema[],
  on: 'Insert' | 'Update',
): fc.Arbitrary<Readonly<Record<string, unknown>>> => {
  const settable = schema.fields.filter(
    ({ name }) =>
      !/^(?:Created|LastUpdated|ItemId)/.test(name) &&
      // A member of this name of an object that GraphQL coerces is one of its prototype.
      name !== '__proto__',
  )
  const members = settable.map((field) => {
    const nested = listing.find(({ schemaName }) => schemaName === field.type)
    const one = nested ? inputOf(nested, listing, 'Insert') : value(field.type)
    const some = field.isArray ? fc.array(fc.option(one, { freq: 9 }), { maxLength: 3 }) : one
    const freq = field.requiredOn === 'None' ? 8 : 80
    return [field.name, fc.option(some, { freq })] as const
  })
  const required = settable.filter(({ requiredOn }) => requiredOn === on || requiredOn === 'Both')
  return fc
    .tuple(
      fc.record(Object.fromEntries(members), { requiredKeys: required.map(({ name }) => name) }),
      fc.constantFrom('i1', 'i2', 'i3', 'i4', 'i5', 'i6', 'i7', 'i8', 'i9'),
    )
    .map(([input, ItemId]) =>
      on === 'Insert' && schema.schemaType === 1 ? { ...input, ItemId } : input,
    )
}

const operators: Readonly<Record<string, readonly string[]>> = {
  String: ['eq', 'neq', 'contains', 'startsWith', 'endsWith', 'in'],
  Boolean: ['eq', 'neq'],
  other: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in'],
}

const whereOf = (schema: Schema): fc.Arbitrary<unknown> => {
  const fields = schema.fields.filter(
    ({ name, type, isArray }) => !isArray && name !== 'or' && type !== 'GeoJson' && valid[type],
  )
  const condition = fc.constantFrom(...fields).chain(({ name, type }) => {
    const known = operators[type === 'ID' ? 'String' : type] ?? operators['other']!
    const ids = fc.constantFrom('i1', 'i2', 'i3', 'i4')
    const operand = fc.option(name === 'ItemId' ? ids : value(type), { freq: 9 })
    const filter = fc.constantFrom(...known).chain((operator) =>
      (operator === 'in' ? fc.array(operand, { maxLength: 4 }) : operand).map((given) => ({
        [operator]: given,
      })),
    )
    return fc
      .oneof({ weight: 20, arbitrary: filter }, { weight: 1, arbitrary: fc.constantFrom({}, null) })
      .map((given) => ({ [name]: given }))
  })
  const { where } = fc.letrec((tie) => ({
    where: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 4, arbitrary: condition },
      {
        weight: 1,
        arbitrary: fc.tuple(condition, condition).map(([one, two]) => ({ ...one, ...two })),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom('or', 'and'), fc.array(tie('where'), { maxLength: 3 }))
          .map(([joiner, parts]) => ({ [joiner]: parts })),
      },
    ),
  }))
  return fc.oneof({ weight: 15, arbitrary: where }, { weight: 1, arbitrary: fc.constant({}) })
}

const selectionOf = (schema: Schema, listing: readonly Schema[]): string =>
  schema.fields
    .map(({ name, type }) => {
      const nested = listing.find(({ schemaName }) => schemaName === type)
      return nested ? `${name}{${selectionOf(nested, listing)}}` : name
    })
    .join(' ')

/** Random lists and mutations of a schema. */
export function requestsOf(
  schema: Schema,
  listing: readonly Schema[],
): fc.Arbitrary<GatewayRequest> {
  const { schemaName: name } = schema
  const where = whereOf(schema)
  const many = 'acknowledged totalImpactedData message itemIds'
  const one = 'acknowledged totalImpactedData message itemId'
  const order = fc.array(
    fc.record(
      {
        field: fc.constantFrom(...schema.fields.map((field) => field.name)),
        direction: fc.constantFrom('ASC', 'DESC', null),
      },
      { requiredKeys: ['field'] },
    ),
    { maxLength: 3 },
  )
  const paging = fc.record(
    { pageNo: fc.constantFrom(1, 1, 1, 2, 3), pageSize: fc.integer({ min: 1, max: 6 }) },
    { noNullPrototype: true },
  )
  const oddPaging = fc.constantFrom(
    { pageNo: 1 },
    { pageNo: 0, pageSize: 1 },
    { pageNo: 1, pageSize: 1001 },
    {},
  )
  const list = fc
    .record(
      {
        where: fc.oneof({ weight: 2, arbitrary: where }, { weight: 1, arbitrary: fc.constant({}) }),
        order,
        paging: fc.oneof({ weight: 15, arbitrary: paging }, { weight: 1, arbitrary: oddPaging }),
      },
      { requiredKeys: [] },
    )
    .map((variables) => ({
      query: `query($where:${name}FilterInput,$order:[DynamicSortInput!],$paging:PaginationInput){${name}s(where:$where,order:$order,paging:$paging){items{${selectionOf(schema, listing)}}totalCount pageNo pageSize totalPages hasNextPage hasPreviousPage}}`,
      variables,
    }))
  const insert = inputOf(schema, listing, 'Insert').map((input) => ({
    query: `mutation($input:${name}InsertInput!){insert${name}(input:$input){${one}}}`,
    variables: { input },
  }))
  const insertMany = fc
    .array(inputOf(schema, listing, 'Insert'), { maxLength: 4 })
    .map((input) => ({
      query: `mutation($input:[${name}InsertInput!]!){insertMany${name}(input:$input){${many}}}`,
      variables: { input },
    }))
  const change = fc
    .tuple(fc.constantFrom('', 'Many'), where, inputOf(schema, listing, 'Update'), fc.boolean())
    .map(([isMany, where, input, isUpdate]) => ({
      query: `mutation($where:${name}FilterInput!,$input:${name}${isUpdate ? 'Update' : 'Delete'}Input!){${isUpdate ? 'update' : 'delete'}${isMany}${name}(where:$where,input:$input){${isMany ? many : one}}}`,
      variables: { where, input: isUpdate ? input : { isHardDelete: true } },
    }))
  return fc.oneof(
    { weight: 5, arbitrary: list },
    { weight: 4, arbitrary: insert },
    { weight: 1, arbitrary: insertMany },
    { weight: 2, arbitrary: change },
  )
}
