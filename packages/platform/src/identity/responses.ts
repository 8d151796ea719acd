import { json } from '../http/responses.ts'

/** Error messages by member of the request. */
export type FieldErrors = Readonly<Record<string, string>>

/** Creates the response to a request that succeeded. */
export const success = (body: object): Response => json({ ...body, errors: {} })

/** Creates the response to a change that was made. */
export const saved = (itemId: string, rest?: object): Response =>
  success({ isSuccess: true, itemId, ...rest })

/** Creates the response to a change that was not made. */
export const notSaved = (
  errors: FieldErrors,
  rest: object = { itemId: null },
  status = 200,
): Response => json({ isSuccess: false, ...rest, errors }, status)
