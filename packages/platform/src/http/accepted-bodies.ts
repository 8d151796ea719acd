import { idp, type Operation } from '@servicekit/contract'
import { z } from 'zod'

const firstPage = z.preprocess((page) => (page === 0 ? 1 : page), idp.AccountsRequest.shape.page)

/**
 * Bodies that clients in the field send beyond what the contract documents, read
 * into its shapes: page 0 for the first page, and invitations by Create without
 * user name and password.
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

/** Returns the schema that the body of a request is read by. */
export const acceptedBody = (operation: Operation): z.ZodType | undefined =>
  wider.get(operation) ?? operation.body
