import { readFile } from 'node:fs/promises'
import { isObject, reasonOf } from '@servicekit/core'
import { decodeUtf8 } from '@servicekit/core/node'
import { CodegenError } from './errors.ts'
import {
  type ExecutableSchema,
  isIntrospection,
  listingOf,
  mutationsOf,
  readIntrospection,
} from './executable-schema.ts'
import { eventsOf } from './events.ts'
import { type EmitEvent, fetchListing, type ListingEvent } from './fetch-listing.ts'
import { parseLock } from './lockfile.ts'
import { buildModel, type Model, type ModelOptions } from './model.ts'
import { normaliseListing, type NormalListing } from './normalise.ts'
import type { ListingSource, SchemaSource } from './resolve-source.ts'
import { formatProblem } from './problem.ts'
import { fetchIntrospection, readSdl } from './read-schema.ts'

/** Listing and its model. */
export interface ReadSource {
  readonly listing: NormalListing
  readonly model: Model
}

/**
 * Reads the listing from its source and builds the model.
 *
 * @throws CodegenError LISTING_FAILED, LISTING_INVALID
 */
export async function* readModel(
  source: ListingSource,
  options: ModelOptions & { readonly mutations?: SchemaSource | undefined },
): AsyncGenerator<ListingEvent, ReadSource, undefined> {
  const raw = yield* eventsOf<ListingEvent, unknown>((emit) => readSource(source, emit))
  let listing = normaliseListing(raw)
  if (options.mutations !== undefined) {
    const executable = await readSchema(options.mutations)
    const mutations = mutationsOf(executable)
    const schemas = listing.schemas.map((schema) => ({
      ...schema,
      mutations: mutations.get(schema.name) ?? [],
      fields: schema.fields.map((field) => {
        const values = executable.enums.get(field.type)
        return values ? { ...field, values } : field
      }),
    }))
    listing = { ...listing, schemas }
  }
  return { listing, model: modelOf(listing, nameOf(source), options) }
}

/**
 * Builds the model of a listing.
 *
 * @throws CodegenError LISTING_INVALID if the listing has an error
 */
export function modelOf(listing: NormalListing, from: string, options: ModelOptions): Model {
  const model = buildModel(listing, options)
  const fatal = model.problems.find((problem) => problem.severity === 'error')
  if (fatal !== undefined) {
    throw new CodegenError('The schema listing cannot be used', {
      code: 'LISTING_INVALID',
      details: { from, reason: formatProblem(fatal) },
    })
  }
  return model
}

/** Reads the raw listing from its source. */
export async function readSource(
  source: ListingSource,
  emit: EmitEvent = () => {},
): Promise<unknown> {
  if (source.kind === 'value') return source.value
  if (source.kind === 'file') {
    const { schema, value } = await readSaved(source.file)
    return schema ? listingOf(schema) : value
  }
  if (source.kind === 'lock') return readLocked(source.file)
  if (source.kind === 'introspection') return listingOf(await fetchIntrospection(source, emit))
  return fetchListing(source, emit)
}

/** Reads the listing from the lockfile. */
async function readLocked(file: string): Promise<unknown> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new CodegenError('There is no lockfile to generate from', {
      code: 'LISTING_FAILED',
      details: { file, reason: reasonOf(cause) },
      help: 'Generate once from the service or a saved listing, and commit the lockfile.',
      cause,
    })
  })
  const { listing } = parseLock(decode(bytes, file))
  if (listing !== undefined) return listing
  throw new CodegenError('The lockfile contains no listing', {
    code: 'LISTING_INVALID',
    details: { file },
    help: 'It was written by an older version, or a merge broke it. Generate once from the service.',
  })
}

/** Reads an executable schema from a file, or by introspection of the gateway. */
export const readSchema = (source: SchemaSource): Promise<ExecutableSchema> =>
  source.kind === 'file' ? readSchemaFile(source.file) : fetchIntrospection(source, () => {})

/** Reads an executable schema from SDL or an introspection result. */
async function readSchemaFile(file: string): Promise<ExecutableSchema> {
  const { schema } = await readSaved(file)
  if (schema) return schema
  throw new CodegenError('The file contains no schema', {
    code: 'LISTING_INVALID',
    details: { file, expected: 'SDL, or the response to an introspection query' },
  })
}

/**
 * Reads a saved schema, from SDL or an introspection result, or the JSON of a saved listing:
 * the response of the service, or an array of schemas.
 *
 * @throws CodegenError LISTING_FAILED if the file does not exist, LISTING_INVALID if it
 * is not JSON
 */
async function readSaved(
  file: string,
): Promise<{ readonly schema?: ExecutableSchema; readonly value?: unknown }> {
  const text = await readText(file)
  if (/\.(?:graphqls?|gql)$/.test(file)) return { schema: await readSdl(text, file) }
  const value = parseJson(text, file)
  return isIntrospection(value) ? { schema: readIntrospection(value) } : { value }
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new CodegenError('Cannot read the saved schema listing', {
      code: 'LISTING_FAILED',
      details: { file, reason: reasonOf(cause) },
      cause,
    })
  })
  // Editors on Windows may add a byte order mark, which is invalid in JSON.
  return decode(bytes, file).replace(/^\uFEFF/, '')
}

/** @throws CodegenError LISTING_INVALID for another encoding than UTF-8 */
function decode(bytes: Buffer, file: string): string {
  try {
    return decodeUtf8(bytes)
  } catch (cause) {
    throw new CodegenError(`Cannot read ${file}`, {
      code: 'LISTING_INVALID',
      details: { reason: reasonOf(cause) },
      cause,
    })
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new CodegenError('The saved schema listing is not JSON', {
      code: 'LISTING_INVALID',
      details: { file, reason: reasonOf(cause) },
      help: 'Save the response of GET /data/v4/schemas again.',
      cause,
    })
  }
}

export function nameOf(source: ListingSource): string {
  if (source.kind === 'value') return 'a given listing'
  if (source.kind === 'file' || source.kind === 'lock') return source.file
  return `${source.baseUrl}, project ${source.projectKey}`
}

/** Key of the listing in the extensions of a schema. */
export const listingExtension = 'servicekit'

/**
 * Extension set by the loader. The listing is a function because merging schemas copies
 * plain objects.
 */
interface ListingExtension {
  readonly listing: () => unknown
  /** Origin of the listing, for messages. */
  readonly from: string
}

/** Returns the listing from the extensions of a schema. */
export function readListingExtension(extensions: unknown): ListingExtension | undefined {
  const found = isObject(extensions) ? extensions[listingExtension] : undefined
  if (!isObject(found) || typeof found['listing'] !== 'function') return undefined
  return found as unknown as ListingExtension
}
