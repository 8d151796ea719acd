import { integer, json, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'
import type { ToolAuth } from './tool.ts'

/* Tables of tools and knowledge for queries; the migrations define their schemas. */
const schema = pgSchema('servicekit')
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

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
