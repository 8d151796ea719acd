import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyLanguage } from '@servicekit/contract/limits'
import { ConfigError, ServicekitError } from '@servicekit/client'
import { byCodePoint, PlacedSyntaxError, positionAt } from '@servicekit/core'
import { decodeUtf8, statIfExists } from '@servicekit/core/node'
import type { Catalog, CatalogModule, TranslationFile } from '../model/catalog.ts'
import { readError } from '../files/inside.ts'
import type { MessageSyntax } from '../syntax/message.ts'
import { normaliseFile, type Translations } from '../model/normalise.ts'
import type { Problem } from '../model/problem.ts'
import { selectListing } from './select-listing.ts'
import type { SourceListing } from './source.ts'
import { resolveReferences } from './expand-references.ts'
import type { FilePattern } from '../config/file-pattern.ts'
import type { ResolvedFolder } from '../config/folder-options.ts'
import { listFiles } from './list-files.ts'
import {
  entriesOf,
  type FileEntries,
  parseTranslationFile,
  sectionsOf,
  translationFile,
} from './translation-file.ts'

/** Options of a reader of a folder. */
export interface FolderReaderOptions {
  readonly from: ResolvedFolder
  readonly languages: readonly string[] | undefined
  readonly modules: readonly string[] | undefined
  readonly defaultLanguage: string | undefined
  readonly syntax: MessageSyntax
  /** Maximum file size in bytes. */
  readonly maxBytes: number
}

/** Translations of a folder. */
interface FolderContent {
  readonly catalog: Catalog
  readonly problems: readonly Problem[]
  /** Number of files, and their size. */
  readonly files: number
  readonly bytes: number
  /** Differs if the content of any file does. */
  readonly hash: string
}

/** Called for a file that cannot be used. Its last content that could be is used. */
export type OnInvalidFile = (error: ServicekitError) => void

/** Reads a folder, each file again only if it changed. */
export interface FolderReader {
  /**
   * Reads the folder.
   *
   * @throws ConfigError if the folder does not exist, contains no language, has a name that is no
   * language, or two files of the same module.
   * @throws ServicekitError CATALOG_INVALID for a file that is not valid, with its line and column,
   * unless `onInvalid` is given.
   */
  readonly read: (onInvalid?: OnInvalidFile) => FolderContent
}

/** File of a folder, by its path. */
export interface FolderFile {
  /** Path relative to the folder. */
  readonly path: string
  readonly pattern: FilePattern
  /** Name of the language in the path. */
  readonly name: string
  /** Code of the language. */
  readonly language: string
  readonly module: string | undefined
}

const languageCode = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*$/

/** Returns whether a name in a path is taken for a language code. */
export const isFolderLanguage = (name: string): boolean => languageCode.test(name)

/** Files of a folder. */
export interface FoundFiles {
  readonly files: readonly FolderFile[]
  /** Paths that match no pattern. */
  readonly others: readonly string[]
}

/**
 * Returns the translation files of a folder.
 *
 * @throws ConfigError
 */
export function findTranslationFiles({ folder, patterns, languages }: ResolvedFolder): FoundFiles {
  const paths = listFiles(folder)
  const files: FolderFile[] = []
  const others: string[] = []
  let unknown: { readonly name: string; readonly path: string } | undefined
  for (const path of paths) {
    const pattern = patterns.find((one) => one.match(path))
    if (!pattern) {
      others.push(path)
      continue
    }
    const { language: name, module } = pattern.match(path)!
    const language = languages.get(name) ?? name
    if (language === false || language === keyLanguage) continue
    if (!languages.has(name) && !languageCode.test(name)) unknown ??= { name, path }
    else files.push({ path, pattern, name, language, module })
  }
  if (files.length > 0) {
    if (unknown) throw noLanguage(unknown.name, unknown.path)
    return { files, others }
  }
  const expected = patterns.map(({ text }) => text).join(' or ')
  throw new ConfigError(`${folder} contains no languages`, {
    help: `Expected files named ${expected.replaceAll(/[{}]/g, (one) => (one === '{' ? '<' : '>'))}${
      paths.length === 0 ? '' : `, and found ${paths.slice(0, 3).join(', ')}`
    }. \`servicekit init --from\` detects other names.`,
  })
}

