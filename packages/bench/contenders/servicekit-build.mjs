import { buildWithVite } from '../lib/build-with-vite.mjs'
import { uilm } from '@servicekit/unplugin/vite'

/**
 * Builds an application with vite from the committed translations.
 *
 * @param {{ root: string }} input
 */
export const prepare =
  ({ root }) =>
  () =>
    buildWithVite(root, { plugins: [uilm({ root })] })
