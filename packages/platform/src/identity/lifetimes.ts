/** How long things of a sign-in last, in seconds; as on deployed instances. */
export const lifetimes = {
  /** A sign-in from its start to its callback, and the login page within. */
  flow: 600,
  /** A code, until it is exchanged. */
  code: 600,
  /** An access token. */
  access: 420,
  /** A session that is not renewed, and with it a refresh token. */
  idle: 1800,
  /** A session in all, however often it is renewed. */
  absolute: 7 * 24 * 3600,
  /** An invitation. */
  invitation: 7 * 24 * 3600,
} as const

/** How long a refresh token of a session of this age lasts, in seconds: never beyond its end. */
export const refreshLifetime = (age: number): number =>
  Math.max(1, Math.min(lifetimes.idle, lifetimes.absolute - age))

/** An instant some seconds after another one. */
export const after = (from: Date, seconds: number): Date =>
  new Date(from.getTime() + seconds * 1000)