const noLanguage = (name: string, path: string): ConfigError =>
  new ConfigError(`"${name}" is not a language code`, {
    details: { file: path },
    help: `Set the option from: { languages: { ${JSON.stringify(name)}: 'de' } } to its code, or to false to ignore it.`,
  })

interface ReadFile {
  readonly stamp: string
  readonly hash: string
  readonly bytes: number
  readonly root: string | undefined
  readonly sections: ReadonlyMap<string | undefined, ReadSection>
}

interface ReadSection {
  readonly translations: Translations
  readonly problems: readonly Problem[]
  readonly file: TranslationFile
}

export function createFolderReader(options: FolderReaderOptions): FolderReader {
  const { from, maxBytes } = options
  const known = new Map<string, ReadFile>()
  const read = (file: FolderFile): ReadFile => {
    const path = join(from.folder, file.path)
    const stats = statIfExists(path)
    const stamp = [stats?.mtimeNs, stats?.ctimeNs, stats?.size, stats?.ino].join(' ')
    const before = known.get(file.path)
    if (stats && before?.stamp === stamp) return before
    if (stats && stats.size > maxBytes) {
      throw invalidFile(path, `has ${stats.size} bytes, more than ${maxBytes}`)
    }
    const bytes = readFileSync(path)
    const digest = hash('sha256', bytes, 'base64url')
    const result = { ...parse(file, path, bytes), stamp, hash: digest, bytes: bytes.length }
    known.set(file.path, result)
    return result
  }
  return {
    read(onInvalid) {
      const { files, others } = findTranslationFiles(from)
      const found: { readonly file: FolderFile; readonly content: ReadFile }[] = []
      for (const file of files) {
        try {
          found.push({ file, content: read(file) })
        } catch (error) {
          // It was removed since the folder was listed.
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
          const wrapped = error instanceof ServicekitError ? error : readError(file.path, error)
          if (!onInvalid) throw wrapped
          onInvalid(wrapped)
          const before = known.get(file.path)
          if (before) found.push({ file, content: before })
        }
      }
      const paths = new Set(files.map(({ path }) => path))
      for (const path of known.keys()) if (!paths.has(path)) known.delete(path)
      const content = contentOf(found, options)
      return { ...content, problems: [...content.problems, ...ignoredFiles(from, files, others)] }
    },
  }
}

function parse(file: FolderFile, path: string, bytes: Buffer): Pick<ReadFile, 'root' | 'sections'> {
  const text = decodeFile(path, bytes)
  const { name, language, pattern } = file
  const { tree, root } = invalidAt(path, text, () =>
    parseTranslationFile(text, pattern.format, [name, language]),
  )
  const sections: ReadonlyMap<string | undefined, FileEntries> = pattern.hasSections
    ? sectionsOf(tree)
    : new Map([[undefined, entriesOf(tree)]])
  return {
    root,
    sections: new Map(
      [...sections].map(([module, entries]) => {
        const raw = Object.fromEntries([...entries].map(([key, { value }]) => [key, value]))
        const id = { language, module: module ?? file.module ?? '' }
        const section = { ...normaliseFile(raw, id), file: translationFile(path, text, entries) }
        return [module, section] as const
      }),
    ),
  }
}

function decodeFile(path: string, bytes: Buffer): string {
  try {
    return decodeUtf8(bytes)
  } catch (cause) {
    throw readError(path, cause)
  }
}

