import { z } from 'zod'

const text = z.string().min(1)
const texts = z.array(z.string())
const list = texts.default([])
const optional = z.string().nullable().default(null)

/** Role for the console that a role of the project gives to its members. */
export const ConsoleRoleGrant = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['manager', 'developer']) }),
  z.strictObject({
    role: z.enum(['translator', 'reviewer']),
    /** Codes of the languages that the members may change; all by default. */
    languages: z.array(text).min(1).optional(),
  }),
])
export type ConsoleRoleGrant = z.infer<typeof ConsoleRoleGrant>

/**
 * Schema of a project's identities, from a file or the control operation. Listed entries are
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
      /** Activation page of the application; a page of the platform by default. */
      activationUrl: z.url().optional(),
      /** Roles that make a member an administrator; `['admin']` by default, none with `[]`. */
      administratorRoles: texts.optional(),
      /** Roles whose members use the console, by slug; see {@link ConsoleRole}. */
      consoleRoles: z.record(text, ConsoleRoleGrant).optional(),
      /** Roles of which one is required for `/iam/v4/iam`; none is required by default. */
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
    .default([]),
  roles: z
    .array(
      z.strictObject({
        slug: text,
        name: z.string().optional(),
        description: optional,
        ancestorRoleSlugs: list,
      }),
    )
    .default([]),
  permissions: z
    .array(
      z.strictObject({
        name: text,
        type: z.int32().min(0).default(0),
        description: optional,
        resource: optional,
        resourceGroup: optional,
        isBuiltIn: z.boolean().default(false),
        isArchived: z.boolean().default(false),
        roles: list,
      }),
    )
    .default([]),
  clients: z
    .array(
      z.strictObject({
        clientId: text,
        name: z.string().optional(),
        /** Makes this a machine client, which may request its own tokens. */
        clientSecret: z.string().min(8).optional(),
        redirectUris: list,
        postLogoutRedirectUris: list,
        /** Organizations for which the client may request tokens; all by default. */
        organizations: texts.nullable().default(null),
        /** Roles of the client's own tokens, in the organization of each token. */
        roles: list,
      }),
    )
    .default([]),
  users: z
    .array(
      z.strictObject({
        itemId: text.optional(),
        email: text,
        userName: text.optional(),
        /** Plain text, for test users. A user without a password cannot sign in. */
        password: z.string().min(8).optional(),
        /** Precomputed argon2 hash of a password, for a faster start. */
        passwordHash: z.string().startsWith('$argon2').optional(),
        firstName: z.string().optional(),
        lastName: z.string().optional(),
        phoneNumber: z.string().optional(),
        language: z.string().optional(),
        organizationId: text.optional(),
        active: z.boolean().optional(),
        roles: list,
        permissions: list,
        memberships: z
          .array(z.strictObject({ organizationId: text, roles: texts, permissions: texts }))
          .optional(),
      }),
    )
    .default([]),
})
export type IdentityFile = z.input<typeof IdentityFile>
