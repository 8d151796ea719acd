/**
 * Schema loader for GraphQL Code Generator. It reads the data gateway's schema
 * listing and hands the generator a schema of one field, with the listing in its
 * extensions: a thousand schemas load in milliseconds. The preset reads it there.
 * With `full` it hands over the whole executable schema as well, for other presets.
 */
import { resolve } from 'node:path'
import { buildSchema, GraphQLBoolean, GraphQLObjectType, GraphQLSchema } from 'graphql'
import { resultOf } from './ask.ts'
import { emitSdl } from './emit/sdl.ts'
import { CodegenError, reasonOf } from './errors.ts'
import { listingExtension } from './extension.ts'
import type { QueryNaming } from './model.ts'
import { hashOf } from './names.ts'
import { normaliseListing } from './normalise.ts'
import { type GenerateOptions, type ListingSource, resolveSource } from './options.ts'
import { modelOf, nameOf, readSource } from './read-source.ts'

/** Where the listing comes from, as for `generate`. */
export interface LoaderOptions extends Pick<
  GenerateOptions,
  | 'listing'
  | 'introspect'
  | 'baseUrl'
  | 'projectKey'
  | 'queryNaming'
  | 'pageSize'
  | 'timeoutMs'
  | 'rateWindowMs'
  | 'headers'
  | 'fetch'
  | 'signal'
> {
  /**
   * Make the whole executable schema, which the users' own documents and the plugins
   * for them need. Without it the schema has one field, and loads in no time.
   */
  readonly full?: boolean | undefined
}

/**
 * A schema pointer of GraphQL Code Generator with its loader, whose type there
 * knows loaders by path only; a function works, and is called with the pointer.
 */
export interface SchemaPointer {
  // oxlint-disable-next-line typescript/no-explicit-any
  [pointer: string]: { loader: any }
}

/**
 * Entry for `schema` in a code generator's configuration.
 *
 * ```ts
 * const config: CodegenConfig = {
 *   schema: servicekitSchema({ baseUrl: 'https://api.example.com', projectKey: 'P5c1…' }),
 *   generates: { './src/gateway/': { preset: servicekitPreset } },
 * }
 * ```
 *
 * @throws CodegenError CONFIG_INVALID at once; the loader throws what `generate` throws
 */
export function servicekitSchema(options: LoaderOptions): SchemaPointer {
  const source = resolveSource(options)
  // The generator caches schemas by pointer and does not see functions in its
  // key, so that two loaders under one pointer would share the first one's schema.
  // And it takes a pointer with a space in it for a GraphQL document.
  const name = encodeURIComponent(nameOf(source))
  const pointer = `servicekit:${name}:${hashOf(JSON.stringify(options))}`
  const loader = (_: string, context?: { readonly cwd?: string }): Promise<GraphQLSchema> =>
    load(source, options, context?.cwd)
  return { [pointer]: { loader } }
}

/**
 * The loader by name, for configurations in YAML. The pointer is a file or the
 * service's address:
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
  const { projectKey, pageSize, timeoutMs, rateWindowMs, headers, cwd } = context
  const place = /^https?:/.test(pointer) ? { baseUrl: pointer } : { listing: pointer }
  return load(
    resolveSource({ ...place, projectKey, pageSize, timeoutMs, rateWindowMs, headers }),
    context,
    cwd,
  )
}

async function load(
  source: ListingSource,
  { full = false, queryNaming = 'as-given' }: Pick<LoaderOptions, 'full' | 'queryNaming'>,
  cwd = process.cwd(),
): Promise<GraphQLSchema> {
  const resolved = source.kind === 'file' ? { ...source, file: resolve(cwd, source.file) } : source
  const listing = await resultOf(readSource(resolved))
  const from = nameOf(source)
  const schema = full
    ? executableSchema(listing, from, queryNaming)
    : new GraphQLSchema({ query: new GraphQLObjectType(stub) })
  const extensions = { [listingExtension]: { listing: () => listing, from } }
  return new GraphQLSchema({ ...schema.toConfig(), extensions })
}

const stub = { name: 'Query', fields: { _gateway: { type: GraphQLBoolean } } }

function executableSchema(listing: unknown, from: string, queryNaming: QueryNaming): GraphQLSchema {
  const sdl = emitSdl(modelOf(normaliseListing(listing), from, { queryNaming }))
  try {
    return buildSchema(sdl)
  } catch (cause) {
    throw new CodegenError('The listing makes no executable schema', {
      code: 'LISTING_INVALID',
      facts: { from, reason: reasonOf(cause) },
      cause,
    })
  }
}
