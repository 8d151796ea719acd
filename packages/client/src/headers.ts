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
  if (!isObject(given)) throw new ConfigError('headers must be an object')
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw new ConfigError(`The header name ${JSON.stringify(name)} is not valid`)
    }
    if (typeof value !== 'string' || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw new ConfigError(`The header ${name} must have visible Latin-1 characters only`)
    }
    headers[name.toLowerCase()] = value.trim()
  }
  return headers
}
