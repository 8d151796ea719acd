/** Entry of the fuzzer; it is also bundled as a production build for browsers. */
import { createSession } from '../../src/auth.ts'
import { withXhrUploads } from '../../src/blobs-xhr.ts'
import { fetchBlobs } from '../../src/blobs-fetch.ts'
import type { BlobTransport } from '../../src/blobs.ts'
import { createCore, type Core, ServicekitError } from '../../src/index.ts'
import { getMe } from '../../src/iam.ts'
import { execute } from '../../src/data.ts'
import { download, upload } from '../../src/storage.ts'
import { tokenSource, withToken } from '../../src/token.ts'
import { orThrowCause } from '../or-throw-cause.ts'
import { operationCases } from '../operation-cases.ts'

/** A call with its documented response and result. */
export interface FuzzCall {
  readonly call: (
    core: Core,
    signal: AbortSignal,
    blobs: BlobTransport,
    timeoutMs: number,
  ) => Promise<unknown>
  readonly answer: unknown
  readonly result: unknown
}

const machine = (core: Core): Core =>
  withToken(core, tokenSource(core, { clientId: 'm', clientSecret: 'canary-secret' }))
const session = (core: Core): Core => createSession(core, { clientId: 'web' }).core
const address = 'http://storage.test/blob?sig=canary-signature'
const state = {
  fileId: 'f1',
  url: address,
  headers: {},
  parts: 'urls',
  partBytes: 2,
  sentParts: 0,
  multipartUrl: 'http://storage.test/multipart?sig=canary-signature',
} as const

/** Calls that transfer bytes. */
export const transfers: Readonly<Record<string, FuzzCall>> = {
  download: {
    call: async (core, signal, blobs, timeoutMs) => {
      const { body } = await download(core, { fileId: 'f1' }, { signal, blobs, timeoutMs })
      return new Response(body).text()
    },
    answer: address,
    result: '',
  },
  upload: {
    call: (core, signal, blobs) => upload(core, new Uint8Array(3), { name: 'a', signal, blobs }),
    answer: { uploadUrl: address, fileId: 'f1', requiredHeaders: { 'x-a': 'b' } },
    result: { sizeBytes: 3 },
  },
  'upload in parts': {
    call: (core, signal, blobs) =>
      upload(core, new Uint8Array(3), { name: 'a', signal, blobs, resume: state }),
    answer: { uploadId: 'm1', parts: [{ url: address }, { url: address }] },
    result: { sizeBytes: 3 },
  },
}

/** All operations, and the calls that send more than one request. */
export const calls: Readonly<Record<string, FuzzCall>> = {
  ...operationCases,
  'getMe of a session': { ...operationCases['iam.getMe'], call: (core) => getMe(session(core)) },
  'getMe of a machine': { ...operationCases['iam.getMe'], call: (core) => getMe(machine(core)) },
  'execute of a session': {
    ...operationCases['data.execute'],
    call: (core) => orThrowCause(execute(session(core), { query: '{ a }' })),
  },
  ...transfers,
}

export { withXhrUploads, createCore, fetchBlobs, ServicekitError }
