import { integer, json, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

/*
 * Table definitions of identity, for queries. Columns used only in raw SQL are omitted.
 * The migrations create the tables.
 */
const schema = pgSchema('servicekit')
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

const organizations = schema.table('organizations', {
  projectId: integer('project_id').notNull(),
  itemId: text('item_id').notNull(),
  name: text().notNull(),
})

const users = schema.table('users', {
  projectId: integer('project_id').notNull(),
  itemId: text('item_id').notNull(),
  email: text().notNull(),
})

export const memberships = schema.table('memberships', {
  projectId: integer('project_id').notNull(),
  userId: text('user_id').notNull(),
  organizationId: text('organization_id').notNull(),
  position: integer().notNull(),
  roles: text().array().notNull(),
  permissions: text().array().notNull(),
})

const roles = schema.table('roles', {
  projectId: integer('project_id').notNull(),
  itemId: text('item_id').notNull(),
  slug: text().notNull(),
})

const permissions = schema.table('permissions', {
  projectId: integer('project_id').notNull(),
  itemId: text('item_id').notNull(),
  name: text().notNull(),
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

/** All identity tables, for removing a project. */
export const identityTables = [
  organizations,
  users,
  memberships,
  roles,
  permissions,
  clients,
  oneTimeCodes,
  mails,
  oidcStates,
  sessions,
  secrets,
] as const
