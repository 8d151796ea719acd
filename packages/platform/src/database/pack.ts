/** A file with its content, or a folder without. */
export interface PackInput {
  /** Path without a slash at either end; a folder stands before what is in it. */
  readonly path: string
  readonly body?: Uint8Array
}

/** A file or folder of a pack. */
interface PackEntry {
  readonly path: string
  readonly isFolder: boolean
  /** Where the content begins after the list, and its length, in bytes. */
  readonly start: number
  readonly size: number
}

const lineFeed = 10

/**
 * Puts files into one piece: a line of JSON that lists them, then their contents.
 * Simple enough to be read by the thread that starts from it, without help.
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

/** The files of a pack; their contents are views into it. */
export function readPack(pack: Uint8Array): readonly PackInput[] {
  const end = pack.indexOf(lineFeed)
  const entries = JSON.parse(new TextDecoder().decode(pack.subarray(0, end))) as PackEntry[]
  return entries.map(({ path, isFolder, start, size }) => {
    const from = end + 1 + start
    return isFolder ? { path } : { path, body: pack.subarray(from, from + size) }
  })
}
