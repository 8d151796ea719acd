import { join } from 'node:path'
import { build } from 'vite'

/**
 * Builds `src/main.js` to `dist/main.js` with a minimal configuration and the given options.
 *
 * @param {string} root
 * @param {import('vite').UserConfig} [config]
 */
export async function buildWithVite(root, config = {}) {
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
      rollupOptions: {
        input: join(root, 'src', 'main.js'),
        output: { entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}
