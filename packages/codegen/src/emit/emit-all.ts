import type { Model } from '../model.ts'
import { runtimeTypes, runtimeValues } from '../reserved.ts'
import { type EmittedFile, fileHead } from './file.ts'
import { gatewaySource } from './gateway-source.ts'
import { emitModule, type EmitOptions } from './module.ts'
import { objectFields } from './types.ts'

/**
 * All files for a model: one module per schema, the runtime `gateway.ts` and
 * the barrel `index.ts`. Pure: the same model gives the same bytes.
 *
 * ```ts
 * emitAll(model) // [{ name: 'gateway.ts', text: '…' }, { name: 'index.ts', text: '…' }, …]
 * ```
 */
export function emitAll(model: Model, options?: EmitOptions): readonly EmittedFile[] {
  return [...emitEach(model, options)]
}

/** {@link emitAll}, one file at a time, so that a thousand are never in memory at once. */
export function* emitEach(
  model: Model,
  options: EmitOptions = { importExtension: '.js' },
): Generator<EmittedFile, void, undefined> {
  yield { name: 'gateway.ts', text: gatewaySource }
  yield { name: 'index.ts', text: emitBarrel(model, options) }
  const nestable = nestableTypes(model)
  for (const schema of model.schemas) yield emitModule(schema, { ...options, nestable })
}

/** Convenient, and fine where a bundler shakes trees; a deep import is quicker to type-check. */
function emitBarrel(model: Model, { importExtension }: EmitOptions): string {
  const values = runtimeValues.map((name) => `  ${name},\n`)
  const types = runtimeTypes.map((name) => `  type ${name},\n`)
  const modules = model.schemas.map(({ file }) => `export * from './${file}${importExtension}'\n`)
  return `${fileHead}export {\n${[...values, ...types].join('')}} from './gateway${importExtension}'\n${modules.join('')}`
}

/** Types that take part in nested selections: all objects, and what holds or is one. */
function nestableTypes({ schemas }: Model): ReadonlySet<string> {
  const types = new Set<string>()
  for (const schema of schemas) {
    const objects = objectFields(schema)
    if (schema.kind === 'object' || objects.length > 0) types.add(schema.type)
    for (const { object } of objects) if (object !== undefined) types.add(object.type)
  }
  return types
}
