/** Lifetimes of sign-in state in seconds, as on deployed instances. */
export const lifetimes = {
  /** Sign-in, from its start to its callback, including the login page. */
  flow: 600,
  /** Authorization code, until it is exchanged. */
  code: 600,
  access: 420,
  /** Session without refresh, and its refresh token. */
  idle: 1800,
  /** Maximum age of a session, regardless of refreshes. */
  absolute: 7 * 24 * 3600,
  invitation: 7 * 24 * 3600,
  /** Link of a password reset. */
  reset: 1800,
} as const

/** Grace period in ms in which a used refresh token returns the same response. */
export const graceMs = 10_000

/** Returns the lifetime of a refresh token in seconds; it never exceeds its session. */
export const refreshLifetime = (age: number): number =>
  Math.max(1, Math.min(lifetimes.idle, lifetimes.absolute - age))

export const after = (from: Date, seconds: number): Date =>
  new Date(from.getTime() + seconds * 1000)
