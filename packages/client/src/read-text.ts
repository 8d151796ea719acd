import { BodyTooLargeError } from './transport.ts'

/**
 * Reads a body as text, up to a limit.
 *
 * @throws BodyTooLargeError as soon as the limit is exceeded.
 */
export async function readText({ body }: Response, maxBytes: number): Promise<string> {
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if ((maxBytes -= chunk.byteLength) < 0) controller.error()
      else controller.enqueue(chunk)
    },
  })
  const text = await new Response(body?.pipeThrough(count)).text().catch((cause: unknown) => {
    // Browsers do not pass on the reason of a stream error.
    throw maxBytes < 0 ? new BodyTooLargeError() : cause
  })
  // Not every runtime removes the byte order mark.
  return text.replace(/^\uFEFF/, '')
}
