import { mutationKinds } from '@servicekit/core'
import { buildLabels } from './emit/labels.ts'
import { emitModule } from './emit/module.ts'
import { runtimeExports } from './emit/runtime-exports.ts'
import { printModule } from './emit/source.ts'
import type { SchemaModel } from './model.ts'
import type { FieldModel } from './model-field.ts'
import { type LongType, longScalar, type Scalar, scalars } from './scalars.ts'

/** Keywords of JavaScript, which the names of mutations may be. */
const keywords = `
break case catch class const continue debugger default delete do else enum
export extends false finally for function if implements import in instanceof interface
let new null package private protected public return static super switch this
throw true try typeof var void while with yield await arguments`
  .trim()
  .split(/\s+/)

// The names that generated code contains are read from the modules of schemas that have everything.
// `$` marks what differs from one schema to another: T$ stands for its type, L$ for its list, M$ for
// a mutation, and the others for what belongs to other schemas.

const systemFields = [
  ['ItemId', 'String'],
  ['CreatedDate', 'DateTime'],
  ['LastUpdatedDate', 'DateTime'],
  ['CreatedBy', 'String'],
  ['LastUpdatedBy', 'String'],
  ['Language', 'String'],
  ['OrganizationId', 'String'],
  ['Tags', 'String', true],
] as const

const fieldOf = (name: string, scalar: Scalar, isArray = false, isSelected = true): FieldModel => ({
  name,
  type: scalar.name,
  isArray,
  requiredOn: 'None',
  description: '',
  isSelected,
  scalar,
  object: undefined,
})

function probeOf(kind: SchemaModel['kind'], long: LongType, hasSystemFields: boolean): SchemaModel {
  const known = new Map(scalars).set('Long', longScalar(long))
  const text = known.get('String')!
  const system = systemFields.map(([name, type, isArray]) =>
    fieldOf(name, known.get(type)!, isArray),
  )
  const isEntity = kind === 'entity'
  const operation = { identifier: 'M$', field: 'field$' }
  return {
    name: 'Name$',
    kind,
    file: 'file$',
    type: 'T$',
    fields: [
      ...(hasSystemFields ? system : []),
      ...[...known.values()].map((scalar) => fieldOf(`${scalar.name}$`, scalar)),
      fieldOf('list$', text, true),
      fieldOf('other$', text, false, false),
      { ...fieldOf('object$', text), scalar: undefined, object: { file: 'object$', type: 'O$' } },
      { ...fieldOf('unknown$', text), scalar: undefined },
    ],
    list: isEntity
      ? {
          identifier: 'listL$',
          field: 'field$',
          get: 'getT$',
          count: 'countL$',
          walk: 'walkL$',
          pick: 'pickL$',
        }
      : undefined,
    mutations: isEntity ? Object.fromEntries(mutationKinds.map((one) => [one, operation])) : {},
  }
}

function emitProbe(schema: SchemaModel, long: LongType, documents: 'string' | 'node'): string {
  const reference = schema.fields.find(({ name }) => name === 'String$')!
  const source = emitModule(schema, {
    importExtension: '',
    documents,
    long,
    longFilter: 'number',
    bulkResponse: 'BulkActionResponse',
    nestedFilters: true,
    queryOptions: true,
    validators: true,
    factories: true,
    lookups: true,
    relations: [{ from: schema, field: reference, to: { ...schema, type: 'R$', file: 'r$' } }],
    labelKeys: buildLabels({ schemas: [schema], problems: [] }),
    nestable: new Set(['T$', 'O$']),
    withLongs: new Set(['T$', 'O$']),
  })
  return printModule(source, { importExtension: '', output: 'ts' })
    .map(({ text }) => text)
    .join('')
}

/** Returns the identifiers of generated code, without members and parameters. */
const identifiersIn = (code: string): readonly string[] =>
  code
    .replaceAll(/\/\*[^]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'/g, ' ')
    .match(/[\w$]+(?![\w$]|\??:)|[\w$]*\$[\w$]*/g) ?? []

const emitted = new Set(
  (['number', 'bigint', 'string'] as const).flatMap((long, index) =>
    [
      probeOf('entity', long, true),
      probeOf('entity', long, false),
      probeOf('object', long, false),
    ].flatMap((schema) => identifiersIn(emitProbe(schema, long, index === 0 ? 'string' : 'node'))),
  ),
)

/** Identifiers that generated modules use or the barrel exports, which are not available to schemas. */
export const reservedNames: readonly string[] = [
  ...new Set([
    ...[...emitted].filter((name) => !name.includes('$')),
    ...Object.values(runtimeExports).flatMap(({ values, types }) => [...values, ...types]),
    ...keywords,
  ]),
]

const containing = (mark: string): readonly string[] =>
  [...emitted].filter((name) => name.includes(mark))

const typeNames = containing('T$')
const listNames = containing('L$')
const mutationNames = containing('M$')

/** Returns all names that the module of a schema may export, derived from its type name. */
export const derivedNames = (type: string): readonly string[] =>
  typeNames.map((name) => name.replace('T$', type))

/** Returns all names derived from the function name of a list query or mutation. */
export const derivedOperations = (identifier: string): readonly string[] =>
  identifier.startsWith('list')
    ? listNames.map((name) => name.replace('L$', identifier.slice('list'.length)))
    : mutationNames.map((name) => name.replace('M$', identifier))
