import type { ResolvedOutputOptions } from '@servicekit/contract/output-options'

/** TypeScript types of a scalar of the data gateway. */
export interface Scalar {
  readonly name: string
  /** Type in rows. */
  readonly output: string
  /** Type in insert inputs. */
  readonly input: string
  /** Filter type in conditions; undefined if the gateway does not support filters on it. */
  readonly filter: string | undefined
  /** Name of the filter in the gateway: `Int` for `IntOperationFilterInput`. */
  readonly gatewayFilter: string | undefined
  /** Name in validators and factories, if it differs from that of the scalar. */
  readonly sample?: string
  /** Known values of an enum. */
  readonly values?: readonly string[]
}

/** TypeScript type of fields of type Long. */
export type LongType = ResolvedOutputOptions['long']

/**
 * Scalars of the gateway by name. Any other type name refers to a nested object's schema.
 * Own table, because the gateway defines the scalars and their filters (section 4.5).
 */
export const scalars: ReadonlyMap<string, Scalar> = new Map(
  (
    [
      ['String', 'string', 'string', 'StringFilter', 'String'],
      ['ID', 'string', 'string', 'IdFilter', 'String'],
      ['Int', 'number', 'number', 'NumberFilter', 'Int'],
      ['Float', 'number', 'number', 'NumberFilter', 'Number'],
      ['Long', 'number', 'LongInput', 'LongFilter', 'Long'],
      ['Boolean', 'boolean', 'boolean', 'BooleanFilter', 'Boolean'],
      ['DateTime', 'string', 'DateTimeInput', 'DateTimeFilter', 'DateTime'],
      ['GeoJson', 'GeoJson', 'GeoJson', undefined, undefined],
    ] as const
  ).map(([name, output, input, filter, gatewayFilter]) => [
    name,
    { name, output, input, filter, gatewayFilter },
  ]),
)

/** Returns the scalar of an enum. Values that were added to it later have its type, too. */
export function enumScalar(name: string, values: readonly string[]): Scalar {
  const type = [...values.map((value) => `'${value}'`), '(string & {})'].join(' | ')
  return {
    name,
    output: type,
    input: type,
    filter: 'IdFilter',
    gatewayFilter: name,
    sample: ['Enum', ...values].join('|'),
    values,
  }
}

/** Type of the values in conditions on fields of type Long: numbers, or strings of digits. */
export type LongFilter = ResolvedOutputOptions['longFilter']

/** Returns the scalar Long with the TypeScript types that the options `long` and `longFilter` select. */
export function longScalar(long: LongType, longFilter: LongFilter = 'number'): Scalar {
  const scalar = longScalarOf(long)
  return longFilter === 'number'
    ? scalar
    : { ...scalar, filter: 'StringFilter', gatewayFilter: 'String' }
}

function longScalarOf(long: LongType): Scalar {
  const scalar = scalars.get('Long')!
  if (long === 'number') return scalar
  if (long === 'bigint') return { ...scalar, output: long, sample: 'LongBigint' }
  return {
    ...scalar,
    output: long,
    input: 'LongStringInput',
    filter: 'LongStringFilter',
    sample: 'LongString',
  }
}

/** Returns the scalar with this name in any case: `string`, `INT`. */
export const scalarByAnyCase = (name: string): Scalar | undefined =>
  [...scalars.values()].find((one) => one.name.toLowerCase() === name.toLowerCase())
