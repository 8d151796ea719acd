import type { Operation } from '@servicekit/contract'
import type { Answer } from '../http/answer.ts'
import { type Call, serve, type Served, type ServeOptions } from '../http/mount.ts'
import { jsonFault } from '../projects/text.ts'

/** Binds a handler to an operation, and rejects strings that the database cannot store. */
export const serveChecked = <O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<Answer>,
  options?: ServeOptions<O>,
): Served =>
  serve(
    operation,
    async (call) => {
      const { query, path, body } = call as Call
      const fault = jsonFault({ query, path, body })
      if (fault) return call.refuse({ reason: 'invalid', errors: { request: [fault] } })
      // The header selects the project; a body with another project key is invalid.
      const { projectKey } = (body ?? {}) as { projectKey?: string | null }
      if (projectKey && projectKey !== (call as Call).project.key) {
        return call.refuse({ reason: 'keyUnknown', message: 'There is no project with this key.' })
      }
      return handle(call)
    },
    options,
  )
