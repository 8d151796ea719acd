import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { ConfigError } from '@servicekit/client'
import { byCodePoint } from '@servicekit/core'

/** Source file of an application. */
export interface SourceFile {
  /** Path relative to the root, with `/` separators. */
  readonly path: string
  readonly text: string
}

const extension = /\.(?:[cm]?[jt]sx?|vue|svelte)$/
const skipped = new Set(['node_modules', 'dist', 'build', 'coverage', 'out'])

/**
 * Reads the source files of an application. Skips declarations, hidden folders, package
 * folders and output folders.
 *
 * @param folders Relative to the root, or absolute.
 * @param leaveOut Absolute folders to skip, such as that of generated modules.
 * @throws ConfigError if a folder does not exist.
 */
export function readSources(
  root: string,
  folders: readonly string[],
  leaveOut: readonly string[] = [],
): readonly SourceFile[] {
  const files = new Map<string, SourceFile>()
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
  for (const folder of folders) {
    const path = resolve(root, folder)
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      throw new ConfigError(`Source folder "${relative(root, path)}" does not exist`, {
        details: { path },
        help: 'Set --sources, or check.sources in servicekit.config, to folders of the application.',
      })
    }
    walk(path)
  }
  return [...files.values()].sort((a, b) => byCodePoint(a.path, b.path))
}
