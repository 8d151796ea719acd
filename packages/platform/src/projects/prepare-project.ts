import { buildModel } from '../data/model.ts'
import { readRecord } from '../data/record-values.ts'
import { IdentityFile } from '@servicekit/contract/control'
import { contentHash, projectError, rejectInvalidNames } from './parse-project.ts'
import { readProject } from './project-folder.ts'
import type { Problem, ProjectSource } from '../project-source.ts'

/** Maximum number of reported problems in one schema's records. */
const maxProblems = 20

/**
 * Project with the folder that it was read from, its records by schema, its identities, and
 * the problems in its schemas and records.
 */
export type PreparedProject = Awaited<ReturnType<typeof prepareProject>>

/** Reads a project and prepares what needs no database. @throws PlatformError `PROJECT_INVALID` */
export async function prepareProject(given: string | ProjectSource) {
  const folder = typeof given === 'string' ? given : undefined
  const source = typeof given === 'string' ? await readProject(given) : given
  // A program can pass a source that was not parsed.
  rejectInvalidNames(source)
  const identity = source.identity && IdentityFile.parse(source.identity)
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
      if ('problem' in read) throw projectError(file, `${index}.${read.member}`, read.problem)
      const id = read.system['ItemId']
      if (seen.has(id)) throw projectError(file, `${index}.ItemId`, `duplicate ${String(id)}`)
      seen.add(id)
      return { schemaName, ...read }
    })
    allProblems.push(...invalid.slice(0, maxProblems))
    return [{ schemaName, hash: contentHash(rows), records: stored }]
  })
  return { source, folder, identity, records, problems: allProblems }
}
