/** Language in addition to the current one: the language of a request. */
export interface Localizer {
  readonly language: Language
  /** Returns a message in this language: `localizer.translate(WELCOME, { name })`. */
  readonly translate: <A extends readonly unknown[], R>(message: (...args: A) => R, ...args: A) => R
  /**
   * Runs `work` with every message in this language. With AsyncLocalStorage (Node, Bun,
   * Deno, workers with Node.js compatibility) this includes everything that it awaits.
   * Without it, a `work` that returns a promise throws a TypeError.
   */
  readonly run: <T>(work: () => T) => T
}
/**
 * Creates a localizer for a request and loads its language. Concurrent requests do not
 * share a language or time zone.
 *
 * @throws RangeError for an unknown language or time zone.
 */
export function createLocalizer(
  language: Language,
  options?: { readonly timeZone?: string | undefined },
): Promise<Localizer>
