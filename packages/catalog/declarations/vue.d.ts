// @ts-ignore vue may not be installed
import type { Ref } from 'vue'

/** The ref of vue. Without vue it is `any`, which the condition detects. */
type LanguageRef = [0] extends [1 & Ref<Language>] ? { value: Language } : Ref<Language>
/**
 * Returns the current language, which can be set: `<select v-model="language">`.
 * Templates that call messages update when it changes.
 */
export function useLanguage(): LanguageRef
/**
 * Keeps vue-i18n and the messages in the same language: a change of its `locale` also changes the
 * language of the messages, and `setLanguage` its `locale`. Returns a function that ends it.
 */
export function syncLanguage(
  i18n: { readonly global: { readonly availableLocales: readonly string[] } },
  options?: {
    /** Loads the translations of vue-i18n before its `locale` changes to them. */
    readonly load?: (code: string) => unknown
  },
): () => void
/**
 * Shows a message with tags. Each tag is a slot:
 *
 * ```html
 * <Markup :message="TERMS" :args="{ name }">
 *   <template #link="{ children }"><a href="/terms"><component :is="children" /></a></template>
 * </Markup>
 * ```
 *
 * Slots can also fill the parameters that `slots` names:
 *
 * ```html
 * <Markup :message="HELLO" :slots="['name']"><template #name><b>Ada</b></template></Markup>
 * ```
 */
export function Markup<A, K extends keyof A = never>(
  props: {
    readonly message: (args: A) => unknown
    readonly slots?: readonly K[]
  } & ArgsOf<A, K>,
): any
/** Arguments other than the tags and those that slots fill. */
type ArgsOf<A, K extends keyof A> =
  object extends Omit<A, K | TagsOf<A>>
    ? { readonly args?: Omit<A, K | TagsOf<A>> }
    : { readonly args: Omit<A, K | TagsOf<A>> }
/** Names of the arguments that are tags. */
type TagsOf<A> = {
  [name in keyof A]: A[name] extends (...args: any) => unknown ? name : never
}[keyof A]
export {}
