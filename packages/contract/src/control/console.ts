import { z } from 'zod'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'
import type { DeepReadonly } from './values.ts'

/** Project that the caller may administer. */
const Administered = z.object({ key: z.string(), name: z.string() })

/** Proofs of the sender of a request. */
export const Administration = z.object({
  isOperator: z.boolean().describe('True for the operator, who needs no session'),
  projects: z.array(Administered),
  denied: z
    .array(z.string())
    .describe('Keys of projects that the user is signed in to, but does not administer'),
})
export type Administration = DeepReadonly<z.infer<typeof Administration>>

export const readAdministration = defineControl('console.readAdministration', 'GET /session', {
  summary: 'List the projects that the caller administers',
  description: 'Those of the sessions whose cookies the request has; for the operator, all.',
  access: access.key,
  result: Administration,
})

export const findClient = defineControl(
  'console.findClient',
  'GET /projects/{project}/console-client',
  {
    summary: 'Find the client with which users sign in to the console',
    access: access.key,
    result: z.object({ clientId: z.string(), redirectUri: z.string() }),
    errors: {
      403: 'The platform has no control token',
      409: 'The project has no client for the console',
    },
  },
)
