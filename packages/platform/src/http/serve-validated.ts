import type { Operation } from '@servicekit/contract'
import { jsonProblem } from '../projects/storable.ts'
import { type Call, serve, type Served, type ServeOptions } from './mount.ts'
import { RejectedRequest } from './rejected-request.ts'

/**
 * Binds a handler to an operation, and rejects what its schema does not: strings that the
 * database cannot store, and a body with the key of another project.
 */
export const serveValidated = <O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<Response>,
  options?: ServeOptions<O>,
): Served =>
  serve(
    operation,
    async (call) => {
      const { query, path, body, project } = call as Call
      const problem = jsonProblem({ query, path, body })
      if (problem) throw new RejectedRequest({ reason: 'invalid', errors: { request: [problem] } })
      const { projectKey } = (body ?? {}) as { projectKey?: string | null }
      if (projectKey && projectKey !== project.key) {
        const message = 'There is no project with this key.'
        throw new RejectedRequest({ reason: 'keyUnknown', message })
      }
      return handle(call)
    },
    options,
  )
