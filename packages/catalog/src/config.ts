import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { checkOptions, ConfigError } from '@servicekit/client'
import { isObject } from '@servicekit/core'
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
 * Loads `servicekit.config.{ts,mts,cts,js,mjs,cjs,json}` from a folder, if it exists.
 *
 * @throws ConfigError for an unknown option or a file that cannot be evaluated.
 */
export async function loadConfig(root: string | undefined = '.'): Promise<LoadedConfig> {
  const file = await findConfigFile(root)
  const config = file === undefined ? {} : await evaluate(file)
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

const extensions = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json']

async function findConfigFile(root: string): Promise<string | undefined> {
  const names = await readdir(root).catch((): string[] => [])
  const found = extensions
    .map((extension) => `servicekit.config.${extension}`)
    .find((name) => names.includes(name))
  if (found !== undefined) return join(resolve(root), found)
  const other = names.find((name) => /^servicekit\.config\.\w+$/.test(name))
  if (other === undefined) return undefined
  throw new ConfigError(`Unsupported config file ${other}`, {
    details: { folder: resolve(root) },
    help: `Use one of the extensions ${extensions.join(', ')}.`,
  })
}

/** Evaluates a config file, which may be TypeScript on every version of Node. */
async function evaluate(file: string): Promise<ServicekitConfig> {
  // Loaded on demand: projects without a config file need no TypeScript compiler.
  const { createJiti } = await import('jiti')
  try {
    const config: unknown = await createJiti(file, { moduleCache: false }).import(file, {
      default: true,
    })
    if (isObject(config)) return config
    throw new TypeError('it exports no options by default')
  } catch (cause) {
    throw new ConfigError('Could not read servicekit.config', {
      details: { file, ...causeOf(cause) },
      help: 'Correct the file, or a file that it imports.',
      cause,
    })
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

const checkOptionNames = [
  'sources',
  'aliases',
  'hooks',
  'rules',
  'thresholds',
  'baseline',
  'remote',
] as const satisfies readonly (keyof CheckConfig)[]
