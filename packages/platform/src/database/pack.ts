/** File with its content, or a folder. */
export interface PackInput {
  /** Path without a leading or trailing slash. A folder precedes its content. */
  readonly path: string
  readonly body?: Uint8Array
}

/** File or folder in the index of a pack. */
interface PackEntry {
  readonly path: string
  readonly isFolder: boolean
  /** Offset of the content after the index, and its length, in bytes. */
  readonly start: number
  readonly size: number
}

const lineFeed = 10

/**
 * Packs files: an index as one line of JSON, followed by their contents. The format is
 * simple enough for the worker thread to read without dependencies.
 */
export function writePack(inputs: readonly PackInput[]): Uint8Array {
  let start = 0
  const entries = inputs.map(({ path, body }): PackEntry => {
    const entry = { path, isFolder: body === undefined, start, size: body?.length ?? 0 }
    start += entry.size
    return entry
  })
  const list = new TextEncoder().encode(`${JSON.stringify(entries)}\n`)
  const pack = new Uint8Array(list.length + start)
  pack.set(list)
  for (const [index, { body }] of inputs.entries()) {
    if (body) pack.set(body, list.length + entries[index]!.start)
  }
  return pack
}

/** Unpacks files; their contents are views into the pack. */
export function readPack(pack: Uint8Array): readonly PackInput[] {
  const end = pack.indexOf(lineFeed)
  const entries = JSON.parse(new TextDecoder().decode(pack.subarray(0, end))) as PackEntry[]
  return entries.map(({ path, isFolder, start, size }) => {
    const from = end + 1 + start
    return isFolder ? { path } : { path, body: pack.subarray(from, from + size) }
  })
}
