import { auth, data, idp, type Operation } from '@servicekit/contract'
import { z } from 'zod'

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
export const wideBodies: ReadonlyMap<Operation, z.ZodType> = new Map<Operation, z.ZodType>([
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
export const wideQueries: ReadonlyMap<Operation, z.ZodType> = new Map<Operation, z.ZodType>([
  [data.listSchemas, SchemaQuery],
])
