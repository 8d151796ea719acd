/** Hashes and verifies passwords with argon2id, in threads of the library. */
export interface Passwords {
  readonly hash: (password: string) => Promise<string>
  /**
   * Verifies a password. An undefined hash, for unknown users, takes as long as a wrong
   * password.
   */
  readonly verify: (hash: string | undefined, password: string) => Promise<boolean>
}

/** Longer passwords only cost time. */
const maxPasswordLength = 256
const minPasswordLength = 8

/** Returns why a new password is invalid; undefined if it is valid. */
export function passwordProblem(password: string): string | undefined {
  if (password.length < minPasswordLength) {
    return `The password must have at least ${minPasswordLength} characters.`
  }
  return password.length > maxPasswordLength
    ? `The password must have at most ${maxPasswordLength} characters.`
    : undefined
}

/** Minimum recommended by OWASP: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Creates the password functions. The library is loaded on first use. */
export function createPasswords(): Passwords {
  let decoy: Promise<string> | undefined
  const hash: Passwords['hash'] = async (password) => {
    const library = await import('@node-rs/argon2')
    return library.hash(password, cost)
  }
  return {
    hash,
    verify: async (known, password) => {
      const library = await import('@node-rs/argon2')
      // Create the decoy for known users too; otherwise the first unknown user would take
      // twice as long.
      const unknown = await (decoy ??= hash('nobody has this one'))
      const isTooLong = password.length > maxPasswordLength
      if (known !== undefined && !isTooLong) return library.verify(known, password)
      await library.verify(unknown, password.slice(0, maxPasswordLength))
      return false
    },
  }
}
