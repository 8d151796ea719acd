import { checkLookups, type LookupOptions } from '../lookups.ts'
import type { Model } from '../model.ts'
import type { LongType } from '../scalars.ts'
import { findRelations, type RelationOptions } from '../relations.ts'
import { exportsOf } from '../reserved.ts'
import { emitDiagram } from './diagram.ts'
import type { FeatureOptions, QueryOptionsKind } from './features.ts'
import { type EmittedFile, fileHead } from './file.ts'
import { buildLabels, emitLabelsFile } from './labels.ts'
import { emitLongsFile, typesWithLongs, withLongType } from './longs.ts'
import { emitModule } from './module.ts'
import { type RuntimePart, runtimeFiles } from './runtime-files.ts'
import { type EmitOptions as PrintOptions, printModule } from './source.ts'
import { objectFields } from './types.ts'
import { emitResponses } from './validators.ts'

/** Output format and optional features. */
export interface EmitOptions extends PrintOptions, FeatureOptions {
  /** Emits `diagram.md`. */
  readonly diagram: boolean
  /** Emits `gateway.labels.json`, and the keys of labels in each module. */
  readonly labels: boolean
  readonly relations: RelationOptions
  readonly lookups: LookupOptions
  /** TypeScript type of fields of type Long. */
  readonly long: LongType
}

export const defaultEmitOptions: EmitOptions = {
  importExtension: '.js',
  output: 'ts',
  documents: 'string',
  queryOptions: false,
  validators: false,
  factories: false,
  diagram: false,
  labels: false,
  relations: {},
  lookups: false,
  long: 'number',
}

/**
 * Emits all files of a model: one module per schema, the runtime `gateway*.ts` and the
 * barrel `index.ts`. Pure: equal models give equal bytes.
 *
 * ```ts
 * emitAll(model) // [{ name: 'gateway.ts', text: '…' }, { name: 'index.ts', text: '…' }, …]
 * ```
 */
export const emitAll = (model: Model, options?: Partial<EmitOptions>): readonly EmittedFile[] => [
  ...emitEach(model, options),
]

/** Like {@link emitAll}, but one file at a time: 1,000 schemas take 10 MB less memory. */
export function* emitEach(
  given: Model,
  chosen: Partial<EmitOptions> = {},
): Generator<EmittedFile, void, undefined> {
  const options = { ...defaultEmitOptions, ...chosen }
  const { long } = options
  const model = withLongType(given, long)
  const withLongs = typesWithLongs(model.schemas)
  const parts = partsOf(options)
  for (const part of parts) {
    if (part === 'gateway-longs' && long !== 'number')
      yield* emitLongsFile(model, withLongs, options)
    else yield* emitRuntime(part, options)
  }
  yield* emitBarrel(model, parts, options)
  if (options.diagram) yield emitDiagram(model, options.relations)
  if (options.validators) yield* emitResponses(model, options)
  const labelKeys = options.labels ? buildLabels(model) : undefined
  if (labelKeys !== undefined) yield emitLabelsFile(labelKeys)
  checkLookups(model, options.lookups)
  const isRelated = options.lookups !== false || options.factories
  const relations = isRelated ? findRelations(model, options.relations) : []
  const nestable = nestableTypes(model)
  const context = { ...options, withLongs, nestable, relations, labelKeys }
  for (const schema of model.schemas) yield* printModule(emitModule(schema, context), options)
}

function partsOf(options: EmitOptions): readonly RuntimePart[] {
  const parts: RuntimePart[] = [
    'gateway',
    'gateway-long',
    'gateway-longs',
    'gateway-selection',
    'gateway-walk',
    'gateway-mutations',
    'gateway-input',
  ]
  if (options.documents === 'node') parts.push('gateway-node')
  if (options.queryOptions !== false) parts.push('gateway-query')
  if (options.validators) parts.push('gateway-validate')
  if (options.factories) parts.push('gateway-factory')
  if (options.lookups !== false) parts.push('gateway-lookup')
  return parts
}

function emitRuntime(
  part: RuntimePart,
  { output, importExtension, queryOptions }: EmitOptions,
): readonly EmittedFile[] {
  const extensions = output === 'ts' ? (['ts'] as const) : (['js', 'd.ts'] as const)
  return extensions.map((extension) => ({
    name: `${part}.${extension}`,
    text: withTag(runtimeFiles[part][extension], queryOptions).replaceAll(
      `.js'\n`,
      `${importExtension}'\n`,
    ),
  }))
}

/** Types query keys by the package of TanStack Query that the application uses. */
const withTag = (text: string, kind: QueryOptionsKind): string =>
  typeof kind === 'string'
    ? text.replace(
        /readonly unknown\[\] & \{[^}]*'~data'[^}]*\}/,
        `import('${kind}').DataTag<readonly unknown[], T>`,
      )
    : text

/**
 * Convenient, and as small as deep imports with tree shaking. Deep imports are faster to
 * type-check.
 */
function emitBarrel(
  model: Model,
  parts: readonly RuntimePart[],
  { output, importExtension }: EmitOptions,
): readonly EmittedFile[] {
  const values = exportsOf('gateway', 'value').map((name) => `  ${name},\n`)
  const types = exportsOf('gateway', 'type').map((name) => `  type ${name},\n`)
  const from = (file: string): string => `from './${file}${importExtension}'\n`
  const more = (kind: 'value' | 'type'): string =>
    parts
      .filter((part) => part !== 'gateway' && exportsOf(part, kind).length > 0)
      .map(
        (part) =>
          `export ${kind === 'type' ? 'type ' : ''}{ ${exportsOf(part, kind).join(', ')} } ${from(part)}`,
      )
      .join('')
  const modules = model.schemas.map(({ file }) => `export * ${from(file)}`).join('')
  const head = (names: readonly string[]): string =>
    `${fileHead}export {\n${names.join('')}} ${from('gateway')}`
  const typed = head([...values, ...types]) + more('value') + more('type') + modules
  if (output === 'ts') return [{ name: 'index.ts', text: typed }]
  return [
    { name: 'index.js', text: head(values) + more('value') + modules },
    { name: 'index.d.ts', text: typed },
  ]
}

/**
 * Returns the types that take part in nested selections: all object types, and schemas
 * that contain one.
 */
function nestableTypes({ schemas }: Model): ReadonlySet<string> {
  const types = new Set<string>()
  for (const schema of schemas) {
    const objects = objectFields(schema)
    if (schema.kind === 'object' || objects.length > 0) types.add(schema.type)
    for (const { object } of objects) if (object !== undefined) types.add(object.type)
  }
  return types
}
