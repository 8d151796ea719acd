import { mutationKinds } from '@servicekit/core'
import { expect, test } from 'vitest'
import { buildLabels } from './emit/labels.ts'
import { emitModule } from './emit/module.ts'
import { printModule } from './emit/source.ts'
import type { SchemaModel } from './model.ts'
import type { FieldModel } from './model-field.ts'
import { derivedPatterns, reservedNames } from './reserved.ts'
import { type LongType, longScalar, type Scalar, scalars } from './scalars.ts'

// Modules of schemas that have everything. `$` marks what differs from one schema to another: T$ is
// its type, L$ its list, M$ a mutation, and the other names belong to other schemas.

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

const sorted = (names: readonly string[]): readonly string[] => [...names].sort()

test.each([
  ['T$', derivedPatterns.typeNames],
  ['L$', derivedPatterns.listNames],
  ['M$', derivedPatterns.mutationNames],
])('the names with %s are those that modules contain', (mark, names) => {
  expect(sorted(names)).toEqual(sorted([...emitted].filter((name) => name.includes(mark))))
})

test('all other names of modules are reserved', () => {
  const others = [...emitted].filter((name) => !/\$|^\d/.test(name))
  expect(others.filter((name) => !reservedNames.includes(name))).toEqual([])
  expect(derivedPatterns.usedNames.filter((name) => !others.includes(name))).toEqual([])
})
