/** Helpers with which other packages set up scaffolds from packed packages. */
export { packPackages, startRegistry } from '../lib/local-registry.mjs'
export { cacheFolder } from '../lib/root.mjs'
export { run } from '../lib/run.mjs'
export { hasTerminal, runInTerminal } from '../lib/terminal.mjs'
export { npmEnvironment } from './run-scaffold.mjs'
export { startPlatform } from './test-scaffolds.mjs'
