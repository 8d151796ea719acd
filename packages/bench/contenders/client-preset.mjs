import { generate } from '@graphql-codegen/cli'

/**
 * GraphQL Code Generator with its client preset, from a schema and the operations in files.
 *
 * @param {{ schema: string, documents: string, outDir: string, config: object }} input
 */
export const prepare =
  ({ schema, documents, outDir, config }) =>
  async () => {
    const generates = { [`${outDir}/`]: /** @type {const} */ ({ preset: 'client', config }) }
    const files = await generate({ schema, documents, silent: true, generates }, true)
    return { files: files.length }
  }
