import { bundle } from '../lib/vite.mjs'
import { uilm } from '@servicekit/unplugin/vite'

/**
 * vite build of an application from the committed texts.
 *
 * @param {{ root: string }} input
 */
export const prepare =
  ({ root }) =>
  () =>
    bundle(root, { plugins: [uilm({ root, frozen: true })] })
