import { z } from 'zod'
import { access, consoleRoles } from '../operation.ts'
import { PersonName } from './comments.ts'
import { defineControl } from './define.ts'
import type { DeepReadonly } from './values.ts'

/** Role for the console, in some languages or in all. */
export const HeldConsoleRole = z.object({
  role: z.enum(consoleRoles),
  languages: z
    .array(z.string())
    .nullable()
    .describe('Codes of the languages of a translator or a reviewer; null for all'),
})
export type HeldConsoleRole = DeepReadonly<z.infer<typeof HeldConsoleRole>>

/** Project that the caller may open in the console. */
const Opened = z.object({
  key: z.string(),
  name: z.string(),
  organizationId: z.string().describe('Default organization of the project'),
  roles: z
    .array(HeldConsoleRole)
    .nullable()
    .describe('Roles of a caller who does not administer the project; null for an administrator'),
  administrators: z
    .array(z.string())
    .describe('Names of the administrators, whom a caller with roles can ask for more'),
})

/** Proofs of the sender of a request. */
export const Administration = z.object({
  isOperator: z.boolean().describe('True for the operator, who needs no session'),
  projects: z.array(Opened),
  denied: z
    .array(z.string())
    .describe('Keys of projects that the user is signed in to, but may not open'),
})
export type Administration = DeepReadonly<z.infer<typeof Administration>>

export const readAdministration = defineControl('console.readAdministration', 'GET /session', {
  summary: 'List the projects that the caller may open in the console',
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

/** Person of the project, for mentions and assignments. */
export const Person = PersonName.extend({
  isCaller: z.boolean(),
  edits: z
    .array(z.string())
    .nullable()
    .describe('Codes of the languages that the person may edit; null for all'),
})
export type Person = DeepReadonly<z.infer<typeof Person>>

export const listPeople = defineControl('console.listPeople', 'GET /projects/{project}/people', {
  summary: 'List the people who may use the console, and those who have assignments',
  access: access.readingTranslations,
  result: z.array(Person),
})
