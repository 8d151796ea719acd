import fc from 'fast-check'

const names = fc.oneof(
  fc.constantFrom(
    'Product',
    'product',
    'PRODUCT',
    'Order',
    'order_line',
    'Promise',
    'Gateway',
    'Index',
  ),
  fc.constantFrom(
    'ProductField',
    'ProductWhere',
    'Größe',
    '__proto__',
    'constructor',
    'a b',
    '9',
    '',
  ),
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,6}$/),
)
// Type names reserved by the service. Two types of one name make the schema invalid.
const own =
  /^(?:Query|Mutation|Subscription|String|Int|Float|Boolean|ID|DateTime|Long|GeoJson|SortDirection|ActionResponse|.*(?:Input|Result))$/
const types = fc.oneof(
  fc.constantFrom(
    'String',
    'Int',
    'Float',
    'Boolean',
    'DateTime',
    'ID',
    'Long',
    'GeoJson',
    'Money',
  ),
  names,
)
const fields = fc.record(
  {
    name: fc.oneof(names, fc.constantFrom('ItemId', 'itemid', 'Tags', 'or', 'and', 'Name', 'name')),
    type: types,
    isArray: fc.boolean(),
    requiredOn: fc.constantFrom('None', 'Insert', 'Update', 'Both'),
    description: fc.string({ unit: 'grapheme' }),
  },
  { requiredKeys: ['name'] },
)
/**
 * Listings with few schemas and unusual names: reserved words, names that differ only in
 * case, names invalid in GraphQL.
 */
export const listings = fc.array(
  fc.record(
    {
      schemaName: names.filter((name) => !own.test(name)),
      schemaType: fc.constantFrom(1, 1, 2),
      querySchema: fc.option(names),
      mutationSchemas: fc.option(
        fc.array(
          fc.oneof(
            names,
            names.map((name) => ({ name: `insert${name}` })),
            fc
              .tuple(
                fc.constantFrom('insertMany', 'update', 'updateMany', 'delete', 'deleteMany'),
                names,
              )
              .map((parts) => parts.join('')),
          ),
          { maxLength: 6 },
        ),
      ),
      fields: fc.option(fc.array(fields, { maxLength: 8 })),
    },
    { requiredKeys: ['schemaName'] },
  ),
  { maxLength: 8 },
)
