import { isObject } from '@servicekit/core'
import { PlatformError } from '@servicekit/platform'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'

const names = ['ts', 'mts', 'js', 'mjs', 'json'].map(
  (extension) => `servicekit.server.${extension}`,
)

/** Content of a config file, and its path. */
export interface ConfigFile {
  readonly path: string
  readonly values: Readonly<Record<string, unknown>>
}

/**
 * Loads the config file: the given one, otherwise `servicekit.server.{ts,mts,js,mjs,json}` in
 * the folder, if there is one.
 *
 * @throws PlatformError `OPTION_INVALID` for a file that cannot be read or evaluated.
 */
export async function loadConfigFile(
  folder: string,
  given: string | undefined,
): Promise<ConfigFile | undefined> {
  const path =
    given === undefined
      ? names.map((name) => join(folder, name)).find((one) => existsSync(one))
      : resolve(folder, given)
  if (path === undefined) return undefined
  try {
    const values = await evaluate(path)
    if (isObject(values)) return { path, values }
    throw new TypeError('it exports no options by default')
  } catch (cause) {
    // A syntax error of JSON quotes the file, which may contain secrets.
    const isJson = cause instanceof SyntaxError && extname(path) === '.json'
    const reason = isJson ? 'it is not valid JSON' : String((cause as Error).message)
    throw new PlatformError('OPTION_INVALID', 'Cannot read the config file of the server.', {
      cause,
      details: { file: path, reason: reason.split('\n', 1)[0] },
      help: 'Correct the file, or a file that it imports.',
    })
  }
}

async function evaluate(path: string): Promise<unknown> {
  if (extname(path) === '.json') return JSON.parse(await readFile(path, 'utf8'))
  // Loaded on demand: most servers are configured by environment variables.
  const { createJiti } = await import('jiti')
  const virtualModules = {
    '@servicekit/server': { defineServerConfig: (config: unknown) => config },
  }
  const jiti = createJiti(path, { moduleCache: false, interopDefault: false, virtualModules })
  return (await jiti.import<{ readonly default?: unknown }>(path)).default
}
