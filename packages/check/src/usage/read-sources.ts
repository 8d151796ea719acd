import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import { isDataFile, isProgramFolder, sourceTypeOf } from '@servicekit/catalog'
import { ConfigError } from '@servicekit/client'
import { byCodePoint, detectUtf16 } from '@servicekit/core'
import { encodingProblem, statIfExists } from '@servicekit/core/node'
import { type ImportRoutes, readImportRoutes, routeFiles } from './import-routes.ts'

/** Returns whether a file without an extension begins like a program of Node: `bin/shop`. */
function isScript(path: string): boolean {
  if (basename(path).includes('.') || isLarge(path)) return false
  const [first = ''] = readFileSync(path, 'latin1').split('\n', 1)
  return /^#!.*\b(?:node|bun|deno|tsx|ts-node)\b/.test(first)
}

/** Source file of an application. */
export interface SourceFile {
  /** Path relative to the root, with `/` separators. */
  readonly path: string
  readonly text: string
  /** Set if the file is not UTF-8, so that its text is not exact. */
  readonly encodingProblem?: string
}

/** Source files of an application, and where its imports lead. */
export interface Sources {
  /** Files of the types that can use messages. */
  readonly files: readonly SourceFile[]
  /** Text files of unknown types, such as `.marko`. */
  readonly others: readonly SourceFile[]
  readonly routes: ImportRoutes
}

export interface ReadSourcesOptions {
  readonly root: string
  /** Folders to skip: of generated declarations, and of the snapshot. */
  readonly outDir: string
  readonly snapshotDir: string
  /** Folder of translation files, which are no code. */
  readonly from?: { readonly folder: string } | undefined
}

/** Output folders of build tools. Below a source folder, these names are ordinary. */
const outputs = new Set(['dist', 'build', 'coverage', 'out'])
/** Hidden folders with code that belongs to the application. */
const hiddenSources = new Set(['.storybook', '.vitepress', '.vuepress', '.ladle', '.histoire'])
/** Larger files of unknown types are data. */
const largestOther = 512 * 1024

const isLarge = (path: string): boolean => (statIfExists(path)?.size ?? 0) > largestOther

/**
 * Reads the source files of an application, and its import routes. Skips declarations, hidden
 * folders, package folders, output folders and compiled messages.
 *
 * @param folders Source folders relative to the root, or absolute; the whole root by default.
 * @param aliases Import prefixes and their folders, e.g. `{ '@/': 'src/' }`.
 * @throws ConfigError if a folder does not exist.
 */
export function readSources(
  { root, outDir, snapshotDir, from }: ReadSourcesOptions,
  folders: readonly string[] = ['.'],
  aliases: Readonly<Record<string, string>> = {},
): Sources {
  const files = new Map<string, SourceFile>()
  const others = new Map<string, SourceFile>()
  const seen = new Set<string>()
  const configFolders = new Set<string>([resolve(root)])
  const add = (path: string): void => {
    const name = relative(root, path).split(sep).join('/')
    if (from && path.startsWith(from.folder + sep) && /\.(?:json|ya?ml)$/.test(name)) return
    const isSource =
      (sourceTypeOf(name) !== undefined && !/\.d\.[cm]?ts$/.test(name)) || isScript(path)
    if (!isSource && (isDataFile(name) || isLarge(path))) return
    const bytes = readFileSync(path)
    const problem = encodingProblem(bytes)
    if (isSource && problem !== undefined) {
      // TypeScript reads UTF-16. The names that another file uses can be read as Latin-1.
      const text = new TextDecoder(detectUtf16(bytes) ?? 'latin1').decode(bytes)
      files.set(name, { path: name, text, encodingProblem: problem })
    } else if (isSource) files.set(name, { path: name, text: bytes.toString('utf8') })
    else if (problem === undefined && !bytes.includes(0)) {
      others.set(name, { path: name, text: bytes.toString('utf8') })
    }
  }
  const walk = (folder: string): void => {
    // A link may lead to a folder that is read already, or to one around it.
    const real = realpathSync(folder)
    if (seen.has(real)) return
    seen.add(real)
    const entries = readdirSync(folder, { withFileTypes: true })
    const names = new Set(entries.map(({ name }) => name))
    const isPackage = names.has('package.json')
    if (names.has('import-map.json') && isProgramFolder(folder)) return
    if (routeFiles.some((name) => names.has(name))) configFolders.add(folder)
    for (const { name } of entries) {
      const path = join(folder, name)
      // Follows links, as bundlers do.
      const stats = statIfExists(path)
      if (stats?.isFile()) add(path)
      else if (stats?.isDirectory()) {
        const isSkipped =
          name === 'node_modules' ||
          (isPackage && outputs.has(name)) ||
          (name.startsWith('.') && !hiddenSources.has(name)) ||
          path === outDir ||
          path === snapshotDir
        if (!isSkipped) walk(path)
      }
    }
  }
  for (const folder of folders) {
    const path = resolve(root, folder)
    if (!statIfExists(path)?.isDirectory()) {
      throw new ConfigError(`Source folder "${relative(root, path)}" does not exist`, {
        details: { path },
        help: 'Set --sources, or check.sources in servicekit.config, to folders of the application.',
      })
    }
    // Settings of the packages that the folder is in.
    for (let at = path; at.length > resolve(root).length; at = join(at, '..')) configFolders.add(at)
    walk(path)
  }
  const sorted = (all: ReadonlyMap<string, SourceFile>): readonly SourceFile[] =>
    [...all.values()].sort((a, b) => byCodePoint(a.path, b.path))
  const sources = sorted(files)
  return {
    files: sources,
    others: sorted(others),
    routes: readImportRoutes(root, [...configFolders], { aliases, sources }),
  }
}