/** Reports files that have the name of a language, and match no pattern. */
function ignoredFiles(
  { patterns }: ResolvedFolder,
  files: readonly FolderFile[],
  others: readonly string[],
): readonly Problem[] {
  const names = new Set(files.map(({ name }) => name))
  const expected = patterns.map(({ text }) => text).join(' or ')
  return others
    .filter((path) => path.split(/[/.]/).some((part) => names.has(part)))
    .map((path) => ({
      severity: 'warning',
      code: 'FILE_IGNORED',
      message: `${path} is not read, because it is not named ${expected}; rename it, or add its name to the option from: { files }`,
    }))
}

/** Adds file, line and column to a syntax error. */
export function invalidAt<T>(path: string, text: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof PlacedSyntaxError)) throw cause
    const { line, column } = positionAt(text, cause.offset)
    throw new ServicekitError(`${path}:${line}:${column}: ${cause.message}`, {
      code: 'CATALOG_INVALID',
      cause,
      details: { file: path, line, column },
      help: 'Correct the file.',
    })
  }
}

const invalidFile = (path: string, what: string): ServicekitError =>
  new ServicekitError(`${path} ${what}`, { code: 'CATALOG_INVALID', details: { file: path } })

function contentOf(
  found: readonly { readonly file: FolderFile; readonly content: ReadFile }[],
  options: FolderReaderOptions,
): FolderContent {
  const { from, syntax } = options
  const sections = new Map<string, Map<string, ReadSection>>()
  for (const { file, content } of found) {
    for (const [section, read] of content.sections) {
      const module = section ?? file.module ?? from.module
      const ofModule = sections.get(module) ?? new Map<string, ReadSection>()
      const other = ofModule.get(file.language)
      if (other) throw sameModule(module, file.language, other.file.path, read.file.path)
      sections.set(module, ofModule.set(file.language, read))
    }
  }
  const codes = [...new Set(found.map(({ file }) => file.language))].sort(byCodePoint)
  const listing = selectListing(
    { ...listingOf(codes), modules: options.modules ?? [...sections.keys()] },
    { ...options, sourceName: `the folder ${from.folder}` },
  )
  const { defaultLanguage } = listing
  const rank = (code: string): number => (code === defaultLanguage ? 0 : 1)
  const languages = listing.languages
    .map(({ code, name }) => ({ code, name }))
    .sort((a, b) => rank(a.code) - rank(b.code) || byCodePoint(a.code, b.code))
  const problems: Problem[] = []
  const modules = listing.modules.map((name): CatalogModule => {
    const ofModule = [...(sections.get(name) ?? [])].filter(([code]) =>
      languages.some((one) => one.code === code),
    )
    for (const [, one] of ofModule) {
      problems.push(...one.problems.map((problem) => ({ ...problem, module: name })))
    }
    return {
      name,
      translations: new Map(ofModule.map(([code, one]) => [code, one.translations])),
      files: new Map(ofModule.map(([code, one]) => [code, one.file])),
    }
  })
  const catalog = resolveReferences({ languages, defaultLanguage, modules }, syntax)
  const digest = found.map(({ file, content }) => `${file.path}\n${content.hash}`).join('\n')
  return {
    catalog,
    problems,
    files: found.length,
    bytes: found.reduce((sum, { content }) => sum + content.bytes, 0),
    hash: hash('sha256', digest, 'base64url'),
  }
}

/** Returns the languages of a folder: the default is `en` or the first `en-…`. */
function listingOf(codes: readonly string[]): Pick<SourceListing, 'languages'> {
  const byDefault =
    codes.find((code) => code === 'en') ?? codes.find((code) => /^en[-_]/.test(code))
  return {
    languages: codes.map((code) => ({
      code,
      name: languageName(code),
      isDefault: code === byDefault,
    })),
  }
}

function languageName(code: string): string {
  try {
    const names = new Intl.DisplayNames(['en'], { type: 'language' })
    return names.of(code.replaceAll('_', '-')) ?? code
  } catch {
    return code
  }
}

const sameModule = (module: string, language: string, one: string, other: string): ConfigError =>
  new ConfigError(`Two files are of the module ${JSON.stringify(module)}`, {
    details: { one, other, language },
    help: 'Remove one of them.',
  })
