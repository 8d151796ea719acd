import { z } from 'zod'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'
import { ConsoleRoleGrant, IdentityFile } from './identity-file.ts'
import { type DeepReadonly, integer, time } from './values.ts'

export { ConsoleRoleGrant }

export const save = defineControl('identity.save', 'PUT /projects/{project}/identity', {
  summary: 'Create or update organizations, users, roles, permissions and clients',
  description: 'What is not listed stays unchanged.',
  access: access.operator,
  body: IdentityFile,
  errors: { 403: 'The project would lose its last administrator' },
})

/** Client of a project, without its secret. */
export const ClientRecord = z.object({
  clientId: z.string(),
  name: z.string(),
  hasSecret: z.boolean(),
  previousSecretUntil: time.nullable().describe('End of the validity of the previous secret'),
  redirectUris: z.array(z.string()),
  postLogoutRedirectUris: z.array(z.string()),
  organizations: z
    .array(z.string())
    .nullable()
    .describe('Organizations of its tokens; null is all'),
  roles: z.array(z.string()),
})
export type ClientRecord = DeepReadonly<z.infer<typeof ClientRecord>>

export const listClients = defineControl(
  'identity.listClients',
  'GET /projects/{project}/clients',
  {
    summary: 'List the clients, without their secrets',
    access: access.operator,
    result: z.array(ClientRecord),
  },
)

export const createClient = defineControl(
  'identity.createClient',
  'POST /projects/{project}/clients',
  {
    summary: 'Create a client with a new secret, which is shown only now',
    access: access.operator,
    body: z.strictObject({
      clientId: z.string().min(1).max(200),
      name: z.string().optional(),
      roles: z.array(z.string()).default([]),
      organizations: z.array(z.string()).nullable().default(null),
      redirectUris: z.array(z.url()).default([]),
      postLogoutRedirectUris: z.array(z.url()).default([]),
    }),
    result: z.object({ clientId: z.string(), clientSecret: z.string() }),
    status: 201,
    errors: { 409: 'There is a client with this id' },
  },
)

/** Rotation of a secret or key; the one before stays valid for up to 30 days. */
const Rotation = z.strictObject({ overlapSeconds: z.int().min(0).max(2_592_000) })

export const rotateClientSecret = defineControl(
  'identity.rotateClientSecret',
  'POST /projects/{project}/clients/{id}/rotate',
  {
    summary: 'Replace the secret of a client; the one before stays valid for the overlap',
    access: access.operator,
    body: Rotation,
    result: z.object({
      clientId: z.string(),
      clientSecret: z.string(),
      previousSecretUntil: time,
    }),
    errors: { 404: 'there is no such client' },
  },
)

export const removeClient = defineControl(
  'identity.removeClient',
  'DELETE /projects/{project}/clients/{id}',
  {
    summary: 'Remove a client; its tokens become invalid',
    access: access.operator,
    errors: { 404: 'there is no such client' },
  },
)

export const rotateSigningKey = defineControl(
  'identity.rotateSigningKey',
  'POST /projects/{project}/signing-key/rotate',
  {
    summary: 'Replace the key that signs id tokens; earlier keys stay published for the overlap',
    access: access.operator,
    body: Rotation,
    result: z.object({ kid: z.string(), previousKeysUntil: time }),
  },
)

const slug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/, 'must consist of a-z, 0-9, ., _ and -')

export const saveRole = defineControl('identity.saveRole', 'PUT /projects/{project}/roles/{slug}', {
  summary: 'Create or change a role',
  description:
    'An administrator adds only ancestors that they have, and has a role that they created.',
  access: access.administration,
  params: { slug },
  body: z.strictObject({
    name: z.string().min(1).max(200),
    description: z.string().max(1000).nullable(),
    ancestorRoleSlugs: z.array(z.string()).describe('Roles that the members have as well'),
    consoleRole: ConsoleRoleGrant.nullable().describe('Role for the console; null for none'),
    permissions: z
      .array(z.string())
      .optional()
      .describe('Names of the permissions of the role; unchanged if absent'),
  }),
  errors: {
    400: 'an ancestor or a permission does not exist, or the role would be its own ancestor',
    403: 'The caller lacks an ancestor or a permission, or an organization would lose its last administrator',
    409: 'Permissions, members, organizations or clients refer to the role before it exists',
  },
})

export const readConsoleRoles = defineControl(
  'identity.readConsoleRoles',
  'GET /projects/{project}/console-roles',
  {
    summary: 'Read the roles for the console, by the slug of the role that gives them',
    access: access.administration,
    result: z.record(z.string(), ConsoleRoleGrant),
  },
)

export const removeRole = defineControl(
  'identity.removeRole',
  'DELETE /projects/{project}/roles/{slug}',
  {
    summary: 'Remove a role, also from users, clients, permissions and organizations',
    description: 'An administrator removes only roles that they have.',
    access: access.administration,
    errors: {
      403: 'The caller lacks the role, or an organization would lose its last administrator',
      404: 'there is no such role',
    },
  },
)

/** Name of a permission in a path. */
const permissionName = z.string().min(1).max(200)

