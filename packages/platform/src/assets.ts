/**
 * Files that are read by address at run time. They stand beside this file in
 * the sources and beside the bundle in `dist`, so the addresses are the same.
 */

/** Entry of the thread that runs PGlite. */
export const workerUrl = new URL('./pglite-worker.js', import.meta.url)

/** Texts that the translation memory begins with; made by the build like the next one. */
export const primedUrl = new URL('./primed.json.gz', import.meta.url)

/** The prepared data directory; made by the build, so absent when running from the sources. */
export const templateUrl = new URL('./template.gz', import.meta.url)
