import type { BlobBody, BlobTransport } from './blobs.ts'
import { type Md5, startMd5 } from './md5.ts'

/*
 * Loaded when checksums are asked for. It imports nothing that the rest has, so that
 * no bundler makes a third file of what both have in common.
 */

/**
 * A transport that sends the MD5 of what it puts along (`Content-MD5`), so that the
 * storage refuses what arrived damaged, and that compares what the storage says to
 * have received. What can be read once only is summed up on its way.
 *
 * The `put` of it throws an Error named `ChecksumError` for bytes that arrived damaged.
 */
export function withChecksums(blobs: BlobTransport): BlobTransport {
  return {
    ...blobs,
    put: async (request) => {
      const { body, headers, method, again } = request
      // What is posted goes to the instance, and is none of the file.
      if (method === 'POST' || 'content-md5' in headers) return blobs.put(request)
      const md5 = (blobs.startMd5 ?? startMd5)()
      const isReadAgain = again || body instanceof Blob || body instanceof Uint8Array
      if (isReadAgain) for await (const chunk of chunksOf(again?.() ?? body)) md5.update(chunk)
      const sum = isReadAgain ? md5.digest() : undefined
      const answer = await blobs.put({
        ...request,
        body: isReadAgain ? body : summedUp(body, md5),
        headers: { ...headers, ...(sum && { 'content-md5': sum }) },
      })
      const { status, text, headers: said } = answer
      const isRefused = status === 400 && /md5|digest/i.test(text)
      const arrived = status < 300 ? said['content-md5'] : undefined
      if (isRefused || (arrived && arrived !== (sum ?? md5.digest()))) {
        throw Object.assign(new Error('the bytes arrived damaged'), { name: 'ChecksumError' })
      }
      return answer
    },
  }
}

async function* summedUp(body: BlobBody, md5: Md5) {
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
