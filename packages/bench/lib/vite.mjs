import { join } from 'node:path'
import { build } from 'vite'

/**
 * Builds `src/main.js` to `dist`, with nothing between the bundler and the plugin.
 *
 * @param {string} root
 * @param {import('vite').UserConfig} [config]
 */
export async function bundle(root, config = {}) {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    base: './',
    mode: 'production',
    ...config,
    build: {
      target: 'esnext',
      outDir: 'dist',
      modulePreload: false,
      rollupOptions: { input: join(root, 'src', 'main.js') },
    },
  })
}
