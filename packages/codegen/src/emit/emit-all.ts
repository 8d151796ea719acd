import type { Model } from '../model.ts'
import { exportsOf } from '../reserved.ts'
import type { FeatureOptions } from './features.ts'
import { type EmittedFile, fileHead } from './file.ts'
import { emitModule } from './module.ts'
import { type RuntimePart, runtimeFiles } from './runtime-files.ts'
import { type EmitOptions as PrintOptions, printModule } from './source.ts'
import { objectFields } from './types.ts'

/** Output format and optional features. */
export interface EmitOptions extends PrintOptions, FeatureOptions {}

export const defaultEmitOptions: EmitOptions = {
  importExtension: '.js',
  output: 'ts',
  documents: 'string',
  queryOptions: false,
  validators: false,
  factories: false,
}

/**
 * Emits all files of a model: one module per schema, the runtime `gateway.ts` and the
 * barrel `index.ts`. Pure: equal models give equal bytes.
 *
 * ```ts
 * emitAll(model) // [{ name: 'gateway.ts', text: '…' }, { name: 'index.ts', text: '…' }, …]
 * ```
 */
export function emitAll(model: Model, options?: Partial<EmitOptions>): readonly EmittedFile[] {
  return [...emitEach(model, options)]
}

/**
 * Like {@link emitAll}, but one file at a time, so that large outputs are never
 * completely in memory.
 */
export function* emitEach(
  model: Model,
  given: Partial<EmitOptions> = {},
): Generator<EmittedFile, void, undefined> {
  const options = { ...defaultEmitOptions, ...given }
  const parts = partsOf(options)
  for (const part of parts) yield* emitRuntime(part, options)
  yield* emitBarrel(model, parts, options)
  const context = { ...options, nestable: nestableTypes(model) }
  for (const schema of model.schemas) {
    yield* printModule(emitModule(schema, context), options)
  }
}

function partsOf({
  documents,
  queryOptions,
  validators,
  factories,
}: EmitOptions): readonly RuntimePart[] {
  const parts: RuntimePart[] = ['gateway', 'gateway-walk']
  if (documents === 'node') parts.push('gateway-node')
  if (queryOptions) parts.push('gateway-query')
  if (validators) parts.push('gateway-validate')
  if (factories) parts.push('gateway-factory')
  return parts
}

function* emitRuntime(
  part: RuntimePart,
  { output, importExtension }: EmitOptions,
): Generator<EmittedFile, void, undefined> {
  for (const extension of output === 'ts' ? (['ts'] as const) : (['js', 'd.ts'] as const)) {
    const text = runtimeFiles[part][extension]
    yield { name: `${part}.${extension}`, text: text.replaceAll(`.js'\n`, `${importExtension}'\n`) }
  }
}

/**
 * Convenient, and as small as deep imports with tree shaking. Deep imports are faster to
 * type-check.
 */
function* emitBarrel(
  model: Model,
  parts: readonly RuntimePart[],
  { output, importExtension }: EmitOptions,
): Generator<EmittedFile, void, undefined> {
  const runtime = exportsOf('gateway')
  const values = runtime.values.map((name) => `  ${name},\n`)
  const types = runtime.types.map((name) => `  type ${name},\n`)
  const from = (file: string): string => `from './${file}${importExtension}'\n`
  const more = parts
    .filter((part) => part in partTypes)
    .map((part) => `export type { ${partTypes[part]?.join(', ')} } ${from(part)}`)
    .join('')
  const modules = model.schemas.map(({ file }) => `export * ${from(file)}`).join('')
  const head = (names: readonly string[]): string =>
    `${fileHead}export {\n${names.join('')}} ${from('gateway')}`
  if (output === 'ts') {
    yield { name: 'index.ts', text: head([...values, ...types]) + more + modules }
    return
  }
  yield { name: 'index.js', text: head(values) + modules }
  yield { name: 'index.d.ts', text: head([...values, ...types]) + more + modules }
}

/** Types that the barrel exports from the optional runtime files. */
const partTypes: { readonly [part in RuntimePart]?: readonly string[] } = {
  'gateway-node': ['GatewayDocumentNode'],
  'gateway-query': ['GatewayQueryOptions'],
  'gateway-validate': ['StandardIssue', 'StandardResult', 'StandardSchema'],
  'gateway-factory': ['GatewayFactory'],
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
