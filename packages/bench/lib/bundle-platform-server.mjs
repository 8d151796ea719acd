import { build } from 'esbuild'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Bundles `contenders/platform-server.mjs` with the platform's sources, into a folder from
 * which the platform's dependencies can be resolved.
 *
 * @returns {Promise<{ file: string, remove: () => Promise<void> }>}
 */
export async function bundlePlatformServer() {
  const cache = join(packages, 'platform/node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'bench-'))
  await build({
    entryPoints: [join(packages, 'bench/contenders/platform-server.mjs')],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  })
  copyFileSync(join(packages, 'platform/src/pglite-worker.js'), join(folder, 'pglite-worker.js'))
  copyFileSync(join(packages, 'platform/dist/template.tar.gz'), join(folder, 'template.tar.gz'))
  cpSync(join(packages, 'platform/src/pages'), join(folder, 'pages'), { recursive: true })
  return {
    file: join(folder, 'platform-server.js'),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
