import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'
import type { Backend, Save, StoredObject } from './backend.ts'
import { eq } from 'drizzle-orm'
import { type FileRef, lockFile, objectOf } from './files.ts'
import { storedFiles } from '../database/tables.ts'

/**
 * Reads the bytes of a file from its backend.
 *
 * @returns undefined if there are none.
 */
export async function openBytes(
  { storage }: Services,
  project: Pick<Project, 'key'>,
  row: FileRef,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const object = objectOf(project, row)
  const backend = await storage.backend(row.configurationName)
  if (backend?.local) {
    const file = await backend.local.open(object)
    return file && (Readable.toWeb(file.read()) as ReadableStream<Uint8Array>)
  }
  if (!backend || !(await backend.stat(object))) return undefined
  const { url } = await backend.signDownload(object, '')
  const response = await fetch(url)
  if (!response.ok) throw responseError(response, row)
  return response.body as ReadableStream<Uint8Array>
}

/** Writes the bytes of a file to its configured storage. Its record is not changed. */
export async function putBytes(
  { storage, options }: Services,
  project: Pick<Project, 'key'>,
  row: FileRef,
  body: ReadableStream<Uint8Array> | null,
): Promise<void> {
  const backend = await storage.backend(row.configurationName)
  if (!backend) throw new Error(`There is no storage "${row.configurationName}".`)
  const { maxUploadBytes: maxBytes } = options
  const { contentType } = row
  await writeBytes(backend, objectOf(project, row), body, { maxBytes, contentType })
}

/** The record of a file was removed while its bytes arrived. */
export class RemovedFile extends Error {}

/**
 * Replaces the bytes of a file, and records their size under the lock of its record.
 *
 * @returns false if the record was removed in the meantime.
 */
export async function replaceBytes(
  { storage, options, database }: Services,
  project: Pick<Project, 'id' | 'key'>,
  row: FileRef,
  body: ReadableStream<Uint8Array> | null,
): Promise<boolean> {
  const backend = await storage.backend(row.configurationName)
  if (!backend) throw new Error(`There is no storage "${row.configurationName}".`)
  const { maxUploadBytes: maxBytes } = options
  const object = objectOf(project, row)
  const save: Save = (place, written) =>
    database.scoped(
      project.id,
      async (tables) => {
        if (!(await lockFile(tables, row.itemId))) throw new RemovedFile()
        await place()
        // Another upload to object storage may have ended since.
        const stored = backend.local ? undefined : await backend.stat(object)
        const { sizeInBytes } = stored ?? written
        const isFile = eq(storedFiles.itemId, row.itemId)
        await tables.update(storedFiles).set({ sizeInBytes }).where(isFile)
      },
      { hasEffects: true },
    )
  const { contentType } = row
  return writeBytes(backend, object, body, { maxBytes, contentType, save }).then(
    () => true,
    async (error: Error) => {
      if (!(error instanceof RemovedFile)) throw error
      if (!backend.local) await backend.remove(object)
      return false
    },
  )
}

/** Writes bytes to a backend, whatever its kind. @throws Error if it does not accept them. */
export async function writeBytes(
  backend: Backend,
  object: StoredObject,
  body: ReadableStream<Uint8Array> | null,
  {
    maxBytes,
    contentType,
    save = (place) => place(),
  }: { readonly maxBytes: number; readonly contentType?: string | null; readonly save?: Save },
): Promise<void> {
  if (backend.local) {
    const written = await backend.local.write(object, body, { maxBytes, save })
    if ('error' in written) throw new Error(`Cannot store ${object.name}: ${written.error}.`)
    return
  }
  // The length must be known: S3 rejects a chunked body.
  const bytes = await new Response(body as ConstructorParameters<typeof Response>[0]).arrayBuffer()
  await sendBytes(backend, object, bytes, contentType)
  // Nothing is left to do under a lock, which a slow storage would hold.
  await save(async () => {}, { sizeInBytes: bytes.byteLength })
}

async function sendBytes(
  backend: Backend,
  object: StoredObject,
  body: ArrayBuffer,
  contentType: string | null | undefined,
): Promise<void> {
  const { url, requiredHeaders } = await backend.signUpload(object, '')
  const response = await fetch(url, {
    method: 'PUT',
    headers: { ...requiredHeaders, ...(contentType ? { 'content-type': contentType } : {}) },
    body,
  })
  if (!response.ok) throw responseError(response, object)
}

const responseError = ({ status }: Response, { name }: Pick<FileRef, 'name'>): Error =>
  new Error(`The storage responded with ${status} for ${name}.`)

/**
 * Finds the files of a project and returns a function that removes their bytes. By the time
 * it is called, their records are gone.
 */
export async function bytesRemoval(
  { storage, database, options }: Services,
  project: Project,
): Promise<() => Promise<void>> {
  const hasRemote = storage.configurations.some(({ strategy }) => strategy !== 'Local')
  const rows = hasRemote
    ? await database.scoped(project.id, (tables) => tables.select().from(storedFiles))
    : []
  return async () => {
    for (const { name } of storage.configurations) {
      await (await storage.backend(name))?.local?.removeProject(project.key)
    }
    const removals = rows.map(async (row) => {
      const backend = await storage.backend(row.configurationName)
      if (!backend?.local) await backend?.remove(objectOf(project, row))
    })
    const results = await Promise.allSettled(removals)
    const errors = results.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as Error] : [],
    )
    const [cause] = errors
    if (!cause) return
    const text = `Cannot remove ${errors.length} files of the project ${project.key}: `
    options.onError(new Error(text + cause.message, { cause }))
  }
}
