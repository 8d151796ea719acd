/**
 * Schema loader for GraphQL Code Generator. Reads the schema listing of the data gateway
 * and returns a schema with a single field and the listing in its extensions, where the
 * preset reads it. A thousand schemas thus load in milliseconds. With `full` it also
 * returns the complete executable schema, for other presets.
 */
import { resolve } from 'node:path'
import type { GatewayShape, ServiceOptions } from '@servicekit/contract/service'
import { buildSchema, GraphQLBoolean, GraphQLObjectType, GraphQLSchema } from 'graphql'
import { emitSdl } from './emit/sdl.ts'
import { reasonOf } from '@servicekit/core'
import { CodegenError } from './errors.ts'
import { hashOf } from './names.ts'
import { normaliseListing } from './normalise.ts'
import { type GenerateOptions, resolveEmitOptions } from './options.ts'
import { type ListingSource, resolveSource } from './resolve-source.ts'
import { listingExtension, modelOf, nameOf, readSource } from './read-source.ts'

/** Source of the listing, as for `generate`. */
export interface LoaderOptions extends Pick<
  GenerateOptions,
  | 'listing'
  | 'introspect'
  | keyof ServiceOptions
  | keyof GatewayShape
  | 'nestedFilters'
  | 'pageSize'
  | 'timeoutMs'
  | 'rateWindowMs'
  | 'fetch'
  | 'signal'
> {
  /**
   * Builds the complete executable schema, which user documents and their plugins need.
   * Without it the schema has one field and loads immediately.
   */
  readonly full?: boolean | undefined
}

/**
 * Schema pointer of GraphQL Code Generator with its loader. The generator's type only
 * allows loaders by path, but functions work and are called with the pointer.
 */
export interface SchemaPointer {
  // oxlint-disable-next-line typescript/no-explicit-any
  [pointer: string]: { loader: any }
}

/**
 * Returns an entry for `schema` in the configuration of GraphQL Code Generator.
 *
 * ```ts
 * const config: CodegenConfig = {
 *   schema: servicekitSchema({ baseUrl: 'https://api.example.com', projectKey: 'P5c1…' }),
 *   generates: { './src/gateway/': { preset: servicekitPreset } },
 * }
 * ```
 *
 * @throws CodegenError CONFIG_INVALID immediately; the loader throws the errors of
 * `generate`
 */
export function servicekitSchema(options: LoaderOptions): SchemaPointer {
  const source = resolveSource(options)
  // The generator caches schemas by pointer and ignores functions in its cache key, so
  // two loaders with the same pointer would share the first schema. It also treats a
  // pointer with a space as a GraphQL document.
  const name = encodeURIComponent(nameOf(source))
  const pointer = `servicekit:${name}:${hashOf(JSON.stringify(options))}`
  const loader = (_: string, context?: { readonly cwd?: string }): Promise<GraphQLSchema> =>
    load(source, options, context?.cwd)
  return { [pointer]: { loader } }
}

/**
 * Loader by name, for YAML configurations. The pointer is a file or the URL of the
 * service:
 *
 * ```yaml
 * schema:
 *   - https://api.example.com:
 *       loader: '@servicekit/codegen/loader'
 *       projectKey: P5c1…
 * ```
 */
// oxlint-disable-next-line import/no-default-export -- loaders are found by it
export default async function loadServicekitSchema(
  pointer: string,
  context: LoaderOptions & { readonly cwd?: string } = {},
): Promise<GraphQLSchema> {
  const { projectKey, preset, keyHeader, headers, pageSize, timeoutMs, rateWindowMs } = context
  const from = /^https?:/.test(pointer) ? { baseUrl: pointer } : { listing: pointer }
  const service = { ...from, projectKey, preset, keyHeader, headers }
  return load(
    resolveSource({ ...service, pageSize, timeoutMs, rateWindowMs }),
    context,
    context.cwd,
  )
}

async function load(
  source: ListingSource,
  options: LoaderOptions,
  cwd = process.cwd(),
): Promise<GraphQLSchema> {
  const resolved = source.kind === 'file' ? { ...source, file: resolve(cwd, source.file) } : source
  const listing = await readSource(resolved)
  const from = nameOf(source)
  const schema = options.full
    ? executableSchema(listing, from, resolveEmitOptions(options))
    : new GraphQLSchema({ query: new GraphQLObjectType(stub) })
  const extensions = { [listingExtension]: { listing: () => listing, from } }
  return new GraphQLSchema({ ...schema.toConfig(), extensions })
}

const stub = { name: 'Query', fields: { _gateway: { type: GraphQLBoolean } } }

function executableSchema(
  listing: unknown,
  from: string,
  { queryNaming, bulkMutations, emit }: ReturnType<typeof resolveEmitOptions>,
): GraphQLSchema {
  const model = modelOf(normaliseListing(listing), from, { queryNaming, bulkMutations })
  const sdl = emitSdl(model, emit)
  try {
    return buildSchema(sdl)
  } catch (cause) {
    throw new CodegenError('The listing is not a valid executable schema', {
      code: 'LISTING_INVALID',
      details: { from, reason: reasonOf(cause) },
      cause,
    })
  }
}
