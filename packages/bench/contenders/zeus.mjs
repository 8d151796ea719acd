// The package's main file is its command, which reads the arguments of the process.
import { CLI } from 'graphql-zeus/lib/CLIClass.js'

/**
 * GraphQL Zeus, from a schema in a file. It needs no operations: its client creates them.
 *
 * @param {{ schema: string, outDir: string }} input
 */
export const prepare =
  ({ schema, outDir }) =>
  async () => {
    await CLI.execute(/** @type {any} */ ({ _: [schema, outDir], esModule: true }))
    return {}
  }
