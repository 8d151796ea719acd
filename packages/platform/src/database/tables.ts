import { bigint, boolean, integer, json, jsonb, pgSchema, text } from 'drizzle-orm/pg-core'
import { identityTables } from '../identity/tables.ts'
import type { Dialect } from '../projects/dialect.ts'
import { storedFiles } from '../storage/tables.ts'
import { toolTables } from '../tools/tables.ts'
import { webhookTables } from '../webhooks/tables.ts'

/** Table definitions for queries. The migrations create the tables; a test compares both. */
const schema = pgSchema('servicekit')

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

const keys = schema.table('keys', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  projectId: integer('project_id').notNull(),
  moduleId: integer('module_id').notNull(),
  key: text().notNull(),
})

const texts = schema.table('texts', {
  projectId: integer('project_id').notNull(),
  moduleId: integer('module_id').notNull(),
  languageId: integer('language_id').notNull(),
  keyId: integer('key_id').notNull(),
  value: text(),
})

const drafts = schema.table('drafts', {
  projectId: integer('project_id').notNull(),
  moduleId: integer('module_id').notNull(),
  languageId: integer('language_id').notNull(),
  key: text().notNull(),
  value: text(),
})

const translations = schema.table('translations', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
  projectId: integer('project_id').notNull(),
  itemId: text('item_id').notNull(),
  state: text().notNull(),
  request: json().notNull(),
  total: integer().notNull(),
  filled: integer().notNull(),
  unanswered: integer().notNull(),
  error: text(),
})

export const dataSchemas = schema.table('data_schemas', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  projectId: integer('project_id').notNull(),
  position: integer().notNull(),
  name: text().notNull(),
  definition: json().notNull(),
})

export const schemaDrafts = schema.table('schema_drafts', {
  projectId: integer('project_id').notNull(),
  name: text().notNull(),
  definition: json(),
})

const records = schema.table('records', {
  seq: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
  projectId: integer('project_id').notNull(),
  schemaName: text('schema_name').notNull(),
  itemId: text('item_id').notNull(),
  createdDate: text('created_date').notNull(),
  lastUpdatedDate: text('last_updated_date').notNull(),
  createdBy: text('created_by'),
  lastUpdatedBy: text('last_updated_by'),
  language: text(),
  organizationId: text('organization_id'),
  tags: text().array().notNull(),
  data: jsonb().notNull(),
})

/** All tables with rows of projects. */
export const projectTables = [
  sources,
  languages,
  modules,
  keys,
  texts,
  drafts,
  translations,
  dataSchemas,
  schemaDrafts,
  records,
  ...identityTables,
  storedFiles,
  ...webhookTables,
  ...toolTables,
] as const
