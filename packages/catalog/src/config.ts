import { resolve } from 'node:path'
import { loadConfig as load } from 'c12'
import { checkOptions, ConfigError } from '@servicekit/client'
import type { CheckOptions } from './check/check.ts'
import type { CatalogOptions } from './options.ts'

/** Options of the generated data access, the same in config file and command. */
export interface GatewayOptions {
  /** Folder of the generated modules; `src/gateway` by default. */
  readonly outDir?: string
  /** Saved schema listing to read instead of asking the instance. */
  readonly listing?: string
  /** How operation names are made of `querySchema`: `as-given` by default. */
  readonly queryNaming?: 'as-given' | 'get-prefix'
  /** Ending of imports between generated files, `.js` by default. */
  readonly importExtension?: string
  /** `ts` by default; `js` writes JavaScript with declarations, which TypeScript need not check. */
  readonly output?: 'ts' | 'js'
  /** Documents as strings (default), or as syntax trees (`node`), as Apollo Client wants them. */
  readonly documents?: 'string' | 'node'
  /** Make `queryOptions` factories for TanStack Query. */
  readonly queryOptions?: boolean
  /** Make a Standard Schema validator for each insert. */
  readonly validators?: boolean
  /** Make a factory of test data for each schema. */
  readonly factories?: boolean
}

/** Options of `servicekit check`; see {@link CheckOptions} for the same ones in programs. */
export type CheckConfig = Omit<CheckOptions, 'project' | 'updateBaseline'>

/**
 * What `servicekit.config.ts` holds:
 *
 * ```ts
 * import { defineConfig } from 'servicekit'
 *
 * export default defineConfig({
 *   baseUrl: 'https://api.example.com',
 *   projectKey: 'P1',
 *   localization: { languages: ['en-US', 'de-DE'] },
 *   gateway: { outDir: 'src/gateway' },
 * })
 * ```
 */
export interface ServicekitConfig {
  /** Address of the instance; the environment variable SERVICEKIT_URL goes before it. */
  readonly baseUrl?: string
  /** Key of the project; the environment variable SERVICEKIT_PROJECT_KEY goes before it. */
  readonly projectKey?: string
  readonly localization?: Omit<CatalogOptions, 'root' | 'baseUrl' | 'projectKey'>
  readonly gateway?: GatewayOptions
  readonly check?: CheckConfig
}

/** A configuration after it was read: options that each part can be given. */
export interface LoadedConfig {
  /** File that it was read from; undefined where there is none. */
  readonly file: string | undefined
  readonly baseUrl: string | undefined
  readonly projectKey: string | undefined
  readonly localization: CatalogOptions
  readonly gateway: GatewayOptions
  readonly check: CheckConfig
}

/**
 * Reads `servicekit.config.{ts,js,mjs,json…}` of a folder, if there is one.
 *
 * @throws ConfigError for an unknown option, and for a file that cannot be run.
 */
export async function loadConfig(root: string | undefined = '.'): Promise<LoadedConfig> {
  const { config, _configFile: file } = await load<ServicekitConfig>({
    name: 'servicekit',
    cwd: root,
    rcFile: false,
    packageJson: false,
    dotenv: false,
  }).catch((cause: unknown) => {
    throw new ConfigError('servicekit.config cannot be read', {
      facts: { folder: resolve(root), ...faultOf(cause) },
      help: 'Correct the file, or what it imports.',
      cause,
    })
  })
  checkOptions('options of servicekit.config', config, [
    'baseUrl',
    'projectKey',
    'localization',
    'gateway',
    'check',
  ])
  checkOptions('options of check', config.check ?? {}, checkOptionNames)
  const baseUrl = process.env['SERVICEKIT_URL'] || config.baseUrl
  const projectKey = process.env['SERVICEKIT_PROJECT_KEY'] || config.projectKey
  return {
    file,
    baseUrl,
    projectKey,
    localization: {
      ...config.localization,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(projectKey === undefined ? {} : { projectKey }),
    },
    gateway: config.gateway ?? {},
    check: config.check ?? {},
  }
}

/** What went wrong in a configuration, and where, without the frames of what loads it. */
function faultOf(cause: unknown): { readonly reason: string; readonly at?: string } {
  if (!(cause instanceof Error)) return { reason: String(cause) }
  const [reason = '', ...rest] = cause.message.split('\n').map((line) => line.trim())
  const places = [...rest, ...(cause.stack ?? '').split('\n')]
  const at = places.map((line) => /[^\s(]*servicekit\.config\.\w+:\d+(?::\d+)?/.exec(line)?.[0])
  const place = at.find((one) => one !== undefined)
  return { reason, ...(place === undefined ? {} : { at: place }) }
}

const checkOptionNames = [
  'sources',
  'aliases',
  'hooks',
  'rules',
  'thresholds',
  'baseline',
  'remote',
] as const satisfies readonly (keyof CheckConfig)[]
