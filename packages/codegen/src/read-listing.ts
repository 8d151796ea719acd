import { readFile } from 'node:fs/promises'
import { CodegenError, reasonOf } from './errors.ts'

/**
 * Reads a saved listing: the JSON that the service answered, or an array of its
 * schemas.
 *
 * @throws CodegenError LISTING_FAILED when there is no such file, LISTING_INVALID when it is no JSON
 */
export async function readListing(file: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw new CodegenError('Could not read the saved schema listing', {
      code: 'LISTING_FAILED',
      facts: { file, reason: reasonOf(cause) },
      cause,
    })
  }
  try {
    // Editors on Windows save a byte order mark, which JSON does not know.
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown
  } catch (cause) {
    throw new CodegenError('The saved schema listing is no JSON', {
      code: 'LISTING_INVALID',
      facts: { file, reason: reasonOf(cause) },
      help: 'Save the answer of GET /data/v4/schemas again.',
      cause,
    })
  }
}
