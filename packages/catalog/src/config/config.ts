import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { checkOptions, ConfigError, type Details } from '@servicekit/client'
import { readServiceVariables } from '@servicekit/client/environment'
import { findLocalPlatform, isLocalPlatformUrl } from './local-platform.ts'
import type { OutputOptions } from '@servicekit/contract/output-options'
import { type ServiceOptions, serviceOptionNames } from '@servicekit/contract/service'
import type { CheckConfig } from './check-config.ts'

export {
  announceLocalPlatform,
  findLocalPlatform,
  localPlatformPort,
  localPlatformUrl,
} from './local-platform.ts'
export type { CheckConfig } from './check-config.ts'
import { evaluateConfig } from './evaluate-config.ts'
import { type CatalogOptions, credentialsInConfig, withoutCredentials } from './options.ts'
import { findProjectRoot, type ProjectRoot } from './project-root.ts'

export { findProjectRoot, type ProjectRoot }

/** Options of the generated data access, shared by the config file and the command. */
export interface GatewayOptions extends OutputOptions {
  /** Output folder of the generated modules; `src/gateway` by default. */
  readonly outDir?: string
  /** Saved schema listing to read instead of requesting it from the service. */
  readonly listing?: string
}

/**
 * Content of `servicekit.config.ts`. The environment variables SERVICEKIT_URL,
 * SERVICEKIT_PROJECT_KEY, SERVICEKIT_PRESET and SERVICEKIT_KEY_HEADER override the options of the
 * service.
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
export interface ServicekitConfig extends Partial<ServiceOptions> {
  readonly localization?: Omit<CatalogOptions, 'root' | keyof ServiceOptions>
  readonly gateway?: GatewayOptions
  readonly check?: CheckConfig
}

/** Loaded configuration, split into the options of each part. */
export interface LoadedConfig extends ProjectRoot {
  /** Path of the config file; undefined if there is none. */
  readonly file: string | undefined
  /** The config file and, with `listFiles`, the files that it imports. */
  readonly files: readonly string[]
  /** Options of the service, also contained in `localization`. */
  readonly service: Partial<ServiceOptions>
  readonly localization: CatalogOptions
  readonly gateway: GatewayOptions
  readonly check: CheckConfig
}

/** Options for loading a config file. */
export interface LoadConfigOptions {
  /** Also searches the parent folders, see {@link findProjectRoot}; false by default. */
  readonly upwards?: boolean
  /** Also lists the files that the config file imports, for watching; false by default. */
  readonly listFiles?: boolean
}

/**
 * Loads `servicekit.config.{ts,mts,cts,js,mjs,cjs,json}` from a folder, if it exists.
 *
 * @throws ConfigError for an unknown option or a file that cannot be evaluated.
 */
export async function loadConfig(
  folder: string = '.',
  { upwards = false, listFiles = false }: LoadConfigOptions = {},
): Promise<LoadedConfig> {
  const location = upwards
    ? await findProjectRoot(folder)
    : { root: resolve(folder), searched: [resolve(folder)] }
  const file = await findConfigFile(location.root)
  const files = new Set(file === undefined ? [] : [file])
  const config =
    file === undefined
      ? {}
      : await evaluateConfig(file, listFiles ? (one) => files.add(one) : undefined)
  const secret = ['credentials', 'clientId', 'clientSecret', 'token'].find((name) => name in config)
  if (secret !== undefined) throw credentialsInConfig(`option ${secret}`)
  checkOptions('config option', config, [...serviceOptionNames, 'localization', 'gateway', 'check'])
  checkOptions('check option', config.check ?? {}, checkOptionNames)
  const { localization, gateway = {}, check = {}, ...given } = config
  withoutCredentials(given.headers)
  // The default address stands for the local platform of this folder, which may have another port.
  const local =
    given.baseUrl !== undefined && isLocalPlatformUrl(given.baseUrl)
      ? findLocalPlatform(location.root)
      : undefined
  const service = {
    ...given,
    ...(local !== undefined && { baseUrl: local }),
    ...readServiceVariables(process.env),
  }
  return {
    ...location,
    file,
    files: [...files],
    service,
    localization: { ...localization, ...service },
    gateway,
    check,
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

const checkOptionNames = [
  'sources',
  'aliases',
  'hooks',
  'labels',
  'rules',
  'thresholds',
  'glossary',
  'baseline',
  'remote',
] as const satisfies readonly (keyof CheckConfig)[]

/** Returns the details of an error about an option that is missing in the config file. */
export const configDetails = ({
  file,
  searched,
}: Pick<LoadedConfig, 'file' | 'searched'>): Details =>
  file === undefined ? { 'no servicekit.config in': searched.join(', ') } : { file }

/** Names the options that differ between two configs, such as `localization.languages`. */
export function changedOptions(before: LoadedConfig, after: LoadedConfig): readonly string[] {
  const changed = (a: object, b: object): readonly string[] =>
    [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
      (name) => JSON.stringify(a[name as never]) !== JSON.stringify(b[name as never]),
    )
  const ofService = new Set<string>(serviceOptionNames)
  return changed(before.localization, after.localization).map((name) =>
    ofService.has(name) ? name : `localization.${name}`,
  )
}
