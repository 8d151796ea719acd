import { join } from 'node:path'
import { rspack } from '@rspack/core'
import * as esbuild from 'esbuild'
import { watch as watchRolldown } from 'rolldown'
import { watch as watchRollup } from 'rollup'
import type { UnpluginInstance } from 'unplugin'
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
 * Starts watching and returns a function that stops it.
 *
 * @param before Plugin that runs before ours.
 */
type Watch = (
  root: string,
  options: UilmOptions,
  before?: UnpluginInstance<unknown>,
) => Promise<() => Promise<unknown>>

const config = (root: string) => ({
  mode: 'production' as const,
  context: root,
  entry: './src/main.js',
  optimization: { minimize: false },
  output: { path: join(root, 'dist'), filename: 'main.js' },
})

/** Builds `src/main.js` to `dist/main.js` again when something changes. */
export const watchers: Record<string, Watch> = {
  async vite(root, options, before) {
    const watcher = await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [...(before ? [before.vite(undefined)] : []), forVite({ root, ...options })],
      build: {
        watch: {},
        target: 'esnext',
        rollupOptions: { input: join(root, 'src/main.js'), output: { entryFileNames: 'main.js' } },
      },
    })
    return () => (watcher as { close: () => Promise<void> }).close()
  },
  async rollup(root, options, before) {
    const watcher = watchRollup({
      input: join(root, 'src/main.js'),
      plugins: [...(before ? [before.rollup(undefined)] : []), forRollup({ root, ...options })],
      output: { dir: join(root, 'dist') },
    })
    return () => watcher.close()
  },
  async rolldown(root, options, before) {
    const watcher = watchRolldown({
      input: join(root, 'src/main.js'),
      plugins: [...(before ? [before.rolldown(undefined)] : []), forRolldown({ root, ...options })],
      output: { dir: join(root, 'dist') },
    })
    return () => watcher.close()
  },
  async webpack(root, options, before) {
    const compiler = webpack({
      ...config(root),
      plugins: [...(before ? [before.webpack(undefined)] : []), forWebpack({ root, ...options })],
    })!
    const watching = compiler.watch({}, () => undefined)!
    return () => new Promise((done) => watching.close(done))
  },
  async rspack(root, options, before) {
    const compiler = rspack({
      ...config(root),
      plugins: [...(before ? [before.rspack(undefined)] : []), forRspack({ root, ...options })],
    })
    const watching = compiler.watch({}, () => undefined)!
    return () => new Promise((done) => watching.close(() => done(undefined)))
  },
  async esbuild(root, options, before) {
    const context = await esbuild.context({
      absWorkingDir: root,
      entryPoints: ['src/main.js'],
      bundle: true,
      format: 'esm',
      outdir: 'dist',
      logLevel: 'silent',
      plugins: [...(before ? [before.esbuild(undefined)] : []), forEsbuild({ root, ...options })],
    })
    await context.watch()
    return () => context.dispose()
  },
}
