/** What a scalar of the data gateway becomes in TypeScript. */
export interface Scalar {
  readonly name: string
  /** Type in a row. */
  readonly output: string
  /** Type in an insert. */
  readonly input: string
  /** Type of its conditions in a `where`; undefined where the gateway offers none. */
  readonly filter: string | undefined
}

const scalar = (
  name: string,
  output: string,
  filter: string | undefined,
  input = output,
): readonly [string, Scalar] => [name, { name, output, input, filter }]

/** The gateway's scalars by name. Any other type name is a nested object's schema. */
export const scalars: ReadonlyMap<string, Scalar> = new Map([
  scalar('String', 'string', 'StringFilter'),
  scalar('ID', 'string', 'IdFilter'),
  scalar('Int', 'number', 'NumberFilter'),
  scalar('Float', 'number', 'NumberFilter'),
  scalar('Long', 'number', 'NumberFilter'),
  scalar('Boolean', 'boolean', 'BooleanFilter'),
  scalar('DateTime', 'string', 'DateTimeFilter', 'DateTimeInput'),
  scalar('GeoJson', 'GeoJson', undefined),
])

const byLowerCase: ReadonlyMap<string, Scalar> = new Map(
  [...scalars.values()].map((entry) => [entry.name.toLowerCase(), entry]),
)

/** The scalar whose name differs in case only: `string`, `INT`. */
export function scalarByAnyCase(name: string): Scalar | undefined {
  return byLowerCase.get(name.toLowerCase())
}
