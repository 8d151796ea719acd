import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import type { FileRow } from './files.ts'
import { objectOf } from './operations.ts'

/**
 * Placeholder origin: only the local backend needs the platform's address, and it is not
 * used here.
 */
const nowhere = { origin: '' }

/**
 * Reads the bytes of a file from its backend.
 *
 * @returns undefined if there are none.
 */
export async function openBytes(
  { storage }: Services,
  project: Project,
  row: FileRow,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const object = objectOf(project, row)
  const local = await storage.local(row.configurationName)
  if (local) {
    const found = await local.stat(object)
    return found && (Readable.toWeb(local.read(object)) as ReadableStream<Uint8Array>)
  }
  const backend = await storage.backend(row.configurationName)
  if (!backend || !(await backend.stat(object))) return undefined
  const { url } = await backend.signDownload(object, nowhere)
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The storage answered ${response.status} for ${row.name}.`)
  return response.body as ReadableStream<Uint8Array>
}

/** Writes the bytes of a file to its configured storage. Its record is not changed. */
export async function putBytes(
  { storage, options }: Services,
  project: Project,
  row: FileRow,
  body: ReadableStream<Uint8Array> | null,
): Promise<void> {
  const object = objectOf(project, row)
  const local = await storage.local(row.configurationName)
  if (local) {
    const written = await local.write(object, body, options.maxUploadBytes, undefined)
    if ('fault' in written) throw new Error(`${row.name}: the bytes were ${written.fault}.`)
    return
  }
  const backend = await storage.backend(row.configurationName)
  if (!backend) throw new Error(`There is no storage ${row.configurationName}.`)
  const { url, requiredHeaders } = await backend.signUpload(object, nowhere)
  const response = await fetch(url, {
    method: 'PUT',
    headers: {
      ...requiredHeaders,
      ...(row.contentType ? { 'content-type': row.contentType } : {}),
    },
    // The length must be known: S3 rejects a chunked body.
    body: await wholeOf(body),
  })
  if (!response.ok) throw new Error(`The storage answered ${response.status} for ${row.name}.`)
}

async function wholeOf(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}
