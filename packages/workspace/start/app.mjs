import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../lib/root.mjs'

/** Folder of the sample shop. */
export const app = join(root, 'fixtures/apps/vite-react')

/** Imports the application's own Vite. @returns {Promise<any>} */
export const importVite = () =>
  import(pathToFileURL(join(app, 'node_modules/vite/dist/node/index.js')).href)
