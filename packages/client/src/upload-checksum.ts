import type { BlobBody, BlobTransport } from './blobs.ts'
import { type Md5, startMd5 } from './md5.ts'

/*
 * Loaded when `checksum` is set. Imports no module of the main chunk, so that bundlers do not
 * create a third chunk of shared modules.
 */

/**
 * Wraps a transport to send the MD5 of uploaded bytes (`Content-MD5`), so that the storage
 * rejects damaged bytes, and to compare it with the MD5 that the storage reports. A body
 * that can be read only once is hashed while it is sent.
 *
 * `put` throws an Error named `ChecksumError` for damaged bytes.
 */
export function withChecksums(blobs: BlobTransport): BlobTransport {
  return {
    ...blobs,
    put: async (request) => {
      const { body, headers, method, again } = request
      // POST requests go to the instance and are not part of the file.
      if (method === 'POST' || 'content-md5' in headers) return blobs.put(request)
      const md5 = (blobs.startMd5 ?? startMd5)()
      const isReadAgain = again || body instanceof Blob || body instanceof Uint8Array
      if (isReadAgain) for await (const chunk of chunksOf(again?.() ?? body)) md5.update(chunk)
      const sum = isReadAgain ? md5.digest() : undefined
      const response = await blobs.put({
        ...request,
        body: isReadAgain ? body : hashed(body, md5),
        headers: { ...headers, ...(sum && { 'content-md5': sum }) },
      })
      const { status, text, headers: received } = response
      const isRefused = status === 400 && /md5|digest/i.test(text)
      const storedSum = status < 300 ? received['content-md5'] : undefined
      if (isRefused || (storedSum && storedSum !== (sum ?? md5.digest()))) {
        throw Object.assign(new Error('the bytes were damaged in transit'), {
          name: 'ChecksumError',
        })
      }
      return response
    },
  }
}

async function* hashed(body: BlobBody, md5: Md5) {
  for await (const chunk of chunksOf(body)) {
    md5.update(chunk)
    yield chunk
  }
}

async function* chunksOf(body: BlobBody): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body
  else if (!(body instanceof Blob)) yield* body
  else {
    // Not every browser can iterate over a stream.
    const reader = body.stream().getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  }
}
