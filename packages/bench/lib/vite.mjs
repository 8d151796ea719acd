import { join } from 'node:path'
import { build } from 'vite'

/**
 * Builds `src/main.js` to `dist` with a minimal configuration, plus the given one.
 *
 * @param {string} root
 * @param {import('vite').UserConfig} [config]
 * @param {Partial<NonNullable<NonNullable<import('vite').BuildOptions['rollupOptions']>>>} [bundled]
 */
export async function bundle(root, config = {}, bundled = {}) {
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
      rollupOptions: { input: join(root, 'src', 'main.js'), ...bundled },
    },
  })
}
