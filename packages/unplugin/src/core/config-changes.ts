import { basename, dirname } from 'node:path'
import { changedOptions, loadConfig, type LoadedConfig } from '@servicekit/catalog/config'

/** Config file of a project that a bundler watches. */
export interface ConfigChanges {
  /** Path of the config file; undefined if there is none. */
  readonly file: string | undefined
  /** The config file and the files that it imports. */
  readonly files: () => Promise<readonly string[]>
  /** Returns whether a changed file may change the config. */
  readonly concerns: (file: string) => Promise<boolean>
  /**
   * Loads the config again. Returns `servicekit.config.ts changed: localization.languages`;
   * undefined if no option of translations has changed since the last call.
   *
   * @throws ConfigError if the file cannot be evaluated.
   */
  readonly read: () => Promise<string | undefined>
}

export function createConfigChanges(config: LoadedConfig): ConfigChanges {
  let files: Promise<readonly string[]> | undefined
  let last = config
  const list = (): Promise<readonly string[]> =>
    (files ??= loadConfig(config.root, { listFiles: true }).then(({ files }) => files))
  return {
    file: config.file,
    files: list,
    async concerns(file) {
      const isConfig =
        dirname(file) === config.root && /^servicekit\.config\.\w+$/.test(basename(file))
      return isConfig || (await list()).includes(file)
    },
    async read() {
      const after = await loadConfig(config.root)
      const changed = changedOptions(last, after)
      last = after
      const name = basename(after.file ?? config.file ?? 'servicekit.config')
      return changed.length === 0 ? undefined : `${name} changed: ${changed.join(', ')}`
    },
  }
}
