import {
  outputOptionNames,
  outputOptions,
  type OutputOptions,
  type ResolvedOutputOptions,
} from '@servicekit/contract/output-options'
import type { GatewayShape } from '@servicekit/contract/service'
import { invalidValue } from '@servicekit/core'
import { invalid } from './resolve-source.ts'

/**
 * Validates the options of the output and adds defaults.
 *
 * @param shape Defaults of the preset.
 * @throws CodegenError CONFIG_INVALID
 */
export function readOutputOptions(
  options: OutputOptions,
  shape: Partial<GatewayShape> = {},
): ResolvedOutputOptions {
  const values: Partial<Record<keyof OutputOptions, unknown>> = options
  const defaults: Partial<Record<keyof OutputOptions, unknown>> = shape
  const read = outputOptionNames.map((name) => {
    const { byDefault, expected, isValid } = outputOptions[name]
    const { [name]: value = defaults[name] ?? byDefault } = values
    if (!isValid(value)) throw invalid(invalidValue(name, expected, value))
    return [name, value]
  })
  return Object.fromEntries(read) as ResolvedOutputOptions
}

/** Defaults without a preset. */
export const defaultOutputOptions: ResolvedOutputOptions = readOutputOptions({})
