/** Helpers with which other packages set up scaffolds from packed packages. */
export { packPackages, startRegistry } from '../src/local-registry.mjs'
export { cacheFolder } from '../../workspace/lib/root.mjs'
export { run } from '../../workspace/lib/run.mjs'
export { hasTerminal, runInTerminal } from '../src/terminal.mjs'
export { npmEnvironment } from './run-scaffold.mjs'
export { startPlatform } from './start-platform.mjs'
