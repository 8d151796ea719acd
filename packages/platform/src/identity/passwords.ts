/** Longer passwords only cost time. */
const maxPasswordLength = 256
const minPasswordLength = 8

/** Minimum recommended by OWASP: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hash of a random password, with the same cost. */
const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$kKYsiemlGC9uvdy8f3u3NA$MVUWVkTOjD2VX76sg8L7C3RnMP5a6LUdRxIvsQn5oUU'

/** Returns why a new password is invalid; undefined if it is valid. */
export function passwordProblem(password: string): string | undefined {
  if (password.length < minPasswordLength) {
    return `The password must have at least ${minPasswordLength} characters.`
  }
  if (password.trim() === '') return 'The password must not consist of white space.'
  return password.length > maxPasswordLength
    ? `The password must have at most ${maxPasswordLength} characters.`
    : undefined
}

/** Hashes a password with argon2id, in a thread of the library, which is loaded on first use. */
export async function hashPassword(password: string): Promise<string> {
  const argon2 = await import('@node-rs/argon2')
  return argon2.hash(password, cost)
}

/** Verifies a password. Without a hash, as for unknown users, it takes as long as with one. */
export async function verifyPassword(
  hash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const argon2 = await import('@node-rs/argon2')
  const isTooLong = password.length > maxPasswordLength
  const isCorrect = await argon2.verify(hash ?? decoyHash, password.slice(0, maxPasswordLength))
  return isCorrect && hash != null && !isTooLong
}
