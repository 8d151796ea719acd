import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** @type {Set<string>} */
const folders = new Set()

/** A new folder that is gone when the process ends. */
export function temporaryFolder() {
  if (folders.size === 0) process.once('exit', removeAll)
  const folder = mkdtempSync(join(tmpdir(), 'servicekit-bench-'))
  folders.add(folder)
  return folder
}

function removeAll() {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
