import { strToU8, unzipSync, zipSync } from 'fflate'
import type { InputFile, OutputFile } from './entry.ts'
import { invalidFile } from './format-errors.ts'

/** Most bytes of all files in an archive, so that a small one cannot fill the memory. */
const maxBytes = 200_000_000
const maxFiles = 10_000

/**
 * Unpacks a ZIP archive.
 *
 * @throws ServicekitError CATALOG_INVALID if it is damaged, or contains too much.
 */
export function unzip({ path, bytes }: InputFile): ReadonlyMap<string, Uint8Array> {
  let files = 0
  let size = 0
  const refuse = (problem: string, help: string): never => {
    throw invalidFile(path, problem, { help })
  }
  let unpacked: Readonly<Record<string, Uint8Array>>
  try {
    unpacked = unzipSync(bytes, {
      // The library writes at most the size that the archive announces.
      filter({ name, originalSize }) {
        files++
        size += originalSize
        if (files > maxFiles) refuse(`it contains more than ${maxFiles} files`, 'Split it.')
        if (size > maxBytes) {
          refuse(
            `it contains more than ${maxBytes / 1_000_000} MB`,
            'Split it, or unpack it first.',
          )
        }
        return !name.endsWith('/')
      },
    })
  } catch (cause) {
    if (cause instanceof Error && 'details' in cause) throw cause
    throw invalidFile(path, 'it is a damaged ZIP archive', { help: 'Export it again.', cause })
  }
  return new Map(Object.entries(unpacked))
}

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

/** Time in archives, so that the same content always gives the same archive. */
const mtime = new Date(1980, 0, 1)

/** Packs unpacked files again without compression, for a library that reads archives. */
export const store = (files: ReadonlyMap<string, Uint8Array>): Uint8Array =>
  zipSync(Object.fromEntries(files), { level: 0, mtime })

/** Packs written files into a ZIP archive. */
export const packFiles = (files: readonly OutputFile[]): Uint8Array =>
  zipSync(
    Object.fromEntries(
      files.map(({ path, content }) => [
        path,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
    { mtime },
  )
