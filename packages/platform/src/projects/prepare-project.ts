import { createHash } from 'node:crypto'
import { buildModel } from '../data/model.ts'
import { readRecord } from '../data/record-values.ts'
import type { SchemaRecord } from '../data/save-records.ts'
import type { Problem, ProjectSource } from './project-source.ts'
import { projectError } from './parse-project.ts'
import { readProject } from './project-folder.ts'

/** Maximum number of reported problems in one schema's records. */
const maxProblems = 20

/** Records of one schema, ready to be stored. */
interface SchemaRecords {
  readonly schemaName: string
  readonly hash: string
  readonly records: readonly SchemaRecord[]
}

/** Records of a project, and the problems in them and in the schemas. */
interface DataSource {
  readonly records: readonly SchemaRecords[]
  readonly problems: readonly Problem[]
}

/** Project that is ready to be saved. */
export interface PreparedProject {
  readonly source: ProjectSource
  /** Folder that the project was read from, if any. */
  readonly folder?: string
  readonly data: DataSource
}

/**
 * Reads a project, from its folder if `source` is a path, and does all preparation that needs
 * no database.
 *
 * @throws PlatformError `PROJECT_INVALID`
 */
export async function prepareProject(source: string | ProjectSource): Promise<PreparedProject> {
  if (typeof source !== 'string') return { source, data: readData(source) }
  const read = await readProject(source)
  return { source: read, data: readData(read), folder: source }
}

/**
 * Reads the records of a project by its schemas.
 *
 * @throws PlatformError `PROJECT_INVALID` for a record that cannot be stored.
 */
function readData(source: ProjectSource): DataSource {
  const { types, problems } = buildModel(source.schemas)
  const allProblems = [...problems]
  const records = source.schemas.flatMap(({ schemaName }) => {
    const type = types.get(schemaName)
    if (!type) return []
    const rows = source.records.get(schemaName) ?? []
    const file = `records/${schemaName}.json`
    const seen = new Set<unknown>()
    const invalid: Problem[] = []
    const stored = rows.map((row, index) => {
      const read = readRecord(type, types, row, (problem) => invalid.push(problem))
      if ('fault' in read) throw projectError(file, `${index}.${read.member}`, read.fault)
      const id = read.system['ItemId']
      if (seen.has(id)) throw projectError(file, `${index}.ItemId`, `duplicate ${String(id)}`)
      seen.add(id)
      return { schemaName, ...read }
    })
    allProblems.push(...invalid.slice(0, maxProblems))
    const hash = createHash('sha256').update(JSON.stringify(rows)).digest('hex')
    return [{ schemaName, hash, records: stored }]
  })
  return { records, problems: allProblems }
}
