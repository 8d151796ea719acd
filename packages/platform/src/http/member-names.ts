import { isObject } from '@servicekit/core'
import { z } from 'zod'

/**
 * Renames the members of a JSON body to those of its schema, without regard to case: `Name` to
 * `name`. A member that has its name already takes precedence. Members of records, of unions and
 * those that the schema does not know keep their names, because they are data.
 */
export function withMemberNames(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema instanceof z.ZodObject && isObject(value)) return renamed(schema, value)
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => withMemberNames(schema.element as z.ZodType, item))
  }
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  return isWrapper ? withMemberNames(schema.def.innerType as z.ZodType, value) : value
}

function renamed(schema: z.ZodObject, value: Readonly<Record<string, unknown>>): unknown {
  const names = Object.keys(schema.shape)
  const members = Object.entries(value).map(([given, member]): [string, unknown] => {
    const name = Object.hasOwn(schema.shape, given)
      ? given
      : names.find((one) => one.toLowerCase() === given.toLowerCase() && !Object.hasOwn(value, one))
    if (name === undefined) return [given, member]
    return [name, withMemberNames(schema.shape[name] as z.ZodType, member)]
  })
  return Object.fromEntries(members)
}
