import { join } from 'node:path'
import { buildWithVite } from '../build-with-vite.mjs'

/**
 * Builds `src/main.js` to `dist/main.js` for browsers, with the usual minifier of the bundler.
 *
 * @typedef {(root: string, options: { usesPlugin: boolean }) => Promise<void>} Bundle
 */

/** @satisfies {Readonly<Record<string, Bundle>>} */
export const bundlers = {
  async vite(root, { usesPlugin }) {
    const { uilm } = await import('@servicekit/unplugin/vite')
    const plugins = usesPlugin ? [uilm({ root })] : []
    await buildWithVite(root, { plugins })
  },
  async rollup(root, { usesPlugin }) {
    const { rollup } = await import('rollup')
    const { uilm } = await import('@servicekit/unplugin/rollup')
    const imported = await import('@rollup/plugin-terser')
    // Its declarations are those of a CommonJS module.
    const terser = /** @type {(options: object) => import('rollup').Plugin} */ (
      /** @type {unknown} */ (imported.default)
    )
    const plugins = [...(usesPlugin ? [uilm({ root })] : []), terser({ module: true })]
    const bundle = await rollup({ input: join(root, 'src/main.js'), plugins })
    await bundle.write({ dir: join(root, 'dist') })
    await bundle.close()
  },
  async rolldown(root, { usesPlugin }) {
    const { rolldown } = await import('rolldown')
    const { uilm } = await import('@servicekit/unplugin/rolldown')
    const plugins = usesPlugin ? [uilm({ root })] : []
    const bundle = await rolldown({ input: join(root, 'src/main.js'), plugins })
    await bundle.write({ dir: join(root, 'dist'), minify: true })
    await bundle.close()
  },
  async webpack(root, { usesPlugin }) {
    const { default: webpack } = await import('webpack')
    const { uilm } = await import('@servicekit/unplugin/webpack')
    const plugins = usesPlugin ? [uilm({ root })] : []
    await run(/** @type {Compiler} */ (webpack({ ...configuration(root), plugins })))
  },
  async rspack(root, { usesPlugin }) {
    const { rspack } = await import('@rspack/core')
    const { uilm } = await import('@servicekit/unplugin/rspack')
    const plugins = usesPlugin ? [uilm({ root })] : []
    await run(/** @type {any} */ (rspack({ ...configuration(root), plugins })))
  },
  async esbuild(root, { usesPlugin }) {
    const esbuild = await import('esbuild')
    const { uilm } = await import('@servicekit/unplugin/esbuild')
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: ['src/main.js'],
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      outdir: 'dist',
      logLevel: 'error',
      plugins: usesPlugin ? [uilm({ root })] : [],
    })
  },
}

/** @param {string} root */
const configuration = (root) => ({
  mode: /** @type {const} */ ('production'),
  context: root,
  entry: './src/main.js',
  output: {
    path: join(root, 'dist'),
    publicPath: '/',
    filename: 'main.js',
    chunkFilename: '[name]-[contenthash].js',
  },
})

/** @typedef {import('webpack').Compiler} Compiler @param {Compiler} compiler */
async function run(compiler) {
  const stats = await new Promise((resolve, reject) =>
    compiler.run((error, found) => (error ? reject(error) : resolve(found))),
  )
  await new Promise((resolve) => compiler.close(resolve))
  if (stats.hasErrors()) throw new Error(stats.toString('errors-only'))
}
