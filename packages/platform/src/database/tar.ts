/** One file or folder of a tar archive. */
export interface TarEntry {
  readonly path: string
  readonly isFolder: boolean
  readonly body: Uint8Array
}

const blockSize = 512

/**
 * Reads an archive in the ustar form that PGlite writes: names of up to 255
 * bytes, files and folders only.
 */
export function* readTar(archive: Uint8Array): Generator<TarEntry> {
  const decoder = new TextDecoder()
  const field = (offset: number, length: number): string => {
    const bytes = archive.subarray(offset, offset + length)
    const end = bytes.indexOf(0)
    return decoder.decode(end === -1 ? bytes : bytes.subarray(0, end))
  }
  let offset = 0
  while (offset + blockSize <= archive.length && archive[offset] !== 0) {
    const prefix = field(offset + 345, 155)
    const name = field(offset, 100)
    const size = Number.parseInt(field(offset + 124, 12).trim() || '0', 8)
    const type = field(offset + 156, 1)
    const start = offset + blockSize
    yield {
      path: (prefix ? `${prefix}/${name}` : name).replace(/^\/+|\/+$/g, ''),
      isFolder: type === '5',
      body: archive.subarray(start, start + size),
    }
    offset = start + Math.ceil(size / blockSize) * blockSize
  }
}
