import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Creates a folder that is removed when the test ends, or when `atEnd` calls its
 * argument.
 */
export function temporaryFolder(
  atEnd: (remove: () => void) => void = onTestFinished,
  within: string = tmpdir(),
): string {
  const folder = mkdtempSync(join(within, 'servicekit-codegen-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
