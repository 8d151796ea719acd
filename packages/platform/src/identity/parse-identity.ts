import { z } from 'zod'

const text = z.string().min(1)
const texts = z.array(z.string())

const ClientEntry = z.strictObject({
  clientId: text,
  name: z.string().optional(),
  /** Makes the client one of a machine, which may ask for tokens of its own. */
  clientSecret: z.string().min(8).optional(),
  redirectUris: texts.optional(),
  postLogoutRedirectUris: texts.optional(),
  /** Organizations that the client may ask tokens for; all of them by default. */
  organizations: texts.optional(),
  /** Roles of the client's own tokens, in the organization of each token; none by default. */
  roles: texts.optional(),
})

const UserEntry = z.strictObject({
  itemId: text.optional(),
  email: text,
  userName: text.optional(),
  /** In clear: this is a file of invented people for tests. Without one nobody can sign in. */
  password: z.string().min(8).optional(),
  /** What argon2 makes of a password: a start need not compute it. */
  passwordHash: z.string().startsWith('$argon2').optional(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  phoneNumber: z.string().optional(),
  language: z.string().optional(),
  organizationId: text.optional(),
  active: z.boolean().optional(),
  roles: texts.optional(),
  permissions: texts.optional(),
  memberships: z
    .array(z.strictObject({ organizationId: text, roles: texts, permissions: texts }))
    .optional(),
})

/**
 * Who may use a project, as a program or a file gives it. What is named is made,
 * or made equal; what is not named stays.
 *
 * ```json
 * {"clients": [{"clientId": "web", "redirectUris": ["http://localhost:5173/callback"]}],
 *  "users": [{"email": "ada@example.com", "password": "correct horse", "roles": ["admin"]}]}
 * ```
 */
export const IdentityFile = z.strictObject({
  settings: z
    .strictObject({
      activationUrl: z.url().optional(),
      administratorRoles: texts.optional(),
      accessRoles: texts.optional(),
    })
    .optional(),
  organizations: z
    .array(
      z.strictObject({
        itemId: text,
        name: text,
        description: z.string().optional(),
        defaultRoleForMembers: texts.optional(),
        defaultPermissionsForMembers: texts.optional(),
      }),
    )
    .optional(),
  roles: z
    .array(
      z.strictObject({
        slug: text,
        name: z.string().optional(),
        description: z.string().optional(),
        ancestorRoleSlugs: texts.optional(),
      }),
    )
    .optional(),
  permissions: z
    .array(
      z.strictObject({
        name: text,
        type: z.int32().min(0).optional(),
        description: z.string().optional(),
        resource: z.string().optional(),
        resourceGroup: z.string().optional(),
        isBuiltIn: z.boolean().optional(),
        isArchived: z.boolean().optional(),
        roles: texts.optional(),
      }),
    )
    .optional(),
  clients: z.array(ClientEntry).optional(),
  users: z.array(UserEntry).optional(),
})
export type IdentityFile = z.infer<typeof IdentityFile>
