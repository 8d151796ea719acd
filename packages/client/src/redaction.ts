import { escapePattern } from '@servicekit/core'
import type { Headers } from './headers.ts'

/** Headers whose values are not secret. */
const openHeaders = /^(?:accept|content-|user-agent|if-|x-request-id|x-service-key)/

/** Replaces a secret. */
const mask = '[not shown]'

/** Length from which a text is so rare that it is a secret wherever it occurs. */
const distinctLength = 6

/**
 * Returns the values to redact when a service echoes a request: values of headers set by the
 * user, the part after a scheme such as `Bearer`, each cookie, and the secrets of the body.
 * Short headers such as `x-version: 1` are no secrets.
 */
export function secretsOf(
  headers: Headers,
  ofBody: readonly (string | null | undefined)[] = [],
): readonly string[] {
  const ofHeaders = Object.entries(headers)
    .filter(([name]) => !openHeaders.test(name))
    .flatMap(([name, value]) => [
      value,
      value.slice(value.indexOf(' ') + 1),
      ...(name === 'cookie' ? value.split(';') : []).map((one) =>
        one.slice(one.indexOf('=') + 1).trim(),
      ),
    ])
    .filter((value) => value.length >= distinctLength)
  const given = ofBody.filter((value): value is string => !!value)
  const all = new Set(
    [...ofHeaders, ...given].flatMap((value) => [
      value,
      value.replaceAll(' ', '+'),
      // Without its padding, which not every encoder writes.
      btoa(String.fromCharCode(...new TextEncoder().encode(value))),
    ]),
  )
  // Longest first, so that nothing remains of a secret that contains another one.
  return [...all].sort((one, other) => other.length - one.length)
}

/**
 * Redacts secrets, and a truncated secret at the end of the text. A secret shorter than
 * {@link distinctLength} may be part of any word: it is redacted where it is a word itself.
 */
export function redact(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) {
    if (secret.length < distinctLength) {
      text = text.replaceAll(
        new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(secret)}(?![\\p{L}\\p{N}])`, 'gu'),
        mask,
      )
      continue
    }
    text = text.replaceAll(secret, mask)
    let length = secret.length - 1
    while (length >= distinctLength && !text.endsWith(secret.slice(0, length))) length--
    if (length >= distinctLength) text = text.slice(0, -length) + mask
  }
  return text
}

/** Decodes the escapes of JSON, URLs, forms and HTML. */
const decode = (text: string): string =>
  text
    .replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) => {
      try {
        return decodeURIComponent(bytes)
      } catch {
        return bytes
      }
    })
    .replaceAll(/\\+u([\da-f]{4})|&#x([\da-f]+);|&#(\d+);/gi, (_, unit, hex, decimal) =>
      // The halves of a pair of surrogates become one character.
      String.fromCodePoint(Math.min(Number(decimal ?? `0x${unit ?? hex}`), 0x10_ff_ff)),
    )
    .replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name]!)
    .replaceAll(/\\+(?=["/])|(?<=\\)\\+/g, '')
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

/**
 * Redacts the secrets of a request (see {@link secretsOf}), also where the service encoded
 * them, and the queries of URLs, which contain signatures, codes and states.
 */
export function conceal(
  text: string,
  headers: Headers,
  ofBody?: readonly (string | null | undefined)[],
): string {
  const secrets = secretsOf(headers, ofBody)
  const plain = redact(text, secrets)
  const decoded = decode(decode(plain))
  const hidden = redact(decoded, secrets)
  // A text without encoded secrets keeps its escapes, so that JSON remains JSON.
  return (hidden === decoded ? plain : hidden).replaceAll(
    /(\bhttps?(?::|%3a)(?:(?!%3f|%23)[^\s"'<>?#])*)(?:[?#]|%3f|%23)[^\s"'<>]*/gi,
    `$1?${mask}`,
  )
}
