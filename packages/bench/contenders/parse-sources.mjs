import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/**
 * Lower bound for any tool that reads code with TypeScript: reads and parses each file, and
 * parses the messages.
 *
 * @param {{ root: string }} input
 */
export const prepare =
  ({ root }) =>
  async () => {
    let [nodes, keys] = [0, 0]
    for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name)) continue
      const file = join(root, 'src', name)
      const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
      nodes += source.statements.length
    }
    for (const name of readdirSync(join(root, 'uilm'), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.json')) continue
      keys += Object.keys(JSON.parse(readFileSync(join(root, 'uilm', name), 'utf8'))).length
    }
    return { nodes, keys }
  }
