import { collectGarbage, startStallingServer } from '@servicekit/testing/stalling-server'
import { beforeEach, describe, expect, test } from 'vitest'
import { fetchBlobs } from '../src/blobs-fetch.ts'
import { nodeBlobs } from '../src/blobs-node.ts'
import { createControl } from '../src/control.ts'
import { getSigned } from '../src/signed-download.ts'
import { putSigned } from '../src/signed-upload.ts'
import { bytesOf } from '../src/upload-source.ts'
import { coreFor, routes, transports } from './serve.ts'

beforeEach(collectGarbage)

/** Returns the signal of a controller that aborts after ten collections of garbage. */
function abortSoon(controller = new AbortController()): AbortSignal {
  setTimeout(() => controller.abort(new Error('stopped')), 500)
  return controller.signal
}

describe('when a body stalls, despite garbage collection,', () => {
  test.each(transports)('a request over %s ends at its time limit', async (_, transport) => {
    const core = coreFor({ url: await startStallingServer() }, transport, { timeoutMs: 500 })
    const sent = core.send(routes.read, { intent: 'read' })
    await expect(sent).rejects.toMatchObject({ code: 'REQUEST_TIMED_OUT' })
  })

  test.each(transports)('a request over %s ends with its signal', async (_, transport) => {
    const core = coreFor({ url: await startStallingServer() }, transport)
    const sent = core.send(routes.read, { intent: 'read', signal: abortSoon() })
    await expect(sent).rejects.toMatchObject({ code: 'REQUEST_ABORTED' })
  })

  const blobTransports = [
    ['node:http', nodeBlobs()],
    ['fetch', fetchBlobs()],
    ['a Request', fetchBlobs((url, init) => fetch(new Request(url, init)))],
  ] as const

  test.each(blobTransports)('an upload over %s ends with its signal', async (_, blobs) => {
    const url = await startStallingServer()
    const state = { fileId: 'f', url, headers: {}, parts: undefined, partBytes: 10, sentParts: 0 }
    const sent = putSigned({
      state,
      bytes: bytesOf(new Uint8Array(3), undefined),
      type: 'text/plain',
      blobs,
      signal: abortSoon(),
      onProgress: undefined,
      onState: () => undefined,
    })
    await expect(sent).rejects.toMatchObject({ code: 'REQUEST_ABORTED' })
  })

  test.each(blobTransports)('a download over %s ends with its signal', async (_, blobs) => {
    const url = await startStallingServer()
    const controller = new AbortController()
    const { signal } = controller
    const { body } = await getSigned({ url, start: 0, blobs, signal, timeoutMs: 20_000 })
    // The head has arrived.
    abortSoon(controller)
    await expect(new Response(body).text()).rejects.toMatchObject({ code: 'REQUEST_ABORTED' })
  })

  test.each([200, 403])('a control call with status %i ends with its signal', async (status) => {
    const control = createControl({ baseUrl: await startStallingServer(status) })
    const sent = control.send('GET /projects', { signal: abortSoon() })
    await expect(sent).rejects.toMatchObject({ code: 'REQUEST_ABORTED' })
  })
})
