import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { ConfigError } from '@servicekit/client'
import { isObject } from '@servicekit/core'
import { decodeUtf8 } from '@servicekit/core/node'
import type { ServicekitConfig } from './config.ts'

/**
 * Evaluates the current content of a config file, which may be TypeScript on every version
 * of Node. TypeScript and JSON that it imports is read again too; Node caches JavaScript.
 *
 * @param onFile Called with each evaluated file. Takes longer, because no file is taken
 * from the disk cache.
 * @throws ConfigError for a file that cannot be evaluated.
 */
export async function evaluateConfig(
  file: string,
  onFile?: (file: string) => void,
): Promise<ServicekitConfig> {
  try {
    const source = decodeUtf8(await readFile(file)).replace(/^\uFEFF/, '')
    const config =
      extname(file) === '.json' ? JSON.parse(source) : await evaluate(file, source, onFile)
    if (isObject(config)) return config
    throw new TypeError('it exports no options by default')
  } catch (cause) {
    throw new ConfigError('Cannot read servicekit.config', {
      details: { file, ...causeOf(cause) },
      help: 'Correct the file, or a file that it imports.',
      cause,
    })
  }
}

async function evaluate(
  file: string,
  source: string,
  onFile: ((file: string) => void) | undefined,
): Promise<unknown> {
  // Loaded on demand: projects without a config file need no TypeScript compiler.
  const { createJiti } = await import('jiti')
  const compiler = createJiti(file)
  const jiti = createJiti(file, {
    moduleCache: false,
    // Found also where the package is not installed, as with npx or in Plug'n'Play.
    virtualModules: { servicekit: { defineConfig: (config: unknown) => config } },
    ...(onFile && {
      fsCache: false,
      transform(input) {
        if (input.filename !== undefined) onFile(input.filename)
        return { code: compiler.transform(input) }
      },
    }),
  })
  const { cache } = createRequire(file)
  const cached = new Set(Object.keys(cache))
  try {
    // Node would load JavaScript only once.
    const options = { filename: file, async: true, forceTranspile: true }
    const loaded = (await jiti.evalModule(source, options)) as { default?: unknown }
    return loaded.default
  } finally {
    // JSON that the config imports.
    for (const path of Object.keys(cache)) {
      if (!cached.has(path) && !/[\\/]node_modules[\\/]/.test(path)) delete cache[path]
    }
  }
}

/** Returns the reason and the position of an error, without the stack of the loader. */
function causeOf(cause: unknown): { readonly reason: string; readonly at?: string } {
  if (!(cause instanceof Error)) return { reason: String(cause) }
  const [reason = '', ...rest] = cause.message.split('\n').map((line) => line.trim())
  const lines = [...rest, ...(cause.stack ?? '').split('\n')]
  const at = lines
    .map((line) => /[^\s(]*servicekit\.config\.\w+:\d+(?::\d+)?/.exec(line)?.[0])
    .find((position) => position !== undefined)
  return { reason, ...(at !== undefined && { at }) }
}
