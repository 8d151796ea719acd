import { generate } from '@graphql-codegen/cli'
import { servicekitSchema } from '@servicekit/codegen/loader'
import { servicekitPreset } from '@servicekit/codegen/preset'

/**
 * Runs our preset in GraphQL Code Generator, from a saved listing.
 *
 * @param {{ listing: string, outDir: string }} input
 */
export const prepare =
  ({ listing, outDir }) =>
  async () => {
    const generates = { [`${outDir}/`]: { preset: servicekitPreset } }
    const files = await generate(
      { schema: servicekitSchema({ listing }), silent: true, generates },
      true,
    )
    return { files: files.length }
  }
