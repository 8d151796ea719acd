import { narrowestOf, type ParameterType } from '../syntax/message.ts'
import { isPlain, type Translation, usesOfTranslation } from './parse-translation.ts'

/** Types of the parameters that calls of a message pass, with the `count` of a plural. */
export type PassedParameters = ReadonlyMap<string, ParameterType>

/** Parameter of a translation that calls of its message do not pass in a usable type. */
export interface UnusableParameter {
  readonly name: string
  /** Type that the translation needs. */
  readonly needed: ParameterType
  /** Type that calls pass; undefined if they do not pass the parameter. */
  readonly given: ParameterType | undefined
}

/** Returns the parameters that calls of a message pass. */
export function passedParameters(message: {
  readonly params: readonly string[]
  readonly types: ReadonlyMap<string, ParameterType>
  readonly plural: boolean
}): PassedParameters {
  const passed = new Map<string, ParameterType>(
    message.params.map((name) => [name, message.types.get(name) ?? 'value']),
  )
  return message.plural ? passed.set('count', 'number') : passed
}

/**
 * Returns the parameters that a translation uses and calls do not pass: one would be shown as
 * `undefined`, or throw. A translation may omit parameters.
 */
export function unusableParameters(
  translation: Translation,
  passed: PassedParameters,
): readonly UnusableParameter[] {
  if (isPlain(translation)) return []
  return [...usesOfTranslation(translation)].flatMap(([name, uses]) => {
    const given = passed.get(name)
    // Showing a value as it is, too, is not what decides its type.
    const needed = [...uses].filter((type) => type !== 'value' || uses.size === 1)
    const unusable =
      given === undefined
        ? narrowestOf(uses)
        : needed.find((type) => !usableAs[given].includes(type))
    return unusable === undefined ? [] : [{ name, needed: unusable, given }]
  })
}

/**
 * Types that a translation may use a parameter as, by the type that calls pass. Plurals read a
 * number from a string; a date or a list cannot be made from one, nor be shown without a format.
 */
const usableAs: Readonly<Record<ParameterType, readonly ParameterType[]>> = {
  value: ['value', 'number', 'flag'],
  number: ['number', 'value', 'flag', 'date'],
  date: ['date', 'flag'],
  list: ['list', 'flag'],
  flag: ['flag', 'value'],
}
