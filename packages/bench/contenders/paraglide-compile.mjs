import { compile } from '@inlang/paraglide-js'

/**
 * Does what Paraglide's command line and bundler plugin do for a production build: reads
 * the project, compiles and writes.
 *
 * @param {{ project: string, outdir: string, previous?: boolean }} input
 */
export const prepare = (input) => () =>
  compile({
    ...input,
    outputStructure: 'message-modules',
    strategy: ['globalVariable', 'baseLocale'],
  })
