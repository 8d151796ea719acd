/** What other packages use to set up scaffolds with the packed packages. */
export { packPackages, startRegistry } from '../lib/local-registry.mjs'
export { cacheFolder } from '../lib/root.mjs'
export { run } from '../lib/run.mjs'
export { hasTerminal, runInTerminal } from '../lib/terminal.mjs'
export { scaffolds } from './definitions.mjs'
export { npmEnvironment } from './run-scaffold.mjs'
export { startPlatform } from './test-scaffolds.mjs'
