import { generate } from '@servicekit/codegen'

/**
 * Generates modules on disk from a saved schema listing.
 *
 * @param {{ listing: string, outDir: string, output: 'ts' | 'js' }} input
 */
export const prepare = (input) => async () => ({ files: (await generate(input)).written.length })