export const savePermission = defineControl(
  'identity.savePermission',
  'PUT /projects/{project}/permissions/{name}',
  {
    summary: 'Create or change a permission',
    description:
      'An administrator changes only permissions that they have, and only for roles that they have. Their administrator role gets a permission that they create.',
    access: access.administration,
    params: { name: permissionName },
    body: z.strictObject({
      description: z.string().max(1000).nullable(),
      resource: z.string().max(200).nullable(),
      roles: z.array(z.string()).describe('Slugs of the roles that give the permission'),
    }),
    errors: {
      400: 'a role does not exist',
      403: 'The caller lacks the permission or a role',
      409: 'Members or organizations refer to the permission before it exists',
    },
  },
)

export const removePermission = defineControl(
  'identity.removePermission',
  'DELETE /projects/{project}/permissions/{name}',
  {
    summary: 'Remove a permission, also from users and organizations',
    description: 'An administrator removes only permissions that they have.',
    access: access.administration,
    params: { name: permissionName },
    errors: {
      403: 'The caller lacks the permission',
      404: 'there is no such permission',
    },
  },
)

export const changeOrganization = defineControl(
  'identity.changeOrganization',
  'PUT /projects/{project}/organizations/{id}',
  {
    summary: 'Change an organization',
    access: access.administration,
    body: z.strictObject({
      name: z.string().trim().min(1).max(200),
      description: z.string().max(1000).nullable(),
      defaultRoleForMembers: z.array(z.string()).describe('Roles of new members'),
      defaultPermissionsForMembers: z.array(z.string()).describe('Permissions of new members'),
    }),
    errors: {
      400: 'a role does not exist',
      403: 'The caller lacks a role or permission that new members would get',
      404: 'there is no such organization',
    },
  },
)

export const removeOrganization = defineControl(
  'identity.removeOrganization',
  'DELETE /projects/{project}/organizations/{id}',
  {
    summary: 'Remove an organization and its memberships',
    description:
      'Its users stay: without another membership they belong to the default organization, without roles. An administrator removes only organizations whose administrator roles they have.',
    access: access.administration,
    errors: {
      403: 'The caller lacks a role of an administrator of the organization',
      404: 'there is no such organization',
      409: 'It is the default organization',
    },
  },
)

export const activateUser = defineControl(
  'identity.activateUser',
  'POST /projects/{project}/users/{id}/activate',
  {
    summary: 'Let a deactivated user sign in again',
    access: access.administration,
    errors: { 404: 'there is no such user' },
  },
)

export const inviteUser = defineControl(
  'identity.inviteUser',
  'POST /projects/{project}/users/{id}/invitation',
  {
    summary: 'Send the invitation of a user again; earlier links become invalid',
    access: access.administration,
    errors: { 404: 'there is no user who was not activated' },
  },
)

export const UserSession = z.object({
  sessionId: z.string(),
  clientId: z.string(),
  createdAt: time,
  lastActivityAt: time,
  expiresAt: time,
})
export type UserSession = DeepReadonly<z.infer<typeof UserSession>>

export const listSessions = defineControl(
  'identity.listSessions',
  'GET /projects/{project}/users/{id}/sessions',
  {
    summary: 'List the sessions of a user, the newest first',
    access: access.administration,
    result: z.array(UserSession),
  },
)

export const endSessions = defineControl(
  'identity.endSessions',
  'DELETE /projects/{project}/users/{id}/sessions',
  {
    summary: 'End all sessions of a user',
    access: access.administration,
  },
)

/** Mail that was not delivered. It may contain a secret. */
export const Mail = z.object({
  itemId: z.string(),
  recipient: z.string(),
  purpose: z.string(),
  subject: z.string(),
  body: z.string(),
  code: z.string().nullable(),
  link: z.string().nullable(),
  createdDate: time,
})
export type Mail = DeepReadonly<z.infer<typeof Mail>>

export const listMails = defineControl('inbox.list', 'GET /projects/{project}/inbox', {
  summary: 'List the mails that are not delivered, with their codes and links',
  access: access.operator,
  query: z.object({ recipient: z.string().optional() }),
  result: z.array(Mail),
})

export const waitForMail = defineControl('inbox.wait', 'POST /projects/{project}/inbox/wait', {
  summary: 'Wait for the next mail to an address, and remove it from the inbox',
  access: access.operator,
  query: z.object({ recipient: z.string().min(1), timeoutMs: integer(0, 30_000, 60_000) }),
  result: Mail,
  errors: { 404: 'there is no mail within this time' },
})

export const clearMails = defineControl('inbox.clear', 'DELETE /projects/{project}/inbox', {
  summary: 'Remove all mails from the inbox',
  access: access.operator,
})

export const createSignInTicket = defineControl(
  'inbox.createTicket',
  'POST /projects/{project}/inbox/{id}/sign-in',
  {
    summary: 'Create a URL that signs in as the recipient of a mail, once',
    description:
      'On the other loopback name (`localhost`, `127.0.0.1`); only on this machine, without a control token.',
    access: access.operator,
    result: z.object({ url: z.string() }),
    status: 201,
    errors: {
      403: 'Signing in as a user is possible only in development',
      404: 'there is no such mail',
      409: 'There is no active user, or no client that users sign in with',
    },
  },
)

export const redeemSignInTicket = defineControl(
  'inbox.redeemTicket',
  'GET /projects/{project}/sign-in-as',
  {
    summary: 'Sign in as the recipient of a mail, with the ticket of the URL',
    access: access.operator,
    query: z.object({ ticket: z.string().default('') }),
    result: z.string(),
    mediaType: 'text/html',
    errors: { 403: 'Signing in as a user is possible only in development' },
  },
)
