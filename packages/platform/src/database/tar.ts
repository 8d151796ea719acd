/** One file or folder of a tar archive. */
export interface TarEntry {
  /** Path without a slash at either end. */
  readonly path: string
  readonly isFolder: boolean
  /** Where the content begins in the archive, in bytes. */
  readonly start: number
  readonly size: number
}

const blockSize = 512
const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Lists what is in an archive made by {@link writeTar}. */
export function* readTar(archive: Uint8Array): Generator<TarEntry> {
  const field = (offset: number, length: number): string => {
    const bytes = archive.subarray(offset, offset + length)
    const end = bytes.indexOf(0)
    return decoder.decode(end === -1 ? bytes : bytes.subarray(0, end))
  }
  let offset = 0
  while (offset + blockSize <= archive.length && archive[offset] !== 0) {
    const start = offset + blockSize
    const size = Number.parseInt(field(offset + 124, 12), 8)
    const path = field(offset, 100).replace(/\/$/, '')
    yield { path, isFolder: field(offset + 156, 1) === '5', start, size }
    offset = start + Math.ceil(size / blockSize) * blockSize
  }
}

/** A file with its content, or a folder without. */
export interface TarInput {
  readonly path: string
  readonly body?: Uint8Array
}

/** Makes an archive in the ustar form. The same input gives the same bytes. */
export function writeTar(inputs: readonly TarInput[]): Uint8Array {
  const blocks = inputs.flatMap(({ path, body }) => {
    const rest = (body?.length ?? 0) % blockSize
    const padding = new Uint8Array(rest === 0 ? 0 : blockSize - rest)
    return [header(path, body), ...(body ? [body, padding] : [])]
  })
  const archive = new Uint8Array(
    blocks.reduce((sum, block) => sum + block.length, 0) + 2 * blockSize,
  )
  let offset = 0
  for (const block of blocks) {
    archive.set(block, offset)
    offset += block.length
  }
  return archive
}

/** @throws RangeError for a path of more than 100 bytes, which the form cannot hold. */
function header(path: string, body: Uint8Array | undefined): Uint8Array {
  const block = new Uint8Array(blockSize)
  const put = (text: string, offset: number): void => block.set(encoder.encode(text), offset)
  const octal = (value: number, length: number): string =>
    value.toString(8).padStart(length - 1, '0')
  const name = encoder.encode(body ? path : `${path}/`)
  if (name.length > 100) throw new RangeError(`writeTar: the path ${path} is too long`)
  block.set(name, 0)
  put(octal(body ? 0o600 : 0o700, 8), 100)
  put(octal(0, 8), 108)
  put(octal(0, 8), 116)
  put(octal(body?.length ?? 0, 12), 124)
  put(octal(0, 12), 136)
  put(body ? '0' : '5', 156)
  put('ustar\u000000', 257)
  // The sum counts its own field as spaces.
  block.fill(0x20, 148, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  put(`${octal(sum, 7)}\0 `, 148)
  return block
}
