import { ConfigError } from './errors.ts'

export type Headers = Readonly<Record<string, string>>

/**
 * Validates headers and converts their names to lower case. A transport would reject an
 * invalid header too, but with the value, which may be secret, in the message.
 *
 * @throws ConfigError with the name of the header, never the value.
 */
export function readHeaders(given: Headers = {}): Headers {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw new ConfigError(`${JSON.stringify(name)} is not a valid header name`)
    }
    if (typeof value !== 'string' || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw new ConfigError(`The header ${name} has an invalid value`, {
        help: 'Header values may contain only visible Latin-1 characters, without line breaks.',
      })
    }
    headers[name.toLowerCase()] = value.trim()
  }
  return headers
}

/**
 * Returns the values to redact when a service echoes a request: values of headers set by
 * the user, and the part after a scheme such as `Bearer`.
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
      // Each single cookie is a secret.
      ...(name === 'cookie' ? value.split(';') : []).map((one) =>
        one.slice(one.indexOf('=') + 1).trim(),
      ),
    ])
    .concat(more.map((value) => value ?? ''))
    .filter((value) => value.length >= 6)
  // Longest first, so that nothing remains of a secret that contains another one.
  return [...new Set(values.flatMap((value) => variants(value)))].sort(
    (one, other) => other.length - one.length,
  )
}

/** Returns a value as it appears in plain text, JSON, a query and a form. */
const variants = (value: string): readonly string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, '\ufffd')),
  String(new URLSearchParams([['', value]])).slice(1),
]

/** Returns the text without the secrets, and without a truncated secret at its end. */
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
 * Redacts the secrets of a request (see {@link secretsOf}) and the queries of URLs, which
 * contain signatures, codes and states.
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
