interface SampleField {
  readonly name: string
  readonly type: string
  readonly isArray?: boolean
  readonly requiredOn?: string
}

/**
 * Creates a listing of `count` schemas that differ only in their names, so that
 * measurements of one hold for all.
 */
export function sampleListing(
  count: number,
  more: readonly SampleField[] = [],
  mutations: readonly string[] = ['insert'],
): unknown {
  const fields: readonly SampleField[] = [
    { name: 'ItemId', type: 'String' },
    { name: 'Name', type: 'String', requiredOn: 'Insert' },
    { name: 'Price', type: 'Float', requiredOn: 'Insert' },
    { name: 'Sku', type: 'String' },
    ...more,
  ]
  const items: unknown[] = Array.from({ length: count }, (_, index) => ({
    schemaName: `Product${index}`,
    schemaType: 1,
    querySchema: `Product${index}s`,
    mutationSchemas: mutations.map((kind) => `${kind}Product${index}`),
    fields,
  }))
  if (more.length > 0) items.push(...objects)
  return { data: { totalCount: items.length, items } }
}

/** Nested objects on two levels, for `sampleListing(count, nestedFields)`. */
export const nestedFields: readonly SampleField[] = [
  { name: 'Home', type: 'Address' },
  { name: 'Lines', type: 'Line', isArray: true },
]

const objects = [
  {
    schemaName: 'Address',
    schemaType: 2,
    fields: [
      { name: 'City', type: 'String' },
      { name: 'Zip', type: 'String' },
      { name: 'Geo', type: 'Geo' },
    ],
  },
  {
    schemaName: 'Geo',
    schemaType: 2,
    fields: [
      { name: 'Lat', type: 'Float' },
      { name: 'Lon', type: 'Float' },
    ],
  },
  {
    schemaName: 'Line',
    schemaType: 2,
    fields: [
      { name: 'Sku', type: 'String' },
      { name: 'Quantity', type: 'Int' },
    ],
  },
]
