import { data, limits } from '@servicekit/contract'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Origins } from '../http/origin.ts'
import { IdentityFile } from '../identity/parse-identity.ts'
import { completeDialect, DialectChoice } from './dialect.ts'
import { Extras } from './project-extras.ts'
import type { FileSource, ProjectSource } from './project-source.ts'
import { projectFault, readValue } from './read-json.ts'
import { jsonFault, textFault } from './text.ts'

/** Content of `project.json`. */
export const ProjectFile = z.strictObject({
  name: z.string().min(1),
  projectKey: z.string().min(1).max(limits.projectKeyLength),
  organizationId: z.string().optional(),
  fallback: z.string().min(1).optional(),
  dialect: DialectChoice.optional(),
  origins: Origins.optional(),
})

/** Content of `languages.json`. */
export const LanguagesFile = z.array(
  z.object({
    itemId: z.string().min(1),
    languageName: z.string(),
    languageCode: z.string().min(1),
    isDefault: z.boolean(),
  }),
)

/** Content of `modules.json`. */
export const ModulesFile = z.array(
  z.object({ itemId: z.string().min(1), moduleName: z.string().min(1) }),
)

/** Content of `schemas.json`. */
export const SchemasFile = z.array(data.DataSchema)

/** Content of `records/<schema>.json`. Not a zod record, which drops `__proto__`. */
const RecordsFile = z.array(
  z.custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'a record is an object',
  ),
)

/** Project with the contents of all its files as one JSON value. */
const WholeProject = z.strictObject({
  ...ProjectFile.shape,
  languages: z.unknown().optional(),
  modules: z.unknown().optional(),
  schemas: z.unknown().optional(),
  texts: z.custom<Readonly<Record<string, Readonly<Record<string, unknown>>>>>().optional(),
  records: z.custom<Readonly<Record<string, unknown>>>().optional(),
  identity: z.unknown().optional(),
  ...Extras.shape,
})

/**
 * Parses a project from one JSON value: the members of `project.json`, and the contents of
 * the other files under `languages`, `modules`, `schemas`, `texts.<language>.<module>`,
 * `records.<schema>`, `identity`, `drafts` and `rows.<table>`.
 *
 * @throws PlatformError `PROJECT_INVALID`, naming the member.
 */
export function parseProject(value: unknown): ProjectSource {
  const {
    languages,
    modules,
    schemas,
    texts = {},
    records = {},
    identity,
    drafts,
    rows,
    ...head
  } = readValue(WholeProject, value, 'project')
  const files = Object.entries(texts).flatMap(([language, byModule]) =>
    Object.entries(byModule).map(([module, file]) =>
      parseFile(language, module, file, `texts.${language}.${module}`),
    ),
  )
  return assemble({
    head,
    languages: parseList(LanguagesFile, languages ?? [], 'languages', 'languageCode'),
    modules: parseList(ModulesFile, modules ?? [], 'modules', 'moduleName'),
    schemas: parseList(SchemasFile, schemas ?? [], 'schemas', 'schemaName'),
    files,
    records: new Map(
      Object.entries(records).map(([name, rows]) => [name, parseRecords(rows, `records.${name}`)]),
    ),
    identity: parseIdentity(identity, 'identity'),
    extras: extrasOf({ drafts, rows }),
  })
}

/** Parts of a project, each already parsed. */
export interface ProjectParts extends Pick<
  ProjectSource,
  'languages' | 'modules' | 'schemas' | 'files' | 'records' | 'identity' | 'extras'
> {
  readonly head: z.infer<typeof ProjectFile>
}

/**
 * Assembles a project. A missing file has no translations; a file of an unknown language,
 * module or schema is an error.
 *
 * @throws PlatformError `PROJECT_INVALID`
 */
export function assemble({ head, files, records, ...parts }: ProjectParts): ProjectSource {
  const { languages, modules, schemas } = parts
  const given = new Map(files.map((file) => [`${file.language}\n${file.module}`, file]))
  const whole = languages.flatMap(({ languageCode }) =>
    modules.map(({ moduleName }) => {
      const id = `${languageCode}\n${moduleName}`
      const file = given.get(id)
      given.delete(id)
      return file ?? fileSource(languageCode, moduleName, new Map())
    }),
  )
  for (const { language, module } of given.values()) {
    const file = `uilm/${language}/${module}.json`
    throw projectFault(file, '', 'the project has no such language or module')
  }
  const known = new Set(schemas.map(({ schemaName }) => schemaName))
  for (const name of records.keys()) {
    if (!known.has(name)) {
      throw projectFault(`records/${name}.json`, '', 'the project has no such schema')
    }
  }
  return {
    key: head.projectKey,
    name: head.name,
    organizationId: head.organizationId ?? '',
    fallback:
      head.fallback ??
      languages.find(({ isDefault }) => isDefault)?.languageCode ??
      languages[0]?.languageCode ??
      '',
    dialect: completeDialect(head.dialect),
    origins: head.origins,
    languages,
    modules,
    schemas,
    files: whole,
    records,
    identity: parts.identity,
    extras: parts.extras,
  }
}

/** Returns what an export adds, if any of it is given. */
const extrasOf = (extras: z.infer<typeof Extras>): z.infer<typeof Extras> | undefined =>
  extras.drafts || extras.rows ? extras : undefined

/** Parses a list whose entries are identified by one member. */
export function parseList<T extends object>(
  schema: z.ZodType<T[]>,
  value: unknown,
  file: string,
  identity: keyof T & string,
): readonly T[] {
  const entries = readValue(schema, value, file)
  const seen = new Set<unknown>()
  for (const [index, entry] of entries.entries()) {
    const fault = jsonFault(entry)
    if (fault) throw projectFault(file, String(index), fault)
    if (seen.has(entry[identity])) {
      throw projectFault(file, `${index}.${identity}`, `${String(entry[identity])} is there twice`)
    }
    seen.add(entry[identity])
  }
  return entries
}

/** Parses one translation file: a flat object from key to string or null. */
export function parseFile(
  language: string,
  module: string,
  value: unknown,
  file: string,
): FileSource {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw projectFault(file, '', 'it is not an object from key to text')
  }
  const texts = new Map<string, string | null>()
  for (const [key, entry] of Object.entries(value) as [string, unknown][]) {
    if (entry !== null && typeof entry !== 'string') {
      throw projectFault(file, key, 'a text is a string or null; text files are flat')
    }
    const fault = textFault(key) ?? (entry === null ? undefined : textFault(entry))
    if (fault) throw projectFault(file, key, `it ${fault}`)
    if (key === '') throw projectFault(file, key, 'a key cannot be empty')
    texts.set(key, entry)
  }
  return fileSource(language, module, texts)
}

/** Parses an identity file; undefined if the file is missing. */
export function parseIdentity(value: unknown, file: string): IdentityFile | undefined {
  if (value === undefined) return undefined
  const identity = readValue(IdentityFile, value, file)
  const fault = jsonFault(identity)
  if (fault) throw projectFault(file, '', fault)
  return identity
}

/** Parses the records of one schema. */
export function parseRecords(value: unknown, file: string) {
  const rows = readValue(RecordsFile, value, file)
  for (const [index, row] of rows.entries()) {
    const fault = jsonFault(row)
    if (fault) throw projectFault(file, String(index), fault)
  }
  return rows
}

/** Returns a file with a hash of its translations that does not depend on their order. */
export function fileSource(
  language: string,
  module: string,
  texts: ReadonlyMap<string, string | null>,
): FileSource {
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1))
  const hash = createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
  return { language, module, texts, hash }
}
