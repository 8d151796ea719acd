import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import {
  assemble,
  LanguagesFile,
  ModulesFile,
  parseFile,
  parseIdentity,
  parseList,
  parseRecords,
  ProjectFile,
  SchemasFile,
} from './parse-project.ts'
import { Extras, type ProjectExtras } from './project-extras.ts'
import type { FileSource, ProjectSource, RecordSource } from './project-source.ts'
import { projectFault, readJson, readValue } from './read-json.ts'

/**
 * Reads a project's folder: `project.json`, `languages.json`, `modules.json`,
 * `uilm/<language>/<module>.json`, `schemas.json`, `records/<schema>.json`,
 * `identity.json`, and what an export adds: `drafts.json`, `rows/<table>.json` and
 * `files/`. Only the first is required. If a translation file is missing, the module has no
 * translations in that language.
 *
 * @throws PlatformError `PROJECT_INVALID`, naming the file and the member.
 */
export async function readProject(folder: string): Promise<ProjectSource> {
  const projectPath = join(folder, 'project.json')
  const [project, languages, modules, schemas, identity, files, records, extras] =
    await Promise.all([
      readJson(projectPath),
      readJson(join(folder, 'languages.json')),
      readJson(join(folder, 'modules.json')),
      readJson(join(folder, 'schemas.json')),
      readJson(join(folder, 'identity.json')),
      readFiles(join(folder, 'uilm')),
      readRecords(join(folder, 'records')),
      readExtras(folder),
    ])
  if (project === undefined) throw projectFault(projectPath, '', 'there is no such file')
  const list = <T extends object>(
    schema: Parameters<typeof parseList<T>>[0],
    value: unknown,
    name: string,
    identity: keyof T & string,
  ) => parseList(schema, value ?? [], join(folder, name), identity)
  return assemble({
    head: readValue(ProjectFile, project, projectPath),
    languages: list(LanguagesFile, languages, 'languages.json', 'languageCode'),
    modules: list(ModulesFile, modules, 'modules.json', 'moduleName'),
    schemas: list(SchemasFile, schemas, 'schemas.json', 'schemaName'),
    files,
    records,
    identity: parseIdentity(identity, join(folder, 'identity.json')),
    extras,
  })
}

async function readExtras(folder: string): Promise<ProjectExtras | undefined> {
  const [drafts, names] = await Promise.all([
    readJson(join(folder, 'drafts.json')),
    jsonFiles(join(folder, 'rows')),
  ])
  if (drafts === undefined && names.length === 0) return undefined
  const rows = await Promise.all(
    names.map(
      async (name) => [name, await readJson(join(folder, 'rows', `${name}.json`))] as const,
    ),
  )
  const given = { drafts, ...(names.length === 0 ? {} : { rows: Object.fromEntries(rows) }) }
  return { ...readValue(Extras, given, folder), filesFolder: join(folder, 'files') }
}

async function readFiles(folder: string): Promise<readonly FileSource[]> {
  const languages = await list(folder)
  const files = await Promise.all(
    languages
      .filter((entry) => entry.isDirectory())
      .map(async ({ name: language }) => {
        const names = await jsonFiles(join(folder, language))
        return Promise.all(
          names.map(async (module) => {
            const path = join(folder, language, `${module}.json`)
            return parseFile(language, module, await readJson(path), path)
          }),
        )
      }),
  )
  return files.flat()
}

async function readRecords(folder: string): Promise<ReadonlyMap<string, readonly RecordSource[]>> {
  const names = await jsonFiles(folder)
  const entries = names.map(async (name): Promise<[string, readonly RecordSource[]]> => {
    const path = join(folder, `${name}.json`)
    return [name, parseRecords(await readJson(path), path)]
  })
  return new Map(await Promise.all(entries))
}

/** Lists the JSON files of a folder, without extension. */
const jsonFiles = async (folder: string): Promise<readonly string[]> =>
  (await list(folder))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ name }) => basename(name, '.json'))

/** Lists the entries of a folder in code-point order; empty if the folder does not exist. */
async function list(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}
