/**
 * Preset for GraphQL Code Generator. Its files are identical to those of `generate`, and
 * the same run may generate other output too. Requires the loader
 * (`@servicekit/codegen/loader`) as the schema of the output.
 *
 * GraphQL Code Generator does not remove files of removed schemas; `generate` does.
 */
import { type OutputOptions, outputOptionNames } from '@servicekit/contract/output-options'
import { emitAll } from './emit/emit-all.ts'
import { CodegenError } from './errors.ts'
import { normaliseListing } from './normalise.ts'
import { refuseUnknown, resolveEmitOptions } from './options.ts'
import { formatProblem, type Problem } from './problem.ts'
import { modelOf, readListingExtension } from './read-source.ts'

export interface PresetConfig extends OutputOptions {
  /**
   * Called for each problem of the listing. By default warnings are printed to the
   * console.
   */
  readonly onProblem?: ((problem: Problem) => void) | undefined
}

/** Arguments of a preset, reduced to those that are used here. */
export interface PresetArguments {
  readonly baseOutputDir: string
  readonly presetConfig: PresetConfig
  readonly config: { readonly importExtension?: unknown }
  readonly schema: unknown
  readonly schemaAst?: { readonly extensions: unknown } | undefined
}

/** File for GraphQL Code Generator to write. */
export interface PresetOutput {
  filename: string
  plugins: { [name: string]: { text: string } }[]
  pluginMap: { [name: string]: { plugin: PrintPlugin } }
  // Types of the generator, which is not a dependency of this package.
  // oxlint-disable-next-line typescript/no-explicit-any
  schema: any
  // oxlint-disable-next-line typescript/no-explicit-any
  schemaAst: any
  documents: never[]
  config: { [name: string]: unknown }
}

export type PrintPlugin = (schema: unknown, documents: unknown, config: { text: string }) => string

/**
 * Preset for the data gateway.
 *
 * ```ts
 * generates: { './src/gateway/': { preset: servicekitPreset, presetConfig: { queryNaming: 'as-given' } } }
 * ```
 */
export const servicekitPreset: {
  readonly buildGeneratesSection: (options: PresetArguments) => PresetOutput[]
} = { buildGeneratesSection }

/** Export name used when a configuration refers to the preset by name. */
export { servicekitPreset as preset }

const known = [...outputOptionNames, 'onProblem'] as const satisfies readonly (keyof PresetConfig)[]

function buildGeneratesSection(options: PresetArguments): PresetOutput[] {
  const { presetConfig, schema, schemaAst, baseOutputDir, config } = options
  refuseUnknown(Object.keys(presetConfig), known)
  const found = readListingExtension(schemaAst?.extensions)
  if (found === undefined) {
    throw new CodegenError('The schema contains no listing of the data gateway', {
      code: 'CONFIG_INVALID',
      help: "Set the schema of this output to servicekitSchema(…) of '@servicekit/codegen/loader'.",
    })
  }
  const { onProblem, ...given } = presetConfig
  const { emit, ...modelOptions } = resolveEmitOptions({
    ...given,
    // The generator passes '' if nothing is configured, but Node cannot resolve such
    // imports.
    importExtension: given.importExtension ?? (String(config.importExtension ?? '') || '.js'),
  })
  const model = modelOf(normaliseListing(found.listing()), found.from, modelOptions)
  for (const problem of model.problems) (onProblem ?? warn)(problem)
  const folder = baseOutputDir.replace(/\/*$/, '/')
  return emitAll(model, emit).map(({ name, text }) => ({
    filename: folder + name,
    plugins: [{ servicekit: { text } }],
    pluginMap: { servicekit: { plugin: print } },
    schema,
    schemaAst,
    documents: [],
    config: {},
  }))
}

const print: PrintPlugin = (_schema, _documents, { text }) => text

function warn(problem: Problem): void {
  if (problem.severity === 'warning') console.warn(formatProblem(problem))
}
