import type { data } from '@servicekit/contract'
import { bigint, boolean, integer, json, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'
import type { Dialect } from '../projects/dialect.ts'
import type { ToolAuth } from '../tools/tool.ts'

/*
 * Tables for typed queries, with the columns that these use. The migrations create the
 * tables; a test compares both.
 */
const schema = pgSchema('servicekit')
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

export const projects = schema.table('projects', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  key: text().notNull(),
  name: text().notNull(),
  organizationId: text('organization_id').notNull(),
  fallback: text().notNull(),
  dialect: json().$type<Dialect>().notNull(),
  origins: text().array().notNull().default([]),
  textsVersion: bigint('texts_version', { mode: 'number' }).notNull().default(1),
  schemasVersion: bigint('schemas_version', { mode: 'number' }).notNull().default(1),
})

export const sources = schema.table('sources', {
  projectId: integer('project_id').notNull(),
  path: text().notNull(),
  hash: text().notNull(),
})

export const languages = schema.table('languages', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  projectId: integer('project_id').notNull(),
  itemId: text('item_id').notNull(),
  name: text().notNull(),
  code: text().notNull(),
  isDefault: boolean('is_default').notNull(),
  position: integer().notNull(),
  isDraft: boolean('is_draft').notNull().default(false),
})

export const modules = schema.table('modules', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  projectId: integer('project_id').notNull(),
  itemId: text('item_id').notNull(),
  name: text().notNull(),
  position: integer().notNull(),
  isDraft: boolean('is_draft').notNull().default(false),
})

export const dataSchemas = schema.table('data_schemas', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  projectId: integer('project_id').notNull(),
  position: integer().notNull(),
  name: text().notNull(),
  definition: json().$type<data.DataSchema>().notNull(),
})

export const schemaDrafts = schema.table('schema_drafts', {
  projectId: integer('project_id').notNull(),
  name: text().notNull(),
  definition: json().$type<data.DataSchema>(),
})

export const storedFiles = schema.table('stored_files', {
  seq: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
  projectId: integer('project_id').notNull(),
  itemId: text('item_id').notNull(),
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
  currentVersion: integer('current_version').notNull().default(0),
  createdDate: instant('created_date').notNull(),
  lastUpdatedDate: instant('last_updated_date').notNull(),
  createdBy: text('created_by'),
  storedAt: instant('stored_at'),
})

export const webhooks = schema.table('webhooks', {
  projectId: integer('project_id').primaryKey(),
  itemId: text('item_id').notNull(),
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
  projectId: integer('project_id').notNull(),
  itemId: text('item_id').notNull(),
  name: text().notNull(),
  description: text().notNull(),
  auth: json().$type<ToolAuth>().notNull(),
  tutorial: json().$type<Readonly<Record<string, unknown>>>(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

export const agents = schema.table('agents', {
  projectId: integer('project_id').notNull(),
  itemId: text('item_id').notNull(),
  name: text().notNull(),
  status: text().notNull(),
  toolIds: text('tool_ids').array().notNull(),
})

export const toolFlows = schema.table('tool_flows', {
  projectId: integer('project_id').notNull(),
  stateHash: text('state_hash').notNull(),
  toolId: text('tool_id').notNull(),
  verifier: text(),
  expiresAt: instant('expires_at').notNull(),
})

export const toolTokens = schema.table('tool_tokens', {
  projectId: integer('project_id').notNull(),
  toolId: text('tool_id').notNull(),
  accessToken: text('access_token').notNull(),
  refreshToken: text('refresh_token'),
  tokenType: text('token_type').notNull(),
  scope: text(),
  expiresAt: instant('expires_at'),
  receivedAt: instant('received_at').notNull(),
  renewingUntil: instant('renewing_until'),
})
