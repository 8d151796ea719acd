import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Lower bound for any tool that processes these files: reads and parses each.
 *
 * @param {{ folder: string }} input
 */
export const prepare =
  ({ folder }) =>
  async () => {
    let keys = 0
    for (const file of await readdir(folder, { recursive: true })) {
      if (!file.endsWith('.json')) continue
      keys += Object.keys(JSON.parse(await readFile(join(folder, file), 'utf8'))).length
    }
    return { keys }
  }
