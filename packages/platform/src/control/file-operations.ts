import { files as operations } from '@servicekit/contract/control'
import { eq } from 'drizzle-orm'
import type { ReadableStream } from 'node:stream/web'
import { NotFound } from '../domain-errors.ts'
import { storedFiles } from '../database/tables.ts'
import type { Scopes } from '../database/database.ts'
import { openBytes, replaceBytes } from '../storage/bytes.ts'
import { findFile, lockFile, objectOf } from '../storage/files.ts'
import { implementControl } from './control-operation.ts'

async function rowOf({
  path,
  snapshot,
}: Pick<Scopes, 'snapshot'> & { readonly path: { readonly id: string } }) {
  const row = await snapshot((tables) => findFile(tables, path.id))
  if (!row) throw new NotFound('There is no such file.')
  return row
}

/**
 * Operations for what the interface lacks: removing files, and reading and writing their bytes
 * for exports and imports.
 */
export const fileOperations = [
  implementControl(operations.read, async (call) => {
    const bytes = await openBytes(call.services, call.project, await rowOf(call))
    if (!bytes) throw new NotFound('The file has no bytes.')
    const headers = { 'content-type': 'application/octet-stream' }
    return new Response(bytes as ConstructorParameters<typeof Response>[0], { headers })
  }),
  implementControl(operations.write, async (call) => {
    const body = call.c.req.raw.body as ReadableStream<Uint8Array> | null
    const row = await rowOf(call)
    const isStored = await replaceBytes(call.services, call.project, row, body)
    if (!isStored) throw new NotFound('The file was removed during its upload.')
  }),
  implementControl(operations.remove, async (call) => {
    const { services, project, transaction } = call
    const row = await rowOf(call)
    const backend = await services.storage.backend(row.configurationName)
    await transaction(async (tables) => {
      // An upload that ends now must find either both or none.
      await lockFile(tables, row.itemId)
      // Bytes first: a record without bytes can be removed again, bytes without a record cannot.
      await backend?.remove(objectOf(project, row))
      await tables.delete(storedFiles).where(eq(storedFiles.itemId, row.itemId))
    })
  }),
]
