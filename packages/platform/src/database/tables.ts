import type { data } from '@servicekit/contract'
import { sql } from 'drizzle-orm'
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
import type { Dialect, tools as contract } from '@servicekit/contract/control'

/*
 * Tables for typed queries, with the columns that these use. The migrations create the
 * tables; a test compares both.
 */
const schema = pgSchema('servicekit')
const id = integer().primaryKey().generatedAlwaysAsIdentity()
const projectId = integer('project_id').notNull()
const owned = { projectId, itemId: text('item_id').notNull() }
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const texts = (name = '') => text(name).array().notNull().default([])
const code = (name = '') => integer(name).notNull().default(0)
const lowerCase = (name: string, of: string) =>
  text(name)
    .notNull()
    .generatedAlwaysAs(sql.raw(`lower(${of})`))

/** Columns of languages and modules. */
const catalogEntry = {
  id,
  ...owned,
  name: text().notNull(),
  position: integer().notNull(),
  isDraft: boolean('is_draft').notNull().default(false),
}

/** Columns of everything that users and clients create. */
const created = {
  seq: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
  ...owned,
  createdDate: instant('created_date').notNull(),
  lastUpdatedDate: instant('last_updated_date').notNull(),
  createdBy: text('created_by'),
}
const entity = { ...created, lastUpdatedBy: text('last_updated_by') }

export const projects = schema.table('projects', {
  id,
  key: text().notNull(),
  name: text().notNull(),
  organizationId: text('organization_id').notNull(),
  fallback: text().notNull(),
  dialect: json().$type<Dialect>().notNull(),
  origins: texts(),
  publishOnlyReviewed: boolean('publish_only_reviewed').notNull().default(false),
  notifyByMail: boolean('notify_by_mail').notNull().default(false),
  textsVersion: bigint('texts_version', { mode: 'number' }).notNull().default(1),
  schemasVersion: bigint('schemas_version', { mode: 'number' }).notNull().default(1),
  secretsVersion: bigint('secrets_version', { mode: 'number' }).notNull().default(1),
})

export const sources = schema.table('sources', {
  projectId,
  path: text().notNull(),
  hash: text().notNull(),
})

export const languages = schema.table('languages', {
  ...catalogEntry,
  code: text().notNull(),
  isDefault: boolean('is_default').notNull(),
})

export const modules = schema.table('modules', catalogEntry)

export const dataSchemas = schema.table('data_schemas', {
  id,
  projectId,
  position: integer().notNull(),
  name: text().notNull(),
  definition: json().$type<data.DataSchema>().notNull(),
})

export const schemaDrafts = schema.table('schema_drafts', {
  projectId,
  name: text().notNull(),
  definition: json().$type<data.DataSchema>(),
})

export const storedFiles = schema.table('stored_files', {
  ...created,
  name: text().notNull(),
  parentDirectoryId: text('parent_directory_id'),
  systemName: text('system_name').notNull(),
  accessModifier: text('access_modifier').notNull(),
  metaData: json('meta_data').$type<Record<string, { type?: string; value: unknown }>>().notNull(),
  tags: text().array().notNull(),
  moduleName: integer('module_name').notNull(),
  configurationName: text('configuration_name').notNull(),
  contentType: text('content_type'),
  sizeInBytes: bigint('size_in_bytes', { mode: 'number' }),
  currentVersion: code('current_version'),
  storedAt: instant('stored_at'),
})

export const webhooks = schema.table('webhooks', {
  projectId: integer('project_id').primaryKey(),
  itemId: owned.itemId,
  url: text().notNull(),
  contentType: text('content_type').$type<'application/json'>().notNull(),
  secret: text(),
  headerKey: text('header_key'),
  isDisabled: boolean('is_disabled').notNull(),
  signingSecret: text('signing_secret').notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

export const tools = schema.table('tools', {
  ...owned,
  name: text().notNull(),
  description: text().notNull(),
  auth: json().$type<contract.ToolAuth>().notNull(),
  tutorial: json().$type<Readonly<Record<string, unknown>>>(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

export const agents = schema.table('agents', {
  ...owned,
  name: text().notNull(),
  status: text().$type<contract.AgentRecord['status']>().notNull(),
  toolIds: text('tool_ids').array().notNull(),
})

export const toolFlows = schema.table('tool_flows', {
  projectId,
  stateHash: text('state_hash').notNull(),
  toolId: text('tool_id').notNull(),
  verifier: text(),
  expiresAt: instant('expires_at').notNull(),
})

export const toolTokens = schema.table('tool_tokens', {
  projectId,
  toolId: text('tool_id').notNull(),
  accessToken: text('access_token').notNull(),
  refreshToken: text('refresh_token'),
  tokenType: text('token_type').notNull(),
  scope: text(),
  expiresAt: instant('expires_at'),
  receivedAt: instant('received_at').notNull(),
  renewingUntil: instant('renewing_until'),
})

export const organizations = schema.table('organizations', {
  ...entity,
  name: text().notNull(),
  description: text(),
  isDisabled: boolean('is_disabled').notNull().default(false),
  defaultRoleForMembers: texts('default_roles'),
  defaultPermissionsForMembers: texts('default_permissions'),
  createdFrom: code('created_from'),
  attributes: jsonb().$type<Record<string, unknown>>().notNull().default({}),
})

export const users = schema.table('users', {
  ...entity,
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
  emailLower: lowerCase('email_lower', 'email'),
  userNameLower: lowerCase('user_name_lower', 'user_name'),
})

export const memberships = schema.table('memberships', {
  projectId,
  userId: text('user_id').notNull(),
  organizationId: text('organization_id').notNull(),
  position: integer().notNull(),
  roles: text().array().notNull(),
  permissions: text().array().notNull(),
})

export const roles = schema.table('roles', {
  ...entity,
  slug: text().notNull(),
  name: text().notNull(),
  description: text(),
  ancestorRoleSlugs: texts('ancestor_role_slugs'),
})

export const permissions = schema.table('permissions', {
  ...entity,
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
  projectId,
  clientId: text('client_id').notNull(),
  name: text().notNull(),
  secretHash: text('secret_hash'),
  previousSecretHash: text('previous_secret_hash'),
  previousSecretUntil: instant('previous_secret_until'),
  redirectUris: text('redirect_uris').array().notNull(),
  postLogoutRedirectUris: text('post_logout_redirect_uris').array().notNull(),
  organizations: text().array(),
  roles: text().array().notNull(),
})

export const oneTimeCodes = schema.table('one_time_codes', {
  projectId,
  hash: text().notNull(),
  userId: text('user_id').notNull(),
  expiresAt: instant('expires_at').notNull(),
})

export const mails = schema.table('mails', {
  seq: created.seq,
  ...owned,
  recipient: text().notNull(),
  purpose: text().notNull(),
  subject: text().notNull(),
  body: text().notNull(),
  code: text(),
  link: text(),
  createdDate: instant('created_date').notNull(),
})

export const oidcStates = schema.table('oidc_states', {
  projectId,
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
  projectId,
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
  projectId,
  name: text().notNull(),
  value: json().notNull(),
})
