import type {
  Control,
  ControlAddress,
  ControlCall,
  ControlInput,
  ControlResult,
} from '@servicekit/client/control'
import { ApiError } from './api-error.ts'
import { callControl } from './control.ts'
import { refreshSession } from './sign-in.ts'

export { ApiError } from './api-error.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Path of a control operation of the project, such as `/keys`. */
type ProjectPath<M extends Method> =
  Extract<ControlAddress, `${M} /projects/{project}/${string}`> extends infer A
    ? A extends `${M} /projects/{project}${infer Path}`
      ? Path
      : never
    : never

type OfProject<M extends Method, P extends string> = Extract<
  ControlAddress,
  `${M} /projects/{project}${P}`
>

/** Path parameters apart from the project. */
type PathInput<Path> = keyof Omit<Path, 'project'> extends never
  ? { readonly path?: undefined }
  : { readonly path: Omit<Path, 'project'> }

type Input<A extends ControlAddress> = Omit<ControlInput<A>, 'path'> &
  PathInput<ControlInput<A>['path']> &
  ControlCall

type Arguments<I> = {} extends I ? [input?: I] : [input: I]

/** Calls control operations of one project, as the user of the console. */
export interface Api {
  /** Renews an expired session. */
  readonly refresh: () => Promise<unknown>
  readonly get: <P extends ProjectPath<'GET'>>(
    path: P,
    ...input: Arguments<Input<OfProject<'GET', P>>>
  ) => Promise<ControlResult<OfProject<'GET', P>>>
  readonly send: <M extends Exclude<Method, 'GET'>, P extends ProjectPath<M>>(
    method: M,
    path: P,
    ...input: Arguments<Input<OfProject<M, P>>>
  ) => Promise<ControlResult<OfProject<M, P>>>
  /** Operations about the whole platform. */
  readonly platform: Control['send']
}

/**
 * Creates the functions for one project. They renew an expired session once.
 *
 * @param onSession is called with true if a session cannot be renewed, and with false once it is.
 */
export function createApi(projectKey: string, onSession: (isSignedOut: boolean) => void): Api {
  let refreshing: Promise<unknown> | undefined
  const renew = async (): Promise<void> => {
    const isRenewed = await refreshSession(projectKey)
    onSession(!isRenewed)
    if (!isRenewed) throw new ApiError(401, 'The session has ended.')
  }
  const refresh = (): Promise<unknown> =>
    (refreshing ??= renew().finally(() => {
      refreshing = undefined
    }))
  const call = async (method: Method, path: string, input: AnyInput = {}): Promise<unknown> => {
    const address = `${method} /projects/{project}${path}`
    const whole = { ...input, path: { ...input.path, project: projectKey } }
    const send = () => (callControl as unknown as AnySend)(address, whole)
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      await refresh().catch(() => {
        throw error
      })
      return send()
    }
  }
  const get = (path: string, input?: AnyInput) => call('GET', path, input)
  return { refresh, get, send: call, platform: callControl } as unknown as Api
}

interface AnyInput extends ControlCall {
  readonly path?: object
}
type AnySend = (address: string, input: AnyInput) => Promise<unknown>
