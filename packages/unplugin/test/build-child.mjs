/** Builds in a separate process: `node build-child.mjs <bundler> <root>…`. */
const [, , name = '', ...roots] = process.argv
const { bundlers } = await import('./bundlers.ts')
const build = bundlers[/** @type {keyof typeof bundlers} */ (name)]
for (const root of roots) await build(root, {})
