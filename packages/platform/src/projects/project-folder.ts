import { byCodePoint, fileNameOf, reasonOf } from '@servicekit/core'
import { decodeUtf8 } from '@servicekit/core/node'
import { parseExactJson, printExactJson } from '@servicekit/core/exact-json'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PlatformError } from '../errors.ts'
import { projectFilePath, projectPath } from './project-path.ts'
import { ownFiles, parseProject, projectError } from './parse-project.ts'
import type { ProjectSource } from '../project-source.ts'

type Json = Readonly<Record<string, unknown>>

/** File of a project's folder. */
export interface ProjectFolderFile {
  /** Path below the folder, with slashes: `uilm/de-DE/auth.json`. */
  readonly path: string
  readonly text: string
}

/**
 * Returns the files of the folder that a project is exported to. `readProject`, and with it
 * `servicekit dev --project`, reads them. Write the bytes of uploaded files beside them, to
 * `files/<system_name>`.
 *
 * ```ts
 * projectFiles({ projectKey: 'P', name: 'P', texts: { en: { auth: { OK: 'OK' } } } })
 * // [{ path: 'project.json', … }, { path: 'uilm/en/auth.json', … }]
 * ```
 *
 * @param exported the response of `GET /_platform/projects/:key/export`.
 * @throws PlatformError `PROJECT_INVALID` for a name that no file can have.
 */
export function projectFiles(exported: Json): readonly ProjectFolderFile[] {
  const { texts = {}, records = {}, rows = {}, ...rest } = exported as Record<string, Json>
  const own = Object.fromEntries(ownFiles.map((name) => [name, rest[name]]))
  const head = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !Object.hasOwn(own, name)),
  )
  const filesOf = (steps: readonly string[], values: Json) =>
    Object.entries(values).map(([name, value]) => [[...steps, name], value] as const)
  const files = [
    [['project'], head] as const,
    ...filesOf([], own).filter(([, value]) => value !== undefined),
    ...Object.entries(texts).flatMap(([language, byModule]) =>
      filesOf(['uilm', language], mapNames(byModule as Json, fileNameOf)),
    ),
    ...filesOf(['records'], records),
    ...filesOf(['rows'], rows),
  ]
  return files.map(([steps, value]) => {
    const invalid = steps.find((step) => !isFileName(step))
    if (invalid !== undefined) {
      const message = `Cannot export the project: "${invalid}" is not a valid file name.`
      throw new PlatformError('PROJECT_INVALID', message, { details: { file: steps.join('/') } })
    }
    return { path: `${steps.join('/')}.json`, text: `${printExactJson(value, 2)}\n` }
  })
}

/** Returns true if every file system accepts the name. */
const isFileName = (name: string): boolean =>
  !/^\.{0,2}$|[\u0000-\u001f"*/:<>?\\|]|[. ]$/.test(name) && Buffer.byteLength(name) <= 200

/**
 * Reads and parses a project's folder: `project.json`, `languages.json`, `modules.json`,
 * `uilm/<language>/<module>.json`, `schemas.json`, `records/<schema>.json`,
 * `identity.json`, and what an export adds: `drafts.json`, `states.json`, `comments.json`,
 * `assignments.json`, `rows/<table>.json` and `files/`. Only the first is required.
 *
 * @throws PlatformError `PROJECT_INVALID`, naming the file and the member.
 */
export async function readProject(folder: string): Promise<ProjectSource> {
  const source = parseProject(
    await readProjectFolder(folder),
    ([first = '', ...rest]) => `${join(folder, first === 'texts' ? 'uilm' : first, ...rest)}.json`,
  )
  const filesFolder = (await projectPath(folder, 'files')) ?? join(folder, 'files')
  return { ...source, filesFolder }
}

/**
 * Reads a project's folder as one JSON value, which `POST /_platform/projects` accepts.
 *
 * @throws PlatformError `PROJECT_INVALID`, naming the file.
 */
export async function readProjectFolder(folder: string): Promise<Json> {
  const [head, records, rows, languages, , ...own] = await Promise.all([
    readJson(folder, 'project.json'),
    readFiles(folder, 'records'),
    readFiles(folder, 'rows'),
    list(folder, 'uilm'),
    projectPath(folder, 'files'),
    ...ownFiles.map((name) => readJson(folder, `${name}.json`)),
  ])
  if (head === undefined) {
    throw projectError(join(folder, 'project.json'), '', 'the file does not exist')
  }
  const named = ownFiles.map((name, index) => [name, own[index]] as const)
  const moduleOf = moduleNames(Object.fromEntries(named)['modules'])
  const texts = languages
    .filter(({ isFolder }) => isFolder)
    .map(async ({ name }) => {
      const files = await readFiles(folder, 'uilm', name)
      return [name, mapNames(files, moduleOf)] as const
    })
  return {
    ...(head as Json),
    ...Object.fromEntries(named.filter(([, value]) => value !== undefined)),
    texts: Object.fromEntries(await Promise.all(texts)),
    records,
    ...(Object.keys(rows).length === 0 ? {} : { rows }),
  }
}

const mapNames = (values: Json, rename: (name: string) => string): Json =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [rename(name), value]))

