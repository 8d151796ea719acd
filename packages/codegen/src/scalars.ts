/** TypeScript types of a scalar of the data gateway. */
export interface Scalar {
  readonly name: string
  /** Type in rows. */
  readonly output: string
  /** Type in insert inputs. */
  readonly input: string
  /** Filter type in conditions; undefined if the gateway does not support filters on it. */
  readonly filter: string | undefined
}

const scalar = (
  name: string,
  output: string,
  filter: string | undefined,
  input = output,
): readonly [string, Scalar] => [name, { name, output, input, filter }]

/**
 * Scalars of the gateway by name. Any other type name refers to a nested object's schema.
 */
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

/** Returns the scalar with this name in any case: `string`, `INT`. */
export function scalarByAnyCase(name: string): Scalar | undefined {
  return byLowerCase.get(name.toLowerCase())
}
