import { fileURLToPath } from 'node:url'

/**
 * Path of the loader of web workers. This file must stay one level below the package, in src
 * and in dist.
 */
export const workerLoader: string = fileURLToPath(
  new URL('../runtime/webpack/worker.js', import.meta.url),
)
