import { join } from 'node:path'
import type { Environment } from '@servicekit/client/environment'
import {
  type OutputOptions,
  outputOptionNames,
  type ResolvedOutputOptions,
} from '@servicekit/contract/output-options'
import {
  type ServiceOptions,
  serviceOptionNames,
  gatewayShapes,
  servicePresets,
} from '@servicekit/contract/service'
import { formatChoice, invalidValue, unknownName } from '@servicekit/core'
import type { EmitOptions } from './emit/emit-all.ts'
import { lockName } from './lockfile.ts'
import { readOutputOptions } from './output-options.ts'
import {
  invalid,
  type ListingSource,
  resolveService,
  resolveSource,
  type SchemaSource,
} from './resolve-source.ts'
import type { FetchLike } from './service.ts'

/** Options that describe the service; required unless there is a saved listing. */
type OptionalService = {
  readonly [Name in keyof ServiceOptions]?: ServiceOptions[Name] | undefined
}

export interface GenerateOptions extends OptionalService, OutputOptions {
  /**
   * File of a saved listing (JSON), a schema (`.graphql`) or an introspection result; or
   * the parsed listing itself. By default the listing is requested from the service.
   */
  readonly listing?: unknown
  /** Generates from `gateway.lock.json` in the output folder, without network access. */
  readonly frozen?: boolean | undefined
  /** Uses introspection of the gateway instead of the schema listing. */
  readonly introspect?: boolean | undefined
  /**
   * Compares the listing with the executable schema and reports every difference. `true`
   * uses introspection of the gateway, a string names an SDL or JSON file.
   */
  readonly crossCheck?: boolean | string | undefined
  /**
   * Source of the names of mutations: those that the listing names (default), or `introspected`
   * for all that the gateway executes. Without a listed name, only an insert has a name.
   */
  readonly mutations?: 'listed' | 'introspected' | undefined
  /** Output folder. Other files in it are never touched. */
  readonly outDir: string
  /**
   * Removes any number of modules whose schemas no longer exist. By default at most 3 at
   * once.
   */
  readonly prune?: boolean | undefined
  /** Writes nothing and reports what would change. */
  readonly check?: boolean | undefined
  /** Number of schemas per request; 100 by default. */
  readonly pageSize?: number | undefined
  /** Request timeout in milliseconds; 30000 by default. */
  readonly timeoutMs?: number | undefined
  /**
   * Maximum time to wait for the end of a rate limit (429), in milliseconds; 60000 by
   * default, the usual window of a per-minute limit.
   */
  readonly rateWindowMs?: number | undefined
  readonly fetch?: FetchLike | undefined
  readonly signal?: AbortSignal | undefined
  /**
   * Environment variables with the credentials: `SERVICEKIT_CLIENT_ID` and
   * `SERVICEKIT_CLIENT_SECRET`, or `SERVICEKIT_TOKEN`. Default: those of the process.
   */
  readonly environment?: Environment | undefined
}

export interface ResolvedOptions {
  readonly source: ListingSource
  /** Schema to compare the listing with; undefined without a comparison. */
  readonly crossCheck: SchemaSource | undefined
  /** Schema whose mutations replace those of the listing; undefined for `listed`. */
  readonly mutations: SchemaSource | undefined
  readonly outDir: string
  readonly queryNaming: ResolvedOutputOptions['queryNaming']
  readonly bulkMutations: ResolvedOutputOptions['bulkMutations']
  readonly emit: EmitOptions
  readonly prune: boolean
  readonly check: boolean
}

const known = [
  'listing',
  'frozen',
  'introspect',
  'crossCheck',
  'mutations',
  ...serviceOptionNames,
  'outDir',
  ...outputOptionNames,
  'prune',
  'check',
  'pageSize',
  'timeoutMs',
  'rateWindowMs',
  'fetch',
  'signal',
  'environment',
] as const satisfies readonly (keyof GenerateOptions)[]

/**
 * Validates the options and adds defaults.
 *
 * @throws CodegenError CONFIG_INVALID
 */
export function resolveOptions(options: GenerateOptions): ResolvedOptions {
  refuseUnknown(Object.keys(options), known)
  if (typeof options.outDir !== 'string' || options.outDir.trim() === '') {
    throw invalid('outDir is required', 'Set it to the folder for the generated files.')
  }
  const { listing, introspect, queryNaming } = options
  const isExecutable = introspect === true || /\.(?:graphqls?|gql)$/.test(String(listing))
  if (isExecutable && queryNaming === 'get-prefix') {
    throw invalid(
      'Cannot use queryNaming get-prefix with an executable schema',
      'Omit queryNaming: the schema contains the names of its queries.',
    )
  }
  return {
    source: options.frozen === true ? frozenSource(options) : resolveSource(options),
    crossCheck: resolveCrossCheck(options),
    mutations: resolveMutations(options),
    outDir: options.outDir,
    // An executable schema contains the names of its queries.
    ...resolveEmitOptions(isExecutable ? { ...options, queryNaming: 'as-given' } : options),
    prune: options.prune ?? false,
    check: options.check ?? false,
  }
}

/** Resolves the options that the preset shares with {@link resolveOptions}. */
export function resolveEmitOptions(
  options: OutputOptions & Pick<GenerateOptions, 'preset'>,
): Pick<ResolvedOptions, 'queryNaming' | 'bulkMutations' | 'emit'> {
  const { preset = 'interface' } = options
  requireOneOf('preset', preset, servicePresets)
  const { queryNaming, bulkMutations, ...emit } = readOutputOptions(options, gatewayShapes[preset])
  if (emit.output === 'js' && emit.importExtension === '.ts') {
    throw invalid('Cannot use importExtension .ts with output js', 'Omit importExtension.')
  }
  return { queryNaming, bulkMutations, emit }
}

function requireOneOf(name: string, value: unknown, allowed: readonly unknown[]): void {
  if (!allowed.includes(value)) throw invalid(invalidValue(name, formatChoice(allowed), value))
}

function frozenSource({ outDir, crossCheck }: GenerateOptions): ListingSource {
  if (crossCheck === true) {
    throw invalid(
      'Cannot use crossCheck: true together with frozen',
      'Set crossCheck to an SDL file.',
    )
  }
  return { kind: 'lock', file: join(outDir, lockName) }
}

function resolveCrossCheck(options: GenerateOptions): SchemaSource | undefined {
  const { crossCheck } = options
  if (crossCheck === undefined || crossCheck === false) return undefined
  if (typeof crossCheck === 'string') return { kind: 'file', file: crossCheck }
  return { kind: 'introspection', ...resolveService(options) }
}

function resolveMutations(options: GenerateOptions): SchemaSource | undefined {
  const { mutations = 'listed', frozen, introspect } = options
  requireOneOf('mutations', mutations, ['listed', 'introspected'])
  // The lock and an executable schema already contain the names of all mutations.
  if (mutations === 'listed' || frozen === true || introspect === true) return undefined
  return { kind: 'introspection', ...resolveService(options) }
}

/** Throws for the first option that is not known. */
export function refuseUnknown(given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name))
  if (unknown !== undefined) throw invalid(unknownName('option', unknown, known))
}
