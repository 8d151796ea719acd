/** Largest body of a request of the interface, in bytes. */
const ofInterface = 16 * 1024 * 1024

/** Raised for a body that is larger than any request needs; answered with 413. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'

  constructor(maxBytes: number) {
    super(`The body is larger than ${maxBytes} bytes.`)
  }
}

/**
 * The text of a request's body.
 *
 * @throws BodyTooLarge
 */
export async function readText(request: Request, maxBytes = ofInterface): Promise<string> {
  const announced = request.headers.get('content-length')
  if (announced !== null) {
    if (Number(announced) > maxBytes) throw new BodyTooLarge(maxBytes)
    return request.text()
  }
  let size = 0
  const chunks: Uint8Array[] = []
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new BodyTooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
