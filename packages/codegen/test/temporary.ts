import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that is gone when the test ends, or whatever `atEnd` waits for. */
export function temporaryFolder(
  atEnd: (remove: () => void) => void = onTestFinished,
  within: string = tmpdir(),
): string {
  const folder = mkdtempSync(join(within, 'servicekit-codegen-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
