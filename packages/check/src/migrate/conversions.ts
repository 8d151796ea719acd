import type { MessageModel, ParameterType } from '@servicekit/catalog'
import { ts } from 'ts-morph'
import { propertyName } from '../usage/scopes.ts'
import type { ResolvedReference } from '../usage/usage.ts'
import type { ArgumentTypes } from './argument-types.ts'
import type { Edit } from '../edit/edits.ts'

/** Argument of a message. */
export interface GivenArgument {
  readonly name: string
  readonly value: ts.Expression
  /** `true` for `{ name }`. */
  readonly isShort: boolean
}

/** Returns the arguments in an object literal, without those whose values are not visible. */
export const givenIn = (
  properties: readonly ts.ObjectLiteralElementLike[],
): readonly GivenArgument[] =>
  properties.flatMap((property) => {
    const name = property.name && propertyName(property.name as ts.PropertyName)
    const isShort = ts.isShorthandPropertyAssignment(property)
    const value = isShort
      ? property.name
      : ts.isPropertyAssignment(property)
        ? property.initializer
        : undefined
    return name === undefined || !value ? [] : [{ name, value, isShort }]
  })

/**
 * Returns the edits that convert arguments to the types of their parameters, or the
 * reason why that is not possible.
 */
export function convertArguments(
  { path, read: { source } }: ResolvedReference,
  given: readonly GivenArgument[],
  message: MessageModel,
  { conversionOf }: ArgumentTypes,
): readonly Edit[] | string {
  const edits: Edit[] = []
  for (const { name, value, isShort } of given) {
    const [start, end] = [value.getStart(source), value.getEnd()]
    const conversion = conversionOf(path, { start, end }, typeOf(message, name))
    if (!conversion) continue
    if ('reason' in conversion) return conversion.reason
    // Insert around the argument: it may contain calls that are replaced too.
    const [before, after] = conversion.around(source.text.slice(start, end))
    edits.push({ start, end: start, text: isShort ? `${name}: ${before}` : before })
    edits.push({ start: end, end, text: after })
  }
  return edits
}

const typeOf = (message: MessageModel, name: string): ParameterType =>
  message.types.get(name) ?? (message.plural && name === 'count' ? 'number' : 'value')
