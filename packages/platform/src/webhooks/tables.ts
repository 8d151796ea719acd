import { boolean, integer, pgSchema, text } from 'drizzle-orm/pg-core'

/** Tables of webhooks for queries; the migrations define their schemas. */
const schema = pgSchema('servicekit')

export const webhooks = schema.table('webhooks', {
  projectId: integer('project_id').primaryKey(),
  itemId: text('item_id').notNull(),
  url: text().notNull(),
  contentType: text('content_type').notNull(),
  secret: text(),
  headerKey: text('header_key'),
  isDisabled: boolean('is_disabled').notNull(),
  signingSecret: text('signing_secret').notNull(),
})
