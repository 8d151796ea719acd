import {
  bigint,
  boolean,
  integer,
  json,
  jsonb,
  pgSchema,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'

/* Tables of identity for queries; the migrations define their schemas. */
const schema = pgSchema('servicekit')
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const texts = (name?: string) =>
  (name === undefined ? text() : text(name)).array().notNull().default([])
const code = (name?: string) =>
  (name === undefined ? integer() : integer(name)).notNull().default(0)

/** Columns of all records that users and clients create. */
const stored = {
  seq: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
  projectId: integer('project_id').notNull(),
  itemId: text('item_id').notNull(),
  createdDate: instant('created_date').notNull(),
  lastUpdatedDate: instant('last_updated_date').notNull(),
  createdBy: text('created_by'),
  lastUpdatedBy: text('last_updated_by'),
}

export const organizations = schema.table('organizations', {
  ...stored,
  name: text().notNull(),
  description: text(),
  isDisabled: boolean('is_disabled').notNull().default(false),
  defaultRoleForMembers: texts('default_roles'),
  defaultPermissionsForMembers: texts('default_permissions'),
  createdFrom: code('created_from'),
  attributes: jsonb().$type<Record<string, unknown>>().notNull().default({}),
})

export const users = schema.table('users', {
  ...stored,
  email: text().notNull(),
  userName: text('user_name').notNull(),
  passwordHash: text('password_hash'),
  salutation: text(),
  firstName: text('first_name'),
  lastName: text('last_name'),
  phoneNumber: text('phone_number'),
  language: text(),
  platform: text(),
  profileImageUrl: text('profile_image_url'),
  profileImageId: text('profile_image_id'),
  organizationId: text('organization_id'),
  tags: texts(),
  active: boolean().notNull(),
  isVerified: boolean('is_verified').notNull(),
  mfaEnabled: boolean('mfa_enabled').notNull().default(false),
  isMfaVerified: boolean('is_mfa_verified').notNull().default(false),
  userMfaType: code('user_mfa_type'),
  userCreationType: code('user_creation_type'),
  userPassType: code('user_pass_type'),
  verifiedType: code('verified_type'),
  allowedLogInType: integer('allowed_log_in_type').array().notNull().default([]),
  attributes: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  lastLoggedInTime: instant('last_logged_in_time'),
  lastLoggedInDeviceInfo: text('last_logged_in_device_info'),
  logInCount: code('log_in_count'),
})

export const memberships = schema.table('memberships', {
  projectId: integer('project_id').notNull(),
  userId: text('user_id').notNull(),
  organizationId: text('organization_id').notNull(),
  position: integer().notNull(),
  roles: text().array().notNull(),
  permissions: text().array().notNull(),
})

export const roles = schema.table('roles', {
  ...stored,
  slug: text().notNull(),
  name: text().notNull(),
  description: text(),
  ancestorRoleSlugs: texts('ancestor_role_slugs'),
})

export const permissions = schema.table('permissions', {
  ...stored,
  name: text().notNull(),
  type: code(),
  description: text(),
  resource: text(),
  resourceGroup: text('resource_group'),
  isBuiltIn: boolean('is_built_in').notNull().default(false),
  isArchived: boolean('is_archived').notNull().default(false),
  roles: texts(),
})

export const clients = schema.table('clients', {
  projectId: integer('project_id').notNull(),
  clientId: text('client_id').notNull(),
  name: text().notNull(),
  secretHash: text('secret_hash'),
  redirectUris: text('redirect_uris').array().notNull(),
  postLogoutRedirectUris: text('post_logout_redirect_uris').array().notNull(),
  organizations: text().array(),
  roles: text().array().notNull(),
})

export const oneTimeCodes = schema.table('one_time_codes', {
  projectId: integer('project_id').notNull(),
  hash: text().notNull(),
  userId: text('user_id').notNull(),
  expiresAt: instant('expires_at').notNull(),
})

export const mails = schema.table('mails', {
  projectId: integer('project_id').notNull(),
  itemId: text('item_id').notNull(),
  recipient: text().notNull(),
  purpose: text().notNull(),
  subject: text().notNull(),
  body: text().notNull(),
  code: text(),
  link: text(),
  createdDate: instant('created_date').notNull(),
})

export const oidcStates = schema.table('oidc_states', {
  projectId: integer('project_id').notNull(),
  kind: text().notNull(),
  hash: text().notNull(),
  payload: json().$type<Record<string, unknown>>().notNull(),
  uid: text(),
  grantId: text('grant_id'),
  accountId: text('account_id'),
  expiresAt: instant('expires_at').notNull(),
  consumedAt: instant('consumed_at'),
  successor: text(),
})

export const sessions = schema.table('sessions', {
  projectId: integer('project_id').notNull(),
  hash: text().notNull(),
  sessionId: text('session_id').notNull(),
  userId: text('user_id').notNull(),
  clientId: text('client_id').notNull(),
  organizationId: text('organization_id'),
  grantId: text('grant_id').notNull(),
  createdAt: instant('created_at').notNull(),
  lastActivityAt: instant('last_activity_at').notNull(),
  idleExpiresAt: instant('idle_expires_at').notNull(),
  absoluteExpiresAt: instant('absolute_expires_at').notNull(),
  revokedAt: instant('revoked_at'),
})

export const secrets = schema.table('secrets', {
  projectId: integer('project_id').notNull(),
  name: text().notNull(),
  value: json().notNull(),
})
