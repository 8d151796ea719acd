import type { entryNames } from '../model/names.ts'
import { serverAdapterTypes, serverTypes } from './server.ts'

/** Name of a module below `~uilm` for a framework or a server. */
export type AdapterName = Exclude<(typeof entryNames)[number], 'i18next'>

/**
 * Declarations of the adapters for frameworks and servers by name, without the import of
 * `Language` from the runtime. They do not require the framework to be installed.
 */
export const adapterTypes: Readonly<Record<AdapterName, string>> = {
  ...serverAdapterTypes,
  react: `// @ts-ignore react may not be installed
import type { ReactElement, ReactNode } from 'react'

/**
 * Returns the current language and the function that changes it. The component renders
 * again when the language or a translation changes.
 */
export function useLanguage(): readonly [
  language: Language,
  setLanguage: (language: Language) => Promise<void>,
]
/**
 * Returns a function that calls a message: \`translate(WELCOME, { name })\`. It is another
 * function after a change of the language or of a translation: a dependency of \`useMemo\`,
 * \`useCallback\` and \`useEffect\`.
 */
export function useTranslate(): <A extends readonly unknown[], R>(
  message: (...args: A) => R,
  ...args: A
) => R
/**
 * Provides the messages of an application that is compiled by React Compiler. Its components
 * render again when the language or a translation changes, also those with \`memo\`.
 */
export function LanguageProvider(props: { readonly children?: ReactNode }): ReactElement
export {}
`,
  server: serverTypes,
  solid: `/**
 * Returns the current language and a function that changes it. JSX that calls messages
 * updates when it changes.
 */
export function useLanguage(): readonly [
  language: () => Language,
  setLanguage: (language: Language) => Promise<void>,
]
`,
  svelte: `/**
 * The current language, which can be set: \`<select bind:value={language.current}>\`.
 * Templates that call messages update when it changes.
 */
export const language: { current: Language }
`,
  vue: `// @ts-ignore vue may not be installed
import type { Ref } from 'vue'

/** The ref of vue. Without vue it is \`any\`, which the condition detects. */
type LanguageRef = [0] extends [1 & Ref<Language>]
  ? { value: Language }
  : Ref<Language>
/**
 * Returns the current language, which can be set: \`<select v-model="language">\`.
 * Templates that call messages update when it changes.
 */
export function useLanguage(): LanguageRef
/**
 * Keeps vue-i18n and the messages in the same language: a change of its \`locale\` also changes the
 * language of the messages, and \`setLanguage\` its \`locale\`. Returns a function that ends it.
 */
export function syncLanguage(
  i18n: { readonly global: { readonly availableLocales: readonly string[] } },
  options?: {
    /** Loads the translations of vue-i18n before its \`locale\` changes to them. */
    readonly load?: (code: string) => unknown
  },
): () => void
/**
 * Shows a message with tags. Each tag is a slot:
 *
 * \`\`\`html
 * <Markup :message="TERMS" :args="{ name }">
 *   <template #link="{ children }"><a href="/terms"><component :is="children" /></a></template>
 * </Markup>
 * \`\`\`
 *
 * Slots can also fill the parameters that \`slots\` names:
 *
 * \`\`\`html
 * <Markup :message="HELLO" :slots="['name']"><template #name><b>Ada</b></template></Markup>
 * \`\`\`
 */
export function Markup<A, K extends keyof A = never>(
  props: {
    readonly message: (args: A) => unknown
    readonly slots?: readonly K[]
  } & ArgsOf<A, K>,
): any
/** Arguments other than the tags and those that slots fill. */
type ArgsOf<A, K extends keyof A> = object extends Omit<A, K | TagsOf<A>>
  ? { readonly args?: Omit<A, K | TagsOf<A>> }
  : { readonly args: Omit<A, K | TagsOf<A>> }
/** Names of the arguments that are tags. */
type TagsOf<A> = { [name in keyof A]: A[name] extends (...args: any) => unknown ? name : never }[keyof A]
export {}
`,
}
