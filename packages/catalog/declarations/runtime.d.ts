/** Value of a parameter. */
export type Value = string | number

/** Message without parameters. */
export type Message = () => string

/** Message with the parameters `P`. */
export type MessageWith<P extends string> = (args: { readonly [name in P]: Value }) => string

/** Plural message. `P` names the parameters in addition to `count`. */
export type PluralMessage<P extends string = never> = (
  args: { readonly count: number } & { readonly [name in P]: Value },
) => string

/** Message with the arguments `A`, formatted for the language: numbers, dates, lists. */
export type MessageOf<A> = (args: A) => string

/** Plural message whose key also has a translation to use without `count`. */
export type PluralOrPlain<P extends readonly unknown[], A> = (...args: P | [args: A]) => string

/** Language codes of the project, starting with the default language. */
export const languages: readonly Language[]
/** Language that is shown if a translation is missing. */
export const defaultLanguage: Language
/** Display name of a language. */
export function languageName(language: Language): string
/** Text direction of a language. */
export function directionOf(language: Language): 'ltr' | 'rtl'
/**
 * Returns the initial language: the one that the user selected last, otherwise that of the
 * browser, otherwise the default language.
 */
export function detectLanguage(): Language
/** Returns the current language. */
export function getLanguage(): Language
/**
 * Changes the current language as soon as its translations are loaded. Rejects and changes
 * nothing if they cannot be loaded. The last of several concurrent calls wins.
 */
export function setLanguage(language: Language): Promise<void>
/** Returns the time zone of formatted dates; undefined for that of the machine. */
export function getTimeZone(): string | undefined
/**
 * Changes the time zone of formatted dates: `setTimeZone('Asia/Tokyo')`. Without a name, that
 * of the machine.
 *
 * @throws RangeError for an unknown time zone.
 */
export function setTimeZone(timeZone?: string): void
/**
 * Calls `listener` after every change of the language, the time zone or a translation.
 * Returns a function that unsubscribes.
 */
export function subscribe(listener: () => void): () => void
/** Returns a number that increases with every change of the language, the time zone or a translation. */
export function getChanges(): number
/**
 * Returns the attributes of the root element of a server-rendered page, from which the
 * browser reads the initial language and the time zone.
 *
 * @param language By default the current language.
 */
export function htmlAttributes(language?: Language): {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly 'data-uilm': Language
  readonly 'data-uilm-time-zone'?: string
}
