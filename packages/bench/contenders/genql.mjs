import { readFileSync } from 'node:fs'
import genql from '@genql/cli'

/**
 * genql, from a schema in a file. It needs no operations: its client creates them.
 *
 * @param {{ schema: string, outDir: string }} input
 */
export const prepare =
  ({ schema, outDir }) =>
  async () => {
    await genql.generate({ schema: readFileSync(schema, 'utf8'), output: outDir, verbose: false })
    return {}
  }
