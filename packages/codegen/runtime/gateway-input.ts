import type { GatewayAny } from './gateway-types.js'

/**
 * Converts a row of type R to an input of type I. Without it, an edited row is not an input: rows
 * contain system fields, and null where an input has no value. The result has the members
 * that the row has; a required one is undefined if it is null in the row.
 */
export interface GatewayToInput<R, I> {
  <T extends GatewayEdited<R, I>>(
    row: T,
  ): {
    readonly [K in Exclude<keyof T & keyof I, 'ItemId'>]: T[K] extends {} ? I[K] : I[K] | undefined
  }
}

/** Row of type R, some of whose members may already have the types of an input. */
export type GatewayEdited<R, I> = {
  readonly [K in keyof R]?: R[K] | (K extends keyof I ? I[K] : never) | undefined
}

/** Conditions of type W in which filters and values may be undefined. */
export type GatewayOptional<W> = {
  readonly [K in keyof W]?:
    | (K extends 'and' | 'or'
        ? readonly GatewayOptional<W>[]
        : { readonly [O in keyof NonNullable<W[K]>]?: NonNullable<W[K]>[O] | undefined })
    | undefined
}

/**
 * W, inferred from the result alone. `NoInfer` would keep the undefined of an optional member,
 * and with it accept any condition.
 */
export type GatewayInferred<W> = [W][W extends unknown ? 0 : never]

/**
 * Leaves out the conditions whose value is undefined, for filters that are optional. Anywhere
 * else, an undefined value is an error. If all values are undefined, a list returns every row; an
 * update or a delete sends nothing and fails.
 *
 * ```ts
 * const where: ProductWhere = omitUndefined({
 *   Name: { contains: search || undefined },
 *   Price: { gte: from, lt: to },
 * })
 * ```
 */
export function omitUndefined<W>(conditions: GatewayOptional<GatewayInferred<W>>): W & {} {
  return omitEmpty(conditions) as W & {}
}

function omitEmpty(conditions: object): object {
  const kept = Object.entries(conditions).map(([name, part]: [string, unknown]) => [
    name,
    Array.isArray(part) ? part.map(omitEmpty).filter(isFilled) : withoutUndefined(part ?? {}),
  ])
  return Object.fromEntries(kept.filter(([, part]) => isFilled(part as object)))
}

const isFilled = (value: object): boolean => Object.keys(value).length > 0

const withoutUndefined = (filter: object): object =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))

const serviceFields = new Set(['CreatedDate', 'LastUpdatedDate', 'CreatedBy', 'LastUpdatedBy'])

/** Conversion of rows, of which the modules of nested objects use each other's. @internal */
export type GatewayConvert = (row: GatewayAny, isNested?: boolean) => GatewayAny

/**
 * @param fields Names of scalars.
 * @param isEntity Leaves out the fields that the service sets.
 * @param objects Conversions of nested objects.
 * @param required Names of fields that an update requires; undefined for an insert, which has
 *   no null at all.
 * @internal
 */
export function toInput(
  fields: string,
  isEntity: boolean,
  objects: Readonly<Record<string, () => GatewayConvert>> = {},
  required?: string,
): GatewayConvert {
  const scalars = fields.split(' ').filter((name) => !isEntity || !serviceFields.has(name))
  const isNullable = (name: string): boolean =>
    required !== undefined && !required.split(' ').includes(name)
  return (row, isNested = false) => {
    const members: [name: string, value: unknown][] = []
    const add = (name: string, convert: (value: unknown) => unknown): void => {
      const value: unknown = Object.hasOwn(row, name) ? row[name] : undefined
      if (value === null && isNullable(name)) members.push([name, null])
      if (value === undefined || value === null) return
      // Lists of rows may contain null, lists of inputs not.
      const isList = Array.isArray(value)
      const items = isList ? value.filter((item) => item !== null).map(convert) : convert(value)
      members.push([name, items])
    }
    for (const name of scalars)
      if (isNested || !isEntity || name !== 'ItemId') add(name, (value) => value)
    if (isNested && !scalars.includes('ItemId')) add('ItemId', (value) => value)
    for (const name of Object.keys(objects)) add(name, (value) => objects[name]!()(value, true))
    return Object.fromEntries(members)
  }
}
