import { bigint, integer, json, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

const schema = pgSchema('servicekit')
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Table of files for queries. The migration defines its schema. */
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
