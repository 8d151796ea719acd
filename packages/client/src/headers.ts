import { isObject } from '@servicekit/core'
import { ConfigError } from './errors.ts'

export type Headers = Readonly<Record<string, string>>

/**
 * Validates headers and converts their names to lower case. A transport would reject an
 * invalid header too, but with the value, which may be secret, in the message.
 *
 * @throws ConfigError with the name of the header, never the value.
 */
export function readHeaders(given: Headers = {}): Headers {
  // A Map or a Headers has no properties, so that its headers would be lost.
  if (!isObject(given) || Symbol.iterator in given) {
    throw new ConfigError('headers must be an object')
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw new ConfigError(`Invalid header name ${JSON.stringify(name)}`)
    }
    if (typeof value !== 'string' || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw new ConfigError(`The header ${name} must be visible Latin-1 text`)
    }
    headers[name.toLowerCase()] = value.trim()
  }
  return headers
}
