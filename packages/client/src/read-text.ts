import { BodyTooLargeError } from './transport.ts'

/**
 * Reads a body as text, and stops at the limit.
 *
 * @throws BodyTooLargeError as soon as there are more bytes.
 */
export async function readText({ body }: Response, maxBytes: number): Promise<string> {
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if ((maxBytes -= chunk.byteLength) < 0) throw new BodyTooLargeError()
      controller.enqueue(chunk)
    },
  })
  return new Response(body?.pipeThrough(count)).text()
}
