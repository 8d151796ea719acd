import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type LoadedConfig, loadConfig } from '@servicekit/catalog/config'
import { ConfigError } from '@servicekit/client'

/**
 * Reads the configuration in the `--root` folder. Without `--root`, searches from the
 * working directory upwards, like the plugin.
 *
 * @throws ConfigError if the folder does not exist: its configuration would otherwise be
 *   treated as empty.
 */
export async function readConfig(root: string | undefined): Promise<LoadedConfig> {
  if (root === undefined) return loadConfig('.', { upwards: true })
  const folder = await stat(root).catch(() => undefined)
  if (folder?.isDirectory()) return loadConfig(root)
  throw new ConfigError(`Folder ${root} does not exist`, {
    details: { root: resolve(root) },
    help: 'Set --root to the folder of the application.',
  })
}
