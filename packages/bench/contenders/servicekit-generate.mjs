import { generate } from '@servicekit/codegen'

/**
 * From a saved schema listing to modules on disk.
 *
 * @param {{ listing: string, outDir: string, output: 'ts' | 'js' }} input
 */
export const prepare = (input) => async () => ({ files: (await generate(input)).written.length })
