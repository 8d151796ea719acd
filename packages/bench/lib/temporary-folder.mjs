import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** @type {Set<string>} */
const folders = new Set()

/** Creates a folder that is removed when the process ends. */
export function temporaryFolder() {
  if (folders.size === 0) process.once('exit', removeFolders)
  const folder = mkdtempSync(join(tmpdir(), 'servicekit-bench-'))
  folders.add(folder)
  return folder
}

/** Removes all temporary folders immediately: test workers end without running exit handlers. */
export function removeFolders() {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  folders.clear()
}
