import { readFile } from 'node:fs/promises'
import { CodegenError, reasonOf } from './errors.ts'
import {
  type ExecutableSchema,
  isIntrospection,
  listingOf,
  readIntrospection,
} from './introspection.ts'
import { readSdl } from './read-schema.ts'

/**
 * Reads a saved listing: the JSON response of the service, or an array of schemas. An SDL
 * file or an introspection result is converted to a listing.
 *
 * @throws CodegenError LISTING_FAILED if the file does not exist, LISTING_INVALID if it
 * is not JSON
 */
export async function readListing(file: string): Promise<unknown> {
  const text = await readText(file)
  if (isSdl(file)) return listingOf(await readSdl(text, file))
  const value = parseJson(text, file)
  return isIntrospection(value) ? listingOf(readIntrospection(value)) : value
}

/** Reads an executable schema from SDL or an introspection result. */
export async function readSchemaFile(file: string): Promise<ExecutableSchema> {
  const text = await readText(file)
  if (isSdl(file)) return readSdl(text, file)
  const value = parseJson(text, file)
  if (isIntrospection(value)) return readIntrospection(value)
  throw new CodegenError('The file holds no schema', {
    code: 'LISTING_INVALID',
    details: { file, expected: 'SDL, or the answer of an introspection query' },
  })
}

const isSdl = (file: string): boolean => /\.(?:graphqls?|gql)$/.test(file)

async function readText(file: string): Promise<string> {
  try {
    // Editors on Windows may add a byte order mark, which is invalid in JSON.
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '')
  } catch (cause) {
    throw new CodegenError('Could not read the saved schema listing', {
      code: 'LISTING_FAILED',
      details: { file, reason: reasonOf(cause) },
      cause,
    })
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new CodegenError('The saved schema listing is no JSON', {
      code: 'LISTING_INVALID',
      details: { file, reason: reasonOf(cause) },
      help: 'Save the answer of GET /data/v4/schemas again.',
      cause,
    })
  }
}
