const ofInterface = 16 * 1024 * 1024

/** Thrown for a request body that exceeds the limit; mapped to a 413 response. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'

  constructor(maxBytes: number) {
    super(`The body is larger than ${maxBytes} bytes.`)
  }
}

/** Reads the body of a request as text. @throws BodyTooLarge */
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
