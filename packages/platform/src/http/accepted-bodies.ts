import { idp, type Operation } from '@servicekit/contract'
import { z } from 'zod'

const firstPage = z.preprocess((page) => (page === 0 ? 1 : page), idp.AccountsRequest.shape.page)

/**
 * Wider schemas for request bodies that existing clients send beyond the documented
 * contract: page 0 for the first page, and users created by invitation without user name
 * and password.
 */
const wider: ReadonlyMap<Operation, z.ZodType> = new Map<Operation, z.ZodType>([
  [idp.listUsers, idp.UsersRequest.extend({ page: firstPage })],
  [idp.listAccounts, idp.AccountsRequest.extend({ page: firstPage })],
  [
    idp.createUser,
    idp.CreateUser.extend({
      userName: z.string().nullish(),
      password: z.string().nullish(),
    }).transform((body) => ({
      ...body,
      userName: body.userName || body.email,
      password: body.password ?? '',
    })),
  ],
])

/** Returns the schema for the body of a request. */
export const acceptedBody = (operation: Operation): z.ZodType | undefined =>
  wider.get(operation) ?? operation.body
