import { bigint, boolean, integer, pgSchema, text } from 'drizzle-orm/pg-core'

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

const deliveries = schema.table('deliveries', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
  projectId: integer('project_id').notNull(),
  messageId: text('message_id').notNull(),
  kind: text().notNull(),
  body: text().notNull(),
  state: text().notNull(),
})

const attempts = schema.table('attempts', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
  projectId: integer('project_id').notNull(),
  deliveryId: bigint('delivery_id', { mode: 'number' }).notNull(),
  url: text().notNull(),
  status: integer(),
  error: text(),
  durationMs: integer('duration_ms').notNull(),
})

/** Tables of webhooks that hold rows of projects. */
export const webhookTables = [webhooks, deliveries, attempts] as const
