import { auth, data, idp, type Operation } from '@servicekit/contract'
import { isObject } from '@servicekit/core'
import { z } from 'zod'
import type { Schemas } from './pipeline.ts'

/**
 * Query of the schema listing, with the filters that deployed instances have. They are not part of
 * the interface.
 */
export const SchemaQuery = data.listSchemas.query.extend({
  /** Name of the schema. */
  SchemaName: z.string().optional(),
  /** Part of the name, in any case. */
  Keyword: z.string().optional(),
  /** 1 entity, 2 nested object; 0 for both. */
  SchemaType: z.coerce.number().int().min(0).max(2).optional(),
})

const firstPage = z.preprocess((page) => (page === 0 ? 1 : page), idp.AccountsRequest.shape.page)

/**
 * Wider schemas for request bodies that existing clients send beyond the documented contract: page
 * 0 for the first page, users created by invitation without user name and password, and client
 * credentials without an organization.
 */
const wideBodies: ReadonlyMap<Operation, z.ZodType> = new Map<Operation, z.ZodType>([
  [idp.listUsers, idp.UsersRequest.extend({ page: firstPage })],
  [idp.listAccounts, idp.AccountsRequest.extend({ page: firstPage })],
  [
    idp.createUser,
    idp.CreateUser.extend({ userName: z.string().nullish(), password: z.string().nullish() }),
  ],
  [
    auth.issueToken,
    z.discriminatedUnion('grant_type', [
      auth.ClientCredentialsGrant.extend({ org_id: z.string().min(1).default('default') }),
      auth.RefreshGrant,
    ]),
  ],
])

/** Wider schemas for queries: filters of the schema listing. */
const wideQueries: ReadonlyMap<Operation, z.ZodType> = new Map<Operation, z.ZodType>([
  [data.listSchemas, SchemaQuery],
])

/** Returns the schemas of what an operation accepts, at least what the interface documents. */
export function acceptedSchemas(operation: Operation): Schemas {
  const query = wideQueries.get(operation) ?? operation.query
  const body = wideBodies.get(operation) ?? operation.body
  return {
    ...(query && { query }),
    ...(operation.path && { path: operation.path }),
    ...(body && { body: z.preprocess((value) => withMemberNames(body, value), body) }),
  }
}

/**
 * Renames the members of a JSON body to those of its schema, without regard to case: `Name` to
 * `name`. A member that has its name already takes precedence. Members of records, of unions and
 * those that the schema does not know keep their names, because they are data.
 */
function withMemberNames(schema: z.ZodType | undefined, value: unknown): unknown {
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
