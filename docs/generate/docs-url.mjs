import { join } from 'node:path'
import { readJson, root } from '../../packages/workspace/lib/root.mjs'

/** Address of the site, with a slash at its end. @type {string} */
export const docsUrl = readJson(join(root, 'package.json')).homepage
