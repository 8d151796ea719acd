import { join } from 'node:path'
import { rspack } from '@rspack/core'
import * as esbuild from 'esbuild'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { build } from 'vite'
import webpack from 'webpack'
import { uilm as forEsbuild } from '../src/esbuild.ts'
import type { UilmOptions } from '../src/index.ts'
import { uilm as forRolldown } from '../src/rolldown.ts'
import { uilm as forRollup } from '../src/rollup.ts'
import { uilm as forRspack } from '../src/rspack.ts'
import { uilm as forVite } from '../src/vite.ts'
import { uilm as forWebpack } from '../src/webpack.ts'

/**
 * Builds `src/main.js` to `dist/main.js` with the default production settings of the
 * bundler, apart from `optimization` of webpack and Rspack.
 */
export type Build = (
  root: string,
  options: UilmOptions,
  optimization?: Pick<NonNullable<webpack.Configuration['optimization']>, 'moduleIds' | 'chunkIds'>,
) => Promise<void>

export type BundlerName = 'vite' | 'rollup' | 'rolldown' | 'webpack' | 'rspack' | 'esbuild'

/** Functions of the bundlers, in some version. */
export interface Bundlers {
  readonly build: typeof build
  readonly rollup: typeof rollup
  readonly rolldown: typeof rolldown
  readonly webpack: typeof webpack
  readonly rspack: typeof rspack
  readonly esbuild: Pick<typeof esbuild, 'build'>
}

/** Returns the build of each bundler. */
export const buildsWith = ({
  build,
  rollup,
  rolldown,
  webpack,
  rspack,
  esbuild,
}: Bundlers): Record<BundlerName, Build> => ({
  async vite(root, options) {
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      base: './',
      plugins: [forVite({ root, ...options })],
      build: {
        target: 'esnext',
        sourcemap: true,
        modulePreload: { polyfill: false },
        rollupOptions: {
          input: join(root, 'src/main.js'),
          output: { entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    })
  },
  async rollup(root, options) {
    const bundle = await rollup({
      input: join(root, 'src/main.js'),
      plugins: [forRollup({ root, ...options })],
    })
    await bundle.write({ dir: join(root, 'dist'), sourcemap: true })
    await bundle.close()
  },
  async rolldown(root, options) {
    const bundle = await rolldown({
      input: join(root, 'src/main.js'),
      plugins: [forRolldown({ root, ...options })],
    })
    await bundle.write({ dir: join(root, 'dist'), sourcemap: true, minify: true })
    await bundle.close()
  },
  webpack: (root, options, optimization = {}) =>
    run(
      webpack({
        ...configuration(root),
        optimization,
        plugins: [forWebpack({ root, ...options })],
      })!,
    ),
  rspack: (root, options, optimization = {}) =>
    run(
      rspack({
        ...configuration(root),
        optimization: optimization as never,
        plugins: [forRspack({ root, ...options })],
      }) as never,
    ),
  async esbuild(root, options) {
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: ['src/main.js'],
      bundle: true,
      minify: true,
      format: 'esm',
      outdir: 'dist',
      sourcemap: true,
      logLevel: 'silent',
      plugins: [forEsbuild({ root, ...options })],
    })
  },
})

export const bundlers: Record<BundlerName, Build> = buildsWith({
  build,
  rollup,
  rolldown,
  webpack,
  rspack,
  esbuild,
})

const configuration = (root: string) => ({
  mode: 'production' as const,
  context: root,
  entry: './src/main.js',
  devtool: 'source-map' as const,
  infrastructureLogging: { level: 'error' as const },
  output: {
    path: join(root, 'dist'),
    filename: 'main.js',
    chunkFilename: '[name]-[contenthash].js',
  },
})

/** Runs a webpack or rspack compiler once. */
async function run(compiler: webpack.Compiler): Promise<void> {
  const stats = await new Promise<webpack.Stats>((resolve, reject) =>
    compiler.run((error, stats) => (error ? reject(error) : resolve(stats!))),
  )
  await new Promise<void>((resolve) => compiler.close(() => resolve()))
  const { errors = [], warnings = [] } = stats.toJson({ all: false, errors: true, warnings: true })
  const [first] = [...errors, ...warnings]
  if (first) throw new Error(`${first.message}\n${first.details ?? ''}`)
}
