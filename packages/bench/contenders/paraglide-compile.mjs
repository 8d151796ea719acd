import { compile } from '@inlang/paraglide-js'

/**
 * What its command line and its bundler plugin do for a production build: read
 * the project, compile, write.
 *
 * @param {{ project: string, outdir: string, previous?: boolean }} input
 */
export const prepare = (input) => () =>
  compile({
    ...input,
    outputStructure: 'message-modules',
    strategy: ['globalVariable', 'baseLocale'],
  })
