import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../workspace/lib/root.mjs'

/**
 * Returns the commands in a tab of docs/getting-started.md, in order.
 *
 * @param {string} title
 * @returns {readonly string[]}
 */
export function commandsOf(title) {
  const text = readFileSync(join(root, 'docs/getting-started.md'), 'utf8')
  const [, block] = text.split(`\`\`\`sh [${title}]\n`)
  if (block === undefined) throw new Error(`docs/getting-started.md has no tab "${title}"`)
  return block.slice(0, block.indexOf('\n```')).split('\n')
}
