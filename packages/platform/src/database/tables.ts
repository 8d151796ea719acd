import { bigint, boolean, integer, json, pgSchema, text } from 'drizzle-orm/pg-core'
import type { Dialect } from '../projects/dialect.ts'

/*
 * Tables for typed queries, with the columns that these use. The migrations create the
 * tables; a test compares both.
 */
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
