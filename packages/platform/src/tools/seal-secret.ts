import { openToken, sealToken, type TokenPlace } from './seal-token.ts'

/** Prefix of an encrypted secret; without it, the secret was saved unencrypted. */
const prefix = 'sealed:1:'

/**
 * Encrypts a secret for the database, or returns it unchanged if there is no key, as on
 * PostgreSQL without `SERVICEKIT_SECRET`.
 */
export const sealSecret = (
  text: string,
  secret: string | undefined,
  place: TokenPlace,
  randomBytes: (count: number) => Buffer,
): string => (secret === undefined ? text : prefix + sealToken(text, secret, place, randomBytes))

/** Decrypts the result of {@link sealSecret}; undefined if the platform's secret has changed. */
export function openSecret(
  stored: string,
  secret: string | undefined,
  place: TokenPlace,
): string | undefined {
  if (!stored.startsWith(prefix)) return stored
  return secret === undefined ? undefined : openToken(stored.slice(prefix.length), secret, place)
}
