import {
  changedBy,
  type ExecutableSchema,
  listedBy,
  type SchemaMember,
} from './executable-schema.ts'
import type { Model, SchemaModel } from './model.ts'
import type { FieldModel } from './model-field.ts'
import { type MutationKind, mutationKinds, upperFirst } from '@servicekit/core'
import type { Problem } from './problem.ts'

/**
 * Compares the model with the schema that the gateway executes. Reports every operation,
 * type and field that only one of them has or that they describe differently, as a
 * warning with the code CROSS_CHECK.
 */
export function crossCheck(model: Model, executable: ExecutableSchema): readonly Problem[] {
  const problems: Problem[] = []
  const queries = new Map(executable.queries.map((query) => [query.member, query]))
  const executed = new Map(executable.mutations.map((mutation) => [mutation.member, mutation]))
  for (const schema of model.schemas) checkSchema(schema)
  findUnlisted()
  return problems

  function checkSchema(schema: SchemaModel): void {
    const { name, list, mutations } = schema
    const type = executable.types.get(name)
    if (type === undefined) {
      report(name, 'the gateway does not have this type')
      return
    }
    if (list !== undefined) checkQuery(name, list.field)
    for (const kind of mutationKinds) {
      if (mutations[kind] !== undefined) checkMutation(name, kind, mutations[kind].field)
    }
    for (const field of schema.fields) checkField(schema, field, type)
    const known = new Set(schema.fields.map((field) => field.name))
    for (const { member } of type) {
      if (!known.has(member)) report(name, 'the listing does not have this field', member)
    }
  }

  function checkQuery(name: string, field: string): void {
    const query = queries.get(field)
    if (query === undefined) {
      const other = [`get${field}`, field.replace(/^get/, '')].find((name) => queries.has(name))
      const hint = other === undefined ? '' : `; it has ${other}, see queryNaming`
      report(name, `the gateway has no query ${field}${hint}`)
      return
    }
    const listed = listedBy(executable, query)
    if (listed !== name) report(name, `the query ${field} lists ${listed ?? query.name}`)
    const where = query.args.find(({ member }) => member === 'where')
    if (where?.name !== `${name}FilterInput`) {
      report(name, `the argument where of query ${field} has type ${where?.name ?? 'none'}`)
    }
  }

  function checkMutation(name: string, kind: MutationKind, field: string): void {
    const mutation = executed.get(field)
    if (mutation === undefined) {
      report(name, `the gateway has no mutation ${field}`)
      return
    }
    const input = `${name}${upperFirst(kind.replace('Many', ''))}Input`
    const found = changedBy(mutation)
    if (found?.entity !== name || found.kind.replace('Many', '') !== kind.replace('Many', '')) {
      report(name, `the input of mutation ${field} is not ${input}`)
    } else if (found.kind !== kind) {
      const how = found.kind.endsWith('Many') ? 'many records' : 'one record'
      report(name, `the mutation ${field} changes ${how}; set mutations to introspected`)
    }
  }

  function checkField(
    schema: SchemaModel,
    field: FieldModel,
    members: readonly SchemaMember[],
  ): void {
    const found = members.find(({ member }) => member === field.name)
    if (found === undefined) {
      report(schema.name, 'the gateway does not have this field', field.name)
      return
    }
    const type = field.object === undefined ? field.type : field.object.type
    const [ours, theirs] = [printUse(type, field.isArray), printUse(found.name, found.isList)]
    // Fields of unknown types are not selected.
    const isSelectable = field.scalar !== undefined || field.object !== undefined
    if (isSelectable && ours !== theirs) {
      const message = `has type ${ours} in the listing and ${theirs} in the gateway`
      report(schema.name, message, field.name)
    }
    if (schema.list === undefined || field.scalar?.filter === undefined || field.isArray) return
    const filter = executable.types.get(`${schema.name}FilterInput`)
    if (filter !== undefined && !filter.some(({ member }) => member === field.name)) {
      report(schema.name, 'the gateway supports no conditions on this field', field.name)
    }
  }

  /** Reports queries of the gateway that are missing in the listing. */
  function findUnlisted(): void {
    const queried = new Set(model.schemas.flatMap(({ list }) => list?.field ?? []))
    for (const query of executable.queries) {
      const entity = listedBy(executable, query)
      if (entity === undefined || queried.has(query.member)) continue
      if (model.schemas.some(({ name, list }) => name === entity && list !== undefined)) continue
      report(entity, `the listing has no query ${query.member}`)
    }
  }

  function report(name: string, message: string, field?: string): void {
    const of = { schema: name, ...(field === undefined ? {} : { field }) }
    problems.push({ severity: 'warning', code: 'CROSS_CHECK', ...of, message })
  }
}

const printUse = (name: string, isList: boolean): string => (isList ? `[${name}]` : name)
