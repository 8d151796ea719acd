import { z } from 'zod'

const text = z.string().min(1)
const texts = z.array(z.string())

const ClientEntry = z.strictObject({
  clientId: text,
  name: z.string().optional(),
  /** Makes this a machine client, which may request its own tokens. */
  clientSecret: z.string().min(8).optional(),
  redirectUris: texts.optional(),
  postLogoutRedirectUris: texts.optional(),
  /** Organizations for which the client may request tokens; all by default. */
  organizations: texts.optional(),
  /** Roles of the client's own tokens, in the organization of each token; none by default. */
  roles: texts.optional(),
})

const UserEntry = z.strictObject({
  itemId: text.optional(),
  email: text,
  userName: text.optional(),
  /**
   * Plain text, because the file contains invented test users. A user without a password
   * cannot sign in.
   */
  password: z.string().min(8).optional(),
  /** Precomputed argon2 hash of a password, for a faster start. */
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
 * Schema of a project's identities, from a file or the control route. Listed entries are
 * created or updated; all others remain unchanged.
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
