import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { projectFault, readJson } from './read-json.ts'

type Json = Readonly<Record<string, unknown>>

/** File of a project's folder. */
export interface ProjectFolderFile {
  /** Path below the folder, with slashes: `uilm/de-DE/auth.json`. */
  readonly path: string
  readonly text: string
}

/** Members of an export that have a file of the same name. */
const ownFiles = ['languages', 'modules', 'schemas', 'identity', 'drafts'] as const

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
  const { languages, modules, schemas, identity, drafts, ...rest } = exported
  const { texts = {}, records = {}, rows = {}, ...head } = rest as Record<string, Json>
  const own = { languages, modules, schemas, identity, drafts }
  const tree: readonly (readonly [path: readonly string[], value: unknown])[] = [
    [['project'], head],
    ...ownFiles
      .filter((name) => own[name] !== undefined)
      .map((name) => [[name], own[name]] as const),
    ...entries(texts).flatMap(([language, byModule]) =>
      entries(byModule as Json).map(
        ([module, file]) => [['uilm', language, module], file] as const,
      ),
    ),
    ...entries(records).map(([name, list]) => [['records', name], list] as const),
    ...entries(rows).map(([name, list]) => [['rows', name], list] as const),
  ]
  return tree.map(([steps, value]) => {
    const odd = steps.find((step) => !isFileName(step))
    if (odd !== undefined) throw projectFault(steps.join('/'), '', `no file can be named ${odd}`)
    return { path: `${steps.join('/')}.json`, text: `${JSON.stringify(value, undefined, 2)}\n` }
  })
}

const entries = (value: Json): readonly (readonly [string, unknown])[] => Object.entries(value)

/** Returns whether every file system accepts the name. */
const isFileName = (name: string): boolean =>
  !/^\.{0,2}$|[\u0000-\u001f"*/:<>?\\|]|[. ]$/.test(name) && Buffer.byteLength(name) <= 200

/**
 * Reads a project's folder as one JSON value, which `POST /_platform/projects` accepts.
 *
 * @throws PlatformError `PROJECT_INVALID`, naming the file.
 */
export async function readProjectFolder(folder: string): Promise<Json> {
  const head = await readJson(join(folder, 'project.json'))
  if (typeof head !== 'object' || head === null) {
    throw projectFault(join(folder, 'project.json'), '', 'there is no project in it')
  }
  const own = ownFiles.map(
    async (name) => [name, await readJson(join(folder, `${name}.json`))] as const,
  )
  const named = Object.fromEntries(
    (await Promise.all(own)).filter(([, value]) => value !== undefined),
  )
  const languages = await foldersIn(join(folder, 'uilm'))
  const texts = await Promise.all(
    languages.map(async (name) => [name, await valuesIn(join(folder, 'uilm', name))] as const),
  )
  const rows = await valuesIn(join(folder, 'rows'))
  return {
    ...head,
    ...named,
    texts: Object.fromEntries(texts),
    records: await valuesIn(join(folder, 'records')),
    ...(Object.keys(rows).length === 0 ? {} : { rows }),
  }
}

/** Reads the JSON files of a folder, by name without extension. */
async function valuesIn(folder: string): Promise<Json> {
  const names = (await list(folder)).filter(
    (entry) => entry.isFile() && entry.name.endsWith('.json'),
  )
  const values = names.map(
    async ({ name }) => [basename(name, '.json'), await readJson(join(folder, name))] as const,
  )
  return Object.fromEntries(await Promise.all(values))
}

const foldersIn = async (folder: string): Promise<readonly string[]> =>
  (await list(folder)).filter((entry) => entry.isDirectory()).map(({ name }) => name)

async function list(folder: string) {
  const found = await readdir(folder, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}
