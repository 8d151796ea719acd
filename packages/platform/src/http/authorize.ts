import type { Access, Operation } from '@servicekit/contract'
import type { Caller, ForeignPage, Unauthenticated } from '../identity/caller.ts'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'

/** A known caller who may not do what the request asks for. */
export interface ForbiddenRefusal {
  readonly reason: 'forbidden'
  readonly message: string
}

/** Why a caller is turned away. */
export type Denied = Unauthenticated | ForeignPage | ForbiddenRefusal

/** Caller as the access rule of an operation leaves it. */
export type CallerOf<O extends Operation> = O['access'] extends { readonly who: infer W }
  ? W extends 'anyone' | 'session'
    ? undefined
    : W extends 'optional'
      ? Caller | undefined
      : Caller
  : Caller | undefined

/**
 * Finds the sender of a request. An invalid Authorization header is always refused; cookies that
 * prove nobody are refused only where somebody has to be signed in.
 */
export async function findCaller(
  services: Services,
  project: Project,
  request: Request,
  { who, proofs }: Access,
): Promise<Caller | undefined | Denied> {
  if (request.headers.has('authorization')) {
    const { authenticate } = await services.identity()
    const caller = await authenticate(project, request, 'bearer')
    if ('reason' in caller || proofs.includes('bearer')) return caller
  }
  const isOptional = who === 'optional'
  if (who === 'anyone' || who === 'session') return undefined
  if (isOptional && !request.headers.has('cookie')) return undefined
  const { authenticate } = await services.identity()
  const caller = await authenticate(
    project,
    request,
    proofs.includes('session') ? 'session' : 'bearer',
  )
  return isOptional && 'reason' in caller ? undefined : caller
}
