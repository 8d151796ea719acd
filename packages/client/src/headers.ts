import { ConfigError } from './errors.ts'

export type Headers = Readonly<Record<string, string>>

/**
 * Headers with lower-case names, each checked. A transport would refuse a wrong
 * one too, but with the value, which may be a secret, in its message.
 *
 * @throws ConfigError naming the header, never its value.
 */
export function readHeaders(given: Headers = {}): Headers {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw new ConfigError(`${JSON.stringify(name)} cannot be the name of a header`)
    }
    if (typeof value !== 'string' || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw new ConfigError(`The header ${name} has a value that cannot be sent`, {
        help: 'A header holds visible characters of Latin 1, and no line break.',
      })
    }
    headers[name.toLowerCase()] = value.trim()
  }
  return headers
}

/**
 * What must not be shown when a service echoes a request: the values of headers
 * that the user gave, and what follows a scheme such as `Bearer`.
 */
export function secretsOf(
  headers: Headers,
  more: readonly (string | null | undefined)[] = [],
): readonly string[] {
  const values = Object.entries(headers)
    .filter(
      ([name]) => !/^(?:accept|content-|user-agent|if-|x-request-id|x-service-key)/.test(name),
    )
    .flatMap(([name, value]) => [
      value,
      value.slice(value.indexOf(' ') + 1),
      // Each cookie by itself is as good as all of them.
      ...(name === 'cookie' ? value.split(';') : []).map((one) =>
        one.slice(one.indexOf('=') + 1).trim(),
      ),
    ])
    .concat(more.map((value) => value ?? ''))
    .filter((value) => value.length >= 6)
  // Longer ones first: of one that has another in it nothing may be left.
  return [...new Set(values.flatMap((value) => spellings(value)))].sort(
    (one, other) => other.length - one.length,
  )
}

/** A text as it stands in JSON, in a query and in a form as well. */
const spellings = (value: string): readonly string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, '\ufffd')),
  String(new URLSearchParams([['', value]])).slice(1),
]

/** Returns the text without the secrets, and without the beginning of one where it is cut. */
export function redact(text: string, secrets: readonly string[]): string {
  const shown = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[not shown]'), text)
  for (const secret of secrets) {
    for (let length = secret.length - 1; length >= 6; length--) {
      if (shown.endsWith(secret.slice(0, length))) return `${shown.slice(0, -length)}[not shown]`
    }
  }
  return shown
}

/**
 * The text without what a request kept secret (see {@link secretsOf}), and without the queries
 * of addresses: signatures, codes and states are in them.
 */
export const conceal = (
  text: string,
  headers: Headers,
  more?: readonly (string | null | undefined)[],
): string =>
  redact(text, secretsOf(headers, more)).replaceAll(
    /(\bhttps?:[^\s"'<>?#]*)[?#][^\s"'<>]*/gi,
    '$1?[not shown]',
  )
