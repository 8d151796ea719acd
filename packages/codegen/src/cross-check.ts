import {
  type ExecutableSchema,
  insertedBy,
  listedBy,
  type SchemaMember,
} from './executable-schema.ts'
import type { Model, SchemaModel } from './model.ts'
import type { FieldModel } from './model-field.ts'
import type { Problem } from './problem.ts'

/**
 * Compares the model with the schema that the gateway executes. Reports every operation,
 * type and field that only one of them has or that they describe differently, as a
 * warning with the code CROSS_CHECK.
 */
export function crossCheck(model: Model, schema: ExecutableSchema): readonly Problem[] {
  const problems: Problem[] = []
  const queries = new Map(schema.queries.map((query) => [query.member, query]))
  const mutations = new Map(schema.mutations.map((mutation) => [mutation.member, mutation]))
  for (const one of model.schemas) checkSchema(one)
  findUnlisted()
  return problems

  function checkSchema(one: SchemaModel): void {
    const { name, list, insert } = one
    const type = schema.types.get(name)
    if (type === undefined) {
      report(name, 'the gateway has no such type')
      return
    }
    if (list !== undefined) checkQuery(name, list.field)
    if (insert !== undefined) checkMutation(name, insert.field)
    for (const field of one.fields) checkField(one, field, type)
    const known = new Set(one.fields.map((field) => field.name.toLowerCase()))
    for (const { member } of type) {
      if (!known.has(member.toLowerCase())) report(name, 'the listing has no such field', member)
    }
  }

  function checkQuery(name: string, field: string): void {
    const query = queries.get(field)
    if (query === undefined) {
      const other = [`get${field}`, field.replace(/^get/, '')].find((one) => queries.has(one))
      const hint = other === undefined ? '' : `; it has ${other}, see queryNaming`
      report(name, `the gateway has no query ${field}${hint}`)
      return
    }
    const listed = listedBy(schema, query)
    if (listed !== name) report(name, `the query ${field} lists ${listed ?? query.name}`)
    const where = query.args.find(({ member }) => member === 'where')
    if (where?.name !== `${name}FilterInput`) {
      report(name, `the query ${field} takes where as ${where?.name ?? 'nothing'}`)
    }
  }

  function checkMutation(name: string, field: string): void {
    const mutation = mutations.get(field)
    if (mutation === undefined) report(name, `the gateway has no mutation ${field}`)
    else if (insertedBy(mutation) !== name) {
      report(name, `the mutation ${field} takes no ${name}InsertInput`)
    }
  }

  function checkField(one: SchemaModel, field: FieldModel, members: readonly SchemaMember[]): void {
    const found = members.find(({ member }) => member === field.name)
    if (found === undefined) {
      report(one.name, 'the gateway has no such field', field.name)
      return
    }
    const type = field.object === undefined ? field.type : field.object.type
    const [ours, theirs] = [printUse(type, field.isArray), printUse(found.name, found.isList)]
    // Fields of unknown types are not selected.
    const isAsked = field.scalar !== undefined || field.object !== undefined
    if (isAsked && ours !== theirs) {
      report(one.name, `is ${ours} in the listing and ${theirs} at the gateway`, field.name)
    }
    if (one.list === undefined || field.scalar?.filter === undefined || field.isArray) return
    const filter = schema.types.get(`${one.name}FilterInput`)
    if (filter !== undefined && !filter.some(({ member }) => member === field.name)) {
      report(one.name, 'the gateway takes no condition on it', field.name)
    }
  }

  /** Reports queries of the gateway that are missing in the listing. */
  function findUnlisted(): void {
    const asked = new Set(model.schemas.flatMap(({ list }) => list?.field ?? []))
    for (const query of schema.queries) {
      const entity = listedBy(schema, query)
      if (entity === undefined || asked.has(query.member)) continue
      if (model.schemas.some(({ name, list }) => name === entity && list !== undefined)) continue
      report(entity, `the listing has no query ${query.member}`)
    }
  }

  function report(name: string, message: string, field?: string): void {
    problems.push({
      severity: 'warning',
      code: 'CROSS_CHECK',
      schema: name,
      ...(field === undefined ? {} : { field }),
      message,
    })
  }
}

const printUse = (name: string, isList: boolean): string => (isList ? `[${name}]` : name)
