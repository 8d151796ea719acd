import type { Migration } from './migration.ts'

/**
 * Tokens of tools are renewed from here on, by one instance at a time: a refresh
 * token that is used twice is taken for stolen.
 */
export const renewedTokens: Migration = {
  id: '0404-renewed-tokens',
  sql: `alter table servicekit.tool_tokens add column renewing_until timestamptz;`,
}
