import { isObject } from '@servicekit/core'

const secretName = /SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|ACCESS_?KEY|DATABASE_URL/i

/** Shorter values occur in ordinary text. */
const minLength = 6

/**
 * Returns a function that replaces the secrets of the environment by `***` in every string of
 * a value. The project key is none: browsers send it.
 */
export function createRedactor(
  environment: Readonly<Record<string, string | undefined>>,
): <T>(value: T) => T {
  const secrets = Object.entries(environment)
    .flatMap(([name, value]) =>
      secretName.test(name) && value !== undefined && value.length >= minLength ? [value] : [],
    )
    // A secret may contain another one.
    .sort((a, b) => b.length - a.length)
  const redactText = (text: string): string =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value)
    if (Array.isArray(value)) return value.map(redact)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [redactText(name), redact(member)]),
    )
  }
  return <T>(value: T) => redact(value) as T
}
