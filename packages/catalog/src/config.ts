import { resolve } from 'node:path'
import { loadConfig as load } from 'c12'
import { checkOptions, ConfigError } from '@servicekit/client'
import type { CheckOptions } from './check-options.ts'
import type { CatalogOptions } from './options.ts'

/** Options of the generated data access, shared by the config file and the command. */
export interface GatewayOptions {
  /** Output folder of the generated modules; `src/gateway` by default. */
  readonly outDir?: string
  /** Saved schema listing to read instead of requesting it from the service. */
  readonly listing?: string
  /** Derivation of operation names from `querySchema`; `as-given` by default. */
  readonly queryNaming?: 'as-given' | 'get-prefix'
  /** File extension in imports between generated files; `.js` by default. */
  readonly importExtension?: string
  /**
   * Output language; `ts` by default. `js` writes JavaScript with declarations, which
   * TypeScript does not have to check.
   */
  readonly output?: 'ts' | 'js'
  /**
   * Format of documents: strings (default), or syntax trees (`node`) as required by
   * Apollo Client.
   */
  readonly documents?: 'string' | 'node'
  /** Generates `queryOptions` factories for TanStack Query. */
  readonly queryOptions?: boolean
  /** Generates a Standard Schema validator for each insert. */
  readonly validators?: boolean
  /** Generates a factory of test data for each schema. */
  readonly factories?: boolean
}

/**
 * Options of `servicekit check`. See {@link CheckOptions} for the programmatic
 * equivalent.
 */
export type CheckConfig = Omit<CheckOptions, 'project' | 'updateBaseline'>

/**
 * Content of `servicekit.config.ts`.
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
  /** URL of the service. The environment variable SERVICEKIT_URL overrides it. */
  readonly baseUrl?: string
  /** Project key. The environment variable SERVICEKIT_PROJECT_KEY overrides it. */
  readonly projectKey?: string
  readonly localization?: Omit<CatalogOptions, 'root' | 'baseUrl' | 'projectKey'>
  readonly gateway?: GatewayOptions
  readonly check?: CheckConfig
}

/** Loaded configuration, split into the options of each part. */
export interface LoadedConfig {
  /** Path of the config file; undefined if there is none. */
  readonly file: string | undefined
  readonly baseUrl: string | undefined
  readonly projectKey: string | undefined
  readonly localization: CatalogOptions
  readonly gateway: GatewayOptions
  readonly check: CheckConfig
}

/**
 * Loads `servicekit.config.{ts,js,mjs,json…}` from a folder, if it exists.
 *
 * @throws ConfigError for an unknown option or a file that cannot be evaluated.
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
      details: { folder: resolve(root), ...faultOf(cause) },
      help: 'Correct the file, or what it imports.',
      cause,
    })
  })
  checkOptions('config option', config, [
    'baseUrl',
    'projectKey',
    'localization',
    'gateway',
    'check',
  ])
  checkOptions('check option', config.check ?? {}, checkOptionNames)
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

/**
 * Returns the reason and position of a config error, without the stack frames of the
 * loader.
 */
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
