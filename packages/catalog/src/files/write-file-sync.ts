import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { temporaryNameOf } from '@servicekit/core/node'

/**
 * Replaces a file atomically like `writeFileAtomic`, but does not sync to disk. Use it
 * for files that can be generated again.
 */
export function writeFileAtomicSync(file: string, content: string | Uint8Array): void {
  const temporary = temporaryNameOf(file)
  try {
    writeFileSync(temporary, content, { flag: 'wx' })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