/**
 * Returns a function that returns the module of a file of translations. Names that no file can
 * have are percent-encoded in that of their file.
 *
 * @param modules content of `modules.json`, if it exists. It has the names that were shortened.
 */
function moduleNames(modules: unknown): (file: string) => string {
  const byFile = new Map(
    (Array.isArray(modules) ? (modules as readonly unknown[]) : []).flatMap((module) => {
      const name = (module as { moduleName?: unknown } | null)?.moduleName
      return typeof name === 'string' ? [[fileNameOf(name), name] as const] : []
    }),
  )
  return (file) => byFile.get(file) ?? decoded(file)
}

/** Returns a name as it was before it was encoded; a name that was not encoded stays. */
function decoded(file: string): string {
  try {
    const name = decodeURIComponent(file)
    return fileNameOf(name) === file ? name : file
  } catch {
    return file
  }
}

/** Reads the JSON files of a folder, by name without extension. */
async function readFiles(folder: string, ...steps: readonly string[]): Promise<Json> {
  const files = (await list(folder, ...steps))
    .filter(({ name, isFolder }) => !isFolder && name.endsWith('.json'))
    .map(
      async ({ name }) =>
        [basename(name, '.json'), await readJson(folder, ...steps, name)] as const,
    )
  return Object.fromEntries(await Promise.all(files))
}

/** Reads the JSON value of a file, or returns undefined if the file does not exist. */
async function readJson(folder: string, ...steps: readonly string[]): Promise<unknown> {
  const path = join(folder, ...steps)
  const real = await projectFilePath(folder, ...steps)
  if (real === undefined) return undefined
  const bytes = await readFile(real).catch((cause: NodeJS.ErrnoException) => {
    throw new PlatformError('PROJECT_INVALID', 'Cannot read a file of the project.', {
      cause,
      details: { file: path },
    })
  })
  let text: string
  try {
    text = decodeUtf8(bytes)
  } catch (error) {
    throw projectError(path, '', reasonOf(error))
  }
  try {
    return parseExactJson(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw projectError(path, '', `the file is not valid JSON (${reasonOf(error)})`)
  }
}

/**
 * Lists the entries of a folder by name, and follows symbolic links; empty if the folder does not
 * exist.
 *
 * @throws PlatformError `PROJECT_INVALID` for a link that leads out of the project's folder.
 */
async function list(folder: string, ...steps: readonly string[]) {
  const path = await projectPath(folder, ...steps)
  const names = path === undefined ? [] : await readdir(path)
  const entries = names.map(async (name) => {
    const real = await projectPath(folder, ...steps, name)
    return { name, isFolder: real !== undefined && (await stat(real)).isDirectory() }
  })
  return (await Promise.all(entries)).sort((one, other) => byCodePoint(one.name, other.name))
}
