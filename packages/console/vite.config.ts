import { uilm } from '@servicekit/unplugin/vite'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { defineConfig, defaultClientConditions, type Plugin } from 'vite'

const root = import.meta.dirname
const outDir = join(root, 'dist/site')

/** Writes a compressed copy next to each file, which the server sends as it is. */
const compressed = (): Plugin => ({
  name: 'compressed',
  closeBundle() {
    for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:css|html|js|svg)$/.test(name)) continue
      const file = join(outDir, name)
      writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
    }
  },
})

export default defineConfig({
  root,
  base: '/console/',
  plugins: [
    svelte({ compilerOptions: { runes: true } }),
    uilm({
      root,
      from: 'messages',
      // The messages are committed once, in `messages`.
      snapshotDir: '.servicekit/uilm',
      lockFile: '.servicekit/uilm.lock.json',
      storageKey: 'servicekit-console-language',
    }),
    compressed(),
  ],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  // Strict: the policy of the pages allows files only, no data URLs and no inline code.
  build: { outDir, target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  worker: { format: 'es' },
})
