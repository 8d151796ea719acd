import { type Duplex, pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}
/** Each decoder takes memory before it has read a byte. */
const maxEncodings = 5

/**
 * Returns the body without its encodings, undefined for one that is unknown. A
 * pipeline ends as a whole: a decoder that fails destroys the body too.
 *
 * @param encodings Value of the header `content-encoding`.
 */
export function decoded(body: Readable, encodings: string): Readable | undefined {
  const names = encodings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > maxEncodings || !names.every((name) => Object.hasOwn(decoders, name))) {
    return undefined
  }
  // An error of the pipeline is reported to whoever reads its end.
  return names
    .reverse()
    .reduce((source, name) => pipeline(source, decoders[name]!(), () => undefined), body)
}
