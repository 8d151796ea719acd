import { boolean, integer, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

const schema = pgSchema('servicekit')
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Table of webhooks for queries; the migrations define its schema. */
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
