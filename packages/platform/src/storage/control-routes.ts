import { eq } from 'drizzle-orm'
import type { ReadableStream } from 'node:stream/web'
import { type Control, httpError, onProject, type ReadCall } from '../control/control-call.ts'
import { openBytes, putBytes } from './bytes.ts'
import { findFile, objectOf } from './files.ts'
import { storedFiles } from '../database/tables.ts'

/**
 * Control routes for what the interface lacks: removing files, and reading and writing
 * their bytes for exports and imports.
 */
export function storageRoutes(control: Control): void {
  const rowOf = async ({ param, snapshot }: ReadCall) => {
    const row = await snapshot((tables) => findFile(tables, param('id')))
    if (!row) throw httpError(404, 'There is no such file.')
    return row
  }
  onProject(control, 'GET /files/:id', async (call) => {
    const bytes = await openBytes(call.services, call.project, await rowOf(call))
    if (!bytes) throw httpError(404, 'The file has no bytes.')
    const headers = { 'content-type': 'application/octet-stream' }
    return new Response(bytes as ConstructorParameters<typeof Response>[0], { headers })
  })
  onProject(control, 'PUT /files/:id', async (call) => {
    const body = call.c.req.raw.body as ReadableStream<Uint8Array> | null
    await putBytes(call.services, call.project, await rowOf(call), body)
  })
  onProject(control, 'DELETE /files/:id', async (call) => {
    const { services, project, transaction } = call
    const row = await rowOf(call)
    const backend = await services.storage.backend(row.configurationName)
    // Bytes first: a record without bytes can be removed again, bytes without a record cannot.
    await backend?.remove(objectOf(project, row))
    await transaction((tables) =>
      tables.delete(storedFiles).where(eq(storedFiles.itemId, row.itemId)),
    )
  })
}
