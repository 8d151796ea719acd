/** Schemas with unusual names and fields. */
export const unusual: readonly unknown[] = [
  'product',
  'Product',
  'PRODUCT',
  'Promise',
  'Pick',
  'Record',
  'Date',
  'Gateway',
  'class',
  'Index',
  'constructor',
  '__proto__',
  'toString',
  'Größe',
  'two words',
  '3D',
  '注文',
  '*/',
  'Con',
].map((schemaName) => ({
  schemaName,
  querySchema: `${schemaName}s`,
  mutationSchemas: [`insert${schemaName}`],
  fields: [
    ...['Name', 'constructor', '__proto__', 'new', 'readonly', 'or', 'and', 'a b'].map((name) => ({
      name,
      type: /^(?:constructor|__proto__)$/.test(name) ? 'Long' : 'String',
      description: `*/ @deprecated \` \${x} \n ${name}`,
    })),
    { name: 'At', type: 'DateTime', requiredOn: 'Both' },
    { name: 'Place', type: 'GeoJson' },
    { name: 'Self', type: schemaName },
    { name: 'Selves', type: schemaName, isArray: true, requiredOn: 'Insert' },
  ],
}))

/** Names that type parameters also have, for rows with and without objects. */
export const letters: readonly unknown[] = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((letter) => [
  named(letter, []),
  named(letter.repeat(2), [{ name: 'Self', type: letter }]),
])

function named(schemaName: string, objects: readonly object[]): object {
  const fields = [{ name: 'Name', type: 'String' }, ...objects]
  return {
    schemaName,
    querySchema: `${schemaName}s`,
    mutationSchemas: [`insert${schemaName}`],
    fields,
  }
}
