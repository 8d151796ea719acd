import { openToken, sealToken, type TokenPlace } from './seal-token.ts'

/** What an encrypted secret begins with; what does not was saved without encryption. */
const prefix = 'sealed:1:'

/**
 * A secret as the database keeps it: encrypted, or as it is where there is nothing
 * to encrypt with, as on PostgreSQL without `SERVICEKIT_SECRET`.
 */
export const sealSecret = (
  text: string,
  secret: string | undefined,
  place: TokenPlace,
  randomBytes: (count: number) => Buffer,
): string => (secret === undefined ? text : prefix + sealToken(text, secret, place, randomBytes))

/** Reads what {@link sealSecret} made; undefined where the secret is another one. */
export function openSecret(
  stored: string,
  secret: string | undefined,
  place: TokenPlace,
): string | undefined {
  if (!stored.startsWith(prefix)) return stored
  return secret === undefined ? undefined : openToken(stored.slice(prefix.length), secret, place)
}
