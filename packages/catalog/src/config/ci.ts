import type { Environment } from './options.ts'

/** Returns whether a program runs in CI, where `servicekit pull` only verifies by default. */
export const isCi = (environment: Environment): boolean =>
  !['', '0', 'false', undefined].includes(environment['CI'])

/**
 * Returns the command that fetches translations, for advice in errors. With `CI=true` a
 * plain `pull` would only verify the committed files, and fail again.
 */
export const pullCommand = (environment: Environment = process.env): string =>
  isCi(environment) ? '`servicekit pull --no-frozen`' : '`servicekit pull`'
