import type { Migration } from './migration.ts'

/**
 * Tokens of tools are encrypted from here on. Those that are there are not: who
 * uses such a tool agrees to it once more.
 */
export const sealedTokens: Migration = {
  id: '0402-sealed-tokens',
  sql: `delete from servicekit.tool_tokens;`,
}
