import type { Migration } from './migration.ts'

/**
 * From this version on, tokens of tools are refreshed, by one instance at a time, because
 * a refresh token that is used twice is treated as stolen.
 */
export const renewedTokens: Migration = {
  id: '0404-renewed-tokens',
  sql: `alter table servicekit.tool_tokens add column renewing_until timestamptz;`,
}
