/**
 * Loader of web workers in webpack and rspack: the module of a worker first loads the
 * messages of its initial chunks, and then imports the original module.
 */
import { basename } from 'node:path'

/** Skips the loaders of the original module, which the import runs. */
export const pitch = /** @this {{ resourcePath: string, resourceQuery: string }} */ function () {
  const request = JSON.stringify(`./${basename(this.resourcePath)}${this.resourceQuery}`)
  return `import { start } from '~uilm-webpack/chunks.js'
start("~uilm-start/").then(() => import(/* webpackMode: "eager" */ ${request}))
`
}

// oxlint-disable-next-line import/no-default-export -- webpack calls the default export
export default (/** @type {string} */ source) => source
