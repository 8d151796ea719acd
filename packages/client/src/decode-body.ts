import { type Duplex, pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}
/** Each decoder allocates memory before it reads a byte. */
const maxEncodings = 5

/**
 * Returns the decoded body, or undefined for an unknown encoding. The pipeline fails as a
 * whole: a failing decoder also destroys the body.
 *
 * @param encodings Value of the `content-encoding` header.
 */
export function decodeBody(body: Readable, encodings: string): Readable | undefined {
  const names = encodings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > maxEncodings || !names.every((name) => Object.hasOwn(decoders, name))) {
    return undefined
  }
  // Errors surface to the reader of the last stream.
  return names
    .reverse()
    .reduce((source, name) => pipeline(source, decoders[name]!(), () => undefined), body)
}
