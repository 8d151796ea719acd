import { type Operation, projectHeader } from '@servicekit/contract'
import type { Context } from 'hono'
import type { ResolvedOptions } from '../options.ts'
import { RejectedRequest } from './rejected-request.ts'

type KeyOptions = Pick<ResolvedOptions, 'keyHeader'>

/**
 * Returns the project key of the header of the interface, or of the option `keyHeader`; empty if
 * there is none, or if the two headers differ: a proxy may have checked either.
 */
export function headerKey({ req }: Pick<Context, 'req'>, { keyHeader }: KeyOptions): string {
  const standard = req.header(projectHeader) ?? ''
  const other = (keyHeader === undefined ? undefined : req.header(keyHeader)) ?? ''
  return standard === '' || other === '' || standard === other ? standard || other : ''
}

/** Returns whether the project key is also a parameter of an operation. */
export const takesProjectKey = ({ route }: Operation): boolean =>
  route.query?.includes('ProjectKey') ?? false

export const unknownKey = () =>
  new RejectedRequest({ reason: 'keyUnknown', message: 'There is no project with this key.' })
