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
  const where: any = {}
  for (const [name, part] of (Object as any).entries(conditions)) {
    const kept = Array.isArray(part)
      ? part.map((one) => omitUndefined(one)).filter(isFilled)
      : withoutUndefined(part ?? {})
    if (isFilled(kept)) where[name] = kept
  }
  return where
}

const isFilled: any = (value: any) => Object.keys(value).length > 0

const withoutUndefined: any = (filter: any) =>
  Object.fromEntries(
    (Object as any).entries(filter).filter(([, value]: any) => value !== undefined),
  )

const serviceFields = ['CreatedDate', 'LastUpdatedDate', 'CreatedBy', 'LastUpdatedBy']

/**
 * @param fields Names of scalars.
 * @param objects Conversions of nested objects.
 * @param required Names of fields that an update requires; undefined for an insert, which has
 *   no null at all.
 * @param isEntity Leaves out the fields that the service sets.
 * @internal
 */
export const toInput: any =
  (fields: string, isEntity: boolean, objects: any = {}, required?: string) =>
  (row: any, isNested?: boolean) => {
    const input: any = {}
    const convert = (name: string, one: (value: any) => any): void => {
      const value = Object.hasOwn(row, name) ? row[name] : undefined
      const isOmitted = required === undefined || required.split(' ').includes(name)
      if (value === undefined || (value === null && isOmitted)) return
      if (value === null) input[name] = null
      // Lists of rows may contain null, lists of inputs not.
      else if (!Array.isArray(value)) input[name] = one(value)
      else input[name] = value.filter((item) => item !== null).map((item) => one(item))
    }
    for (const name of fields.split(' '))
      if (!isEntity || !serviceFields.includes(name)) convert(name, (value) => value)
    if (isNested) convert('ItemId', (value) => value)
    else if (isEntity) delete input.ItemId
    for (const name of (Object as any).keys(objects))
      convert(name, (value) => objects[name]()(value, true))
    return input
  }
