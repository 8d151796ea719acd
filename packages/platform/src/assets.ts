import { existsSync } from 'node:fs'

/**
 * Files resolved by URL at run time. They are next to this file in the sources and next
 * to the bundle in `dist`, so the URLs are the same.
 */

/** Entry of the thread that runs PGlite. */
export const workerUrl = new URL('./pglite-worker.js', import.meta.url)

/** Archive that embedded databases start from; made by the build, and absent in the sources. */
export const templateUrl = new URL('./template.tar.gz', import.meta.url)

export const cacheUrl = new URL('../node_modules/.cache/', import.meta.url)

const viewerUrl = new URL('./swagger-ui/', import.meta.url)

/** Folder of Swagger UI: copied by the build, and that of its package for the sources. */
export const apiViewerUrl = existsSync(viewerUrl)
  ? viewerUrl
  : new URL('../node_modules/swagger-ui-dist/', import.meta.url)

/** Folder of the HTML templates and their styles; see `http/template.ts`. */
export const pagesUrl = new URL('./pages/', import.meta.url)
