import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** A file of an application. */
export interface SourceText {
  /** Relative to the root, with `/`. */
  readonly path: string
  readonly text: string
}

const extension = /\.(?:[cm]?[jt]sx?|vue|svelte)$/
const skipped = new Set(['node_modules', 'dist', 'build', 'coverage', 'out'])

/**
 * Reads the files of an application that can ask for texts. Folders of packages, of
 * output and hidden ones are passed over, declarations too.
 *
 * @param folders Below the root, or absolute.
 * @param leaveOut Absolute folders, such as that of generated modules.
 */
export function readSources(
  root: string,
  folders: readonly string[],
  leaveOut: readonly string[] = [],
): readonly SourceText[] {
  const files = new Map<string, SourceText>()
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (skipped.has(entry.name) || entry.name.startsWith('.') || leaveOut.includes(path))
          continue
        walk(path)
      } else if (extension.test(entry.name) && !/\.d\.[cm]?ts$/.test(entry.name)) {
        const name = relative(root, path).split(sep).join('/')
        files.set(name, { path: name, text: readFileSync(path, 'utf8') })
      }
    }
  }
  for (const folder of folders) walk(join(root, folder))
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}
