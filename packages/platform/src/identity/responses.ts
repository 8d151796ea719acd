import { type Answer, json } from '../http/answer.ts'

/** Error messages by member of the request. */
export type FieldErrors = Readonly<Record<string, string>>

/** Creates the response to a request that succeeded. */
export const success = (body: object): Answer => json({ ...body, errors: {} })

/** Creates the response to a change that was made. */
export const saved = (itemId: string, rest?: object): Answer =>
  success({ isSuccess: true, itemId, ...rest })

/** Creates the response to a change that was not made. */
export const notSaved = (errors: FieldErrors, rest: object = { itemId: null }): Answer =>
  json({ isSuccess: false, ...rest, errors })
