/** Hashes and checks passwords with argon2id, in threads of the library. */
export interface Passwords {
  readonly hash: (password: string) => Promise<string>
  /** With undefined for someone who has no password: as slow as with a wrong one. */
  readonly verify: (hash: string | undefined, password: string) => Promise<boolean>
}

/** Longer ones only cost time. */
const maxPasswordLength = 256
const minPasswordLength = 8

/** What is wrong with a new password. */
export function passwordFault(password: string): string | undefined {
  if (password.length < minPasswordLength) {
    return `The password needs at least ${minPasswordLength} characters.`
  }
  return password.length > maxPasswordLength
    ? `The password may have at most ${maxPasswordLength} characters.`
    : undefined
}

/** OWASP's smallest: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const saltBytes = 16

/** The library is loaded with the first password. */
export function passwordsOf(randomBytes: (count: number) => Buffer): Passwords {
  let decoy: Promise<string> | undefined
  const hash: Passwords['hash'] = async (password) => {
    // Taken at once: what else takes of a seed meanwhile must not come in between.
    const salt = randomBytes(saltBytes)
    const library = await import('@node-rs/argon2')
    return library.hash(password, { ...cost, salt })
  }
  return {
    hash,
    verify: async (known, password) => {
      const library = await import('@node-rs/argon2')
      // Made for known users too, or the first unknown one would take twice as long.
      const unknown = await (decoy ??= hash('nobody has this one'))
      const isTooLong = password.length > maxPasswordLength
      if (known !== undefined && !isTooLong) return library.verify(known, password)
      await library.verify(unknown, password.slice(0, maxPasswordLength))
      return false
    },
  }
}
