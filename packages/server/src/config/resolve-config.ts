import { formatCount } from '@servicekit/core'
import { PlatformError } from '@servicekit/platform'
import { checkSettings } from './check-settings.ts'
import { type ConfigFile, loadConfigFile } from './load-config-file.ts'
import { settingsList } from './list-settings.ts'
import { type ConfigInput, type ConfigProblem, type GivenValue, readValues } from './read-values.ts'
import type { Settings } from './settings.ts'

/** Valid settings, and where each of them was set. */
export interface ResolvedConfig {
  readonly settings: Settings
  /** Source of each setting that is set, such as `SERVICEKIT_PORT`. */
  readonly sources: ReadonlyMap<string, string>
  readonly file: string | undefined
}

export type ConfigOptions = Omit<ConfigInput, 'file'>

/**
 * Reads and validates the whole configuration.
 *
 * @throws PlatformError `OPTION_INVALID` with all problems.
 */
export async function resolveConfig(options: ConfigOptions): Promise<ResolvedConfig> {
  const { config, problems } = await readConfig(options)
  const all = [...problems, ...checkSettings(config.settings).filter(isNew(problems))]
  if (all.length > 0) throw configError(all)
  return config
}

/**
 * Reads the configuration, with the problems of single settings. Settings with a problem have
 * their default.
 */
export async function readConfig(options: ConfigOptions): Promise<{
  readonly config: ResolvedConfig
  readonly problems: readonly ConfigProblem[]
}> {
  const given = options.flags.get('config') ?? (options.env['SERVICEKIT_CONFIG'] || undefined)
  const file: ConfigFile | undefined = await loadConfigFile(options.folder, given)
  const { values, problems } = readValues({ ...options, file })
  const settings: Record<string, Record<string, unknown> | unknown> = {}
  for (const { name, schema } of settingsList) {
    const parsed = schema.safeParse(values.get(name)?.value)
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0]!
      const member = path.length === 0 ? '' : `[${path.join('.')}] `
      problems.push({ name, message: `${member}${message}${placeOf(values.get(name))}.` })
    }
    const value = parsed.success ? parsed.data : schema.safeParse(undefined).data
    const [first, second] = name.split('.') as [string, string?]
    if (second === undefined) settings[first] = value
    else Object.assign((settings[first] ??= {}) as object, { [second]: value })
  }
  const sources = new Map([...values].map(([name, { source }]) => [name, source]))
  return {
    config: { settings: settings as Settings, sources, file: file?.path },
    problems,
  }
}

const placeOf = (given: GivenValue | undefined): string =>
  given === undefined ? '' : `, set by ${given.source}`

const isNew =
  (problems: readonly ConfigProblem[]) =>
  ({ name }: ConfigProblem): boolean =>
    problems.every((one) => one.name !== name)

/** Creates the error with all problems, one on each line. */
function configError(problems: readonly ConfigProblem[]): PlatformError {
  const summary = `The configuration of the server has ${formatCount(problems.length, 'problem')}`
  return new PlatformError('OPTION_INVALID', summary, {
    details: Object.fromEntries(problems.map(({ name, message }) => [name, message])),
    help: '`servicekit serve --check-config` checks it without starting. All settings: `servicekit serve --help`.',
  })
}
