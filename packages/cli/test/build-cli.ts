import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))

/**
 * Builds the command, because Node 20 cannot load TypeScript, and returns the folder with
 * `bin.js`.
 */
export async function buildCli(): Promise<string> {
  // Below node_modules, where the bundle finds its dependencies.
  const cache = join(packageFolder, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const outDir = await mkdtemp(join(cache, 'built-'))
  await build({
    config: false,
    cwd: packageFolder,
    entry: { bin: 'src/bin.ts' },
    outDir,
    fixedExtension: false,
    dts: false,
    logLevel: 'error',
  })
  return outDir
}
