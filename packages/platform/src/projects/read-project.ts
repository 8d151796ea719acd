import { data, limits } from '@servicekit/contract'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { type Dialect, defaultDialect, dialectChoices } from './dialect.ts'
import type {
  FileSource,
  LanguageSource,
  ModuleSource,
  ProjectSource,
  RecordSource,
} from './project-source.ts'
import { parseJson, projectFault, readText } from './read-json.ts'
import { jsonFault, textFault } from './text.ts'

const choice = <K extends keyof Dialect>(name: K) =>
  z.enum(dialectChoices[name] as readonly [Dialect[K], ...Dialect[K][]]).optional()

const ProjectFile = z.strictObject({
  name: z.string().min(1),
  projectKey: z.string().min(1).max(limits.projectKeyLength),
  organizationId: z.string().optional(),
  fallback: z.string().min(1).optional(),
  dialect: z
    .strictObject({
      languageList: choice('languageList'),
      languageCode: choice('languageCode'),
      unknownFile: choice('unknownFile'),
      queryNaming: choice('queryNaming'),
    })
    .optional(),
})
const LanguagesFile = z.array(
  z.object({
    itemId: z.string().min(1),
    languageName: z.string(),
    languageCode: z.string().min(1),
    isDefault: z.boolean(),
  }),
)
const ModulesFile = z.array(z.object({ itemId: z.string().min(1), moduleName: z.string().min(1) }))
const RecordsFile = z.array(z.record(z.string(), z.unknown()))

/**
 * Reads a project's folder: `project.json`, `languages.json`, `modules.json`,
 * `uilm/<language>/<module>.json`, `schemas.json` and `records/<schema>.json`.
 * A text file that is missing is a module without texts in that language.
 *
 * @throws PlatformError `PROJECT_INVALID`, naming the file and the member.
 */
export async function readProject(folder: string): Promise<ProjectSource> {
  const projectPath = join(folder, 'project.json')
  const projectText = await readText(projectPath)
  if (projectText === undefined) {
    throw projectFault(projectPath, '', 'there is no such file')
  }
  const project = parseJson(ProjectFile, projectText, projectPath)
  const languages = await readList(folder, 'languages.json', LanguagesFile, 'languageCode')
  const modules = await readList(folder, 'modules.json', ModulesFile, 'moduleName')
  const schemas = await readList(folder, 'schemas.json', z.array(data.DataSchema), 'schemaName')
  return {
    key: project.projectKey,
    name: project.name,
    organizationId: project.organizationId ?? '',
    fallback:
      project.fallback ??
      languages.find(({ isDefault }) => isDefault)?.languageCode ??
      languages[0]?.languageCode ??
      '',
    dialect: { ...defaultDialect, ...definedOf(project.dialect ?? {}) },
    languages,
    modules,
    files: await readFiles(folder, languages, modules),
    schemas,
    records: await readRecords(
      folder,
      schemas.map(({ schemaName }) => schemaName),
    ),
  }
}

/** Zod's optional members may be present and undefined; a spread must not see those. */
const definedOf = (value: object): Partial<Dialect> =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined))

/** A list in which one member tells the entries apart; a missing file is an empty list. */
async function readList<T extends object>(
  folder: string,
  name: string,
  schema: z.ZodType<T[]>,
  identity: keyof T & string,
): Promise<readonly T[]> {
  const path = join(folder, name)
  const text = await readText(path)
  if (text === undefined) return []
  const entries = parseJson(schema, text, path)
  const seen = new Set<unknown>()
  for (const [index, entry] of entries.entries()) {
    const fault = jsonFault(entry)
    if (fault) throw projectFault(path, String(index), fault)
    if (seen.has(entry[identity])) {
      throw projectFault(path, `${index}.${identity}`, `${String(entry[identity])} is there twice`)
    }
    seen.add(entry[identity])
  }
  return entries
}

async function readFiles(
  folder: string,
  languages: readonly LanguageSource[],
  modules: readonly ModuleSource[],
): Promise<readonly FileSource[]> {
  const files: FileSource[] = []
  for (const { languageCode: language } of languages) {
    const inLanguage = join(folder, 'uilm', safeName(folder, language))
    const names = await listJson(inLanguage)
    const known = new Set(modules.map(({ moduleName }) => moduleName))
    for (const name of names) {
      if (!known.has(name)) {
        throw projectFault(join(inLanguage, `${name}.json`), '', 'modules.json has no such module')
      }
    }
    for (const { moduleName: module } of modules) {
      if (!names.has(module)) {
        files.push(fileSource(language, module, new Map()))
        continue
      }
      const path = join(inLanguage, `${safeName(folder, module)}.json`)
      files.push(parseFile(language, module, (await readText(path)) ?? '{}', path))
    }
  }
  return files
}

/** Reads one text file: a flat object from key to text or null. */
export function parseFile(
  language: string,
  module: string,
  text: string,
  path: string,
): FileSource {
  const value = parseJson(z.unknown(), text, path)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw projectFault(path, '', 'it is not an object from key to text')
  }
  const texts = new Map<string, string | null>()
  for (const [key, entry] of Object.entries(value)) {
    if (entry !== null && typeof entry !== 'string') {
      throw projectFault(path, key, 'a text is a string or null; text files are flat')
    }
    const fault = textFault(key) ?? (entry === null ? undefined : textFault(entry))
    if (fault) throw projectFault(path, key, `it ${fault}`)
    if (key === '') throw projectFault(path, key, 'a key cannot be empty')
    texts.set(key, entry)
  }
  return fileSource(language, module, texts)
}

/** A file with the hash of its texts, whatever their order. */
export function fileSource(
  language: string,
  module: string,
  texts: ReadonlyMap<string, string | null>,
): FileSource {
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1))
  const hash = createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
  return { language, module, texts, hash }
}

async function readRecords(
  folder: string,
  schemaNames: readonly string[],
): Promise<ReadonlyMap<string, readonly RecordSource[]>> {
  const inRecords = join(folder, 'records')
  const known = new Set(schemaNames)
  const records = new Map<string, readonly RecordSource[]>()
  for (const name of await listJson(inRecords)) {
    const path = join(inRecords, `${name}.json`)
    if (!known.has(name)) throw projectFault(path, '', 'schemas.json has no such schema')
    const rows = parseJson(RecordsFile, (await readText(path)) ?? '[]', path)
    for (const [index, row] of rows.entries()) {
      const fault = jsonFault(row)
      if (fault) throw projectFault(path, String(index), fault)
    }
    records.set(name, rows)
  }
  return records
}

/** Names of the JSON files of a folder, without their ending. */
async function listJson(folder: string): Promise<ReadonlySet<string>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return new Set(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => basename(name, '.json')),
  )
}

/** A language code or module name becomes part of a path, and must stay one part. */
function safeName(folder: string, name: string): string {
  if (name !== '.' && name !== '..' && !/[\\/\0]/.test(name)) return name
  throw projectFault(folder, name, 'this name cannot be the name of a file')
}
