import type { Migration } from './migration.ts'

/**
 * From this version on, tokens of tools are encrypted. Removes the unencrypted ones;
 * users must authorize these tools again.
 */
export const sealedTokens: Migration = {
  id: '0402-sealed-tokens',
  sql: `delete from servicekit.tool_tokens;`,
}
