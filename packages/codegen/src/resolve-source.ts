import { type Credentials, type Environment, readCredentials } from '@servicekit/client/environment'
import { invalidValue } from '@servicekit/core'
import { CodegenError } from './errors.ts'
import type { GenerateOptions } from './options.ts'
import { asCodegenError, openService, type ServiceSource } from './service.ts'

/** Source of the listing. */
export type ListingSource =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'lock'; readonly file: string }
  | ({ readonly kind: 'service' } & ServiceSource)
  | ({ readonly kind: 'introspection' } & ServiceSource)

/** Source of the executable schema for a comparison. */
export type SchemaSource = Extract<ListingSource, { readonly kind: 'file' | 'introspection' }>

export type SourceOptions = Omit<GenerateOptions, 'outDir'>

/**
 * Resolves the source of the listing: a given listing takes precedence over the service.
 */
export function resolveSource(options: SourceOptions): ListingSource {
  const { listing, introspect } = options
  if (typeof listing === 'string') return { kind: 'file', file: listing }
  if (listing !== undefined) return { kind: 'value', value: listing }
  const kind = introspect === true ? 'introspection' : 'service'
  return { kind, ...resolveService(options) }
}

/** Resolves the service and how to request it. */
export function resolveService(options: SourceOptions): ServiceSource {
  const { baseUrl, projectKey, preset, keyHeader, headers } = options
  const { pageSize = 100, timeoutMs = 30_000, rateWindowMs = 60_000 } = options
  if (!baseUrl || !projectKey) {
    const missing = baseUrl ? 'projectKey' : projectKey ? 'baseUrl' : 'listing'
    throw invalid(
      `${missing} is required`,
      'Set listing to a saved listing, or baseUrl and projectKey to use the service.',
    )
  }
  if (!Number.isInteger(pageSize) || pageSize < 1) {
    throw invalid(invalidValue('pageSize', 'a positive integer', pageSize))
  }
  const source: ServiceSource = {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    projectKey,
    ...(preset !== undefined && { preset }),
    ...(keyHeader !== undefined && { keyHeader }),
    ...(headers !== undefined && { headers }),
    pageSize,
    timeoutMs,
    rateWindowMs,
    credentials: credentialsOf(options.environment),
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    signal: options.signal,
    runtime: {},
  }
  // The client checks its own options. It sends nothing before a request.
  openService(source, () => {})
  return source
}

function credentialsOf(environment: Environment = process.env): Credentials {
  try {
    return readCredentials(environment)
  } catch (error) {
    throw asCodegenError(error)
  }
}

/** Creates the error for an invalid option. */
export function invalid(summary: string, help?: string): CodegenError {
  return new CodegenError(summary, { code: 'CONFIG_INVALID', ...(help !== undefined && { help }) })
}
