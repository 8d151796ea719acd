import type { Adapter } from './ids.ts'

/** Frameworks with reactive templates, in which calls of messages must be tracked. */
export type Reactive = 'vue' | 'svelte' | 'solid'

export const reactives: readonly Reactive[] = ['vue', 'svelte', 'solid']

/**
 * Returns the JavaScript of an adapter between the runtime and a framework.
 *
 * For reactive frameworks the adapter also creates the messages (`make`), and each call
 * of a message is a tracked read. Templates that call messages thus follow the language
 * automatically.
 */
export const adapterCode = (adapter: Exclude<Adapter, 'server'>): string => codes[adapter]

const reactive = (read: string): string => `
export const make = (texts, index) => {
  const say = message(texts, index)
  return (args) => (${read}, say(args))
}
`

const codes: Record<Exclude<Adapter, 'server'>, string> = {
  react: `import { useSyncExternalStore } from 'react'
import { getChanges, getLanguage, setLanguage, subscribe } from '~uilm'

export function useLanguage() {
  useSyncExternalStore(subscribe, getChanges, getChanges)
  return [getLanguage(), setLanguage]
}
`,
  vue: `import { computed, shallowRef } from 'vue'
import { getChanges, getLanguage, message, setLanguage, subscribe } from '~uilm'

const changes = /* @__PURE__ */ shallowRef(0)
subscribe(() => { changes.value = getChanges() })
const language = /* @__PURE__ */ computed({
  get: () => (changes.value, getLanguage()),
  set: (code) => void setLanguage(code),
})
export const useLanguage = () => language
${reactive('changes.value')}`,
  svelte: `import { createSubscriber } from 'svelte/reactivity'
import { getLanguage, message, setLanguage, subscribe } from '~uilm'

const read = /* @__PURE__ */ createSubscriber(subscribe)
export const language = {
  get current() { return read(), getLanguage() },
  set current(code) { void setLanguage(code) },
}
${reactive('read()')}`,
  solid: `import { createSignal } from 'solid-js'
import { getChanges, getLanguage, message, setLanguage, subscribe } from '~uilm'

const [changes, setChanges] = /* @__PURE__ */ createSignal(0)
subscribe(() => setChanges(getChanges()))
const language = () => (changes(), getLanguage())
export const useLanguage = () => [language, setLanguage]
${reactive('changes()')}`,
}

/**
 * Declarations of the adapters, by file name below `uilm/`. Those of React are part of
 * the catalog.
 */
export const adapterTypes: Readonly<Record<string, string>> = {
  'vue.d.ts': `import type { WritableComputedRef } from 'vue'
import type { Language } from '../uilm.js'

/**
 * The language that is shown, to be read and set: \`<select v-model="language">\`.
 * Templates that call messages follow it of themselves.
 */
export declare function useLanguage(): WritableComputedRef<Language>
`,
  'svelte.d.ts': `import type { Language } from '../uilm.js'

/**
 * The language that is shown, to be read and set: \`<select bind:value={language.current}>\`.
 * Templates that call messages follow it of themselves.
 */
export declare const language: { current: Language }
`,
  'solid.d.ts': `import type { Accessor } from 'solid-js'
import type { Language } from '../uilm.js'

/**
 * The language that is shown and the function that changes it. JSX that calls
 * messages follows it of itself.
 */
export declare function useLanguage(): readonly [
  language: Accessor<Language>,
  setLanguage: (language: Language) => Promise<void>,
]
`,
  'server.d.ts': `import type { Language } from '../uilm.js'

/** A language beside the one that is shown: that of one request. */
export interface Localizer {
  readonly language: Language
  /** Returns a message in this language: \`localizer.translate(WELCOME, { name })\`. */
  readonly translate: <A extends readonly unknown[]>(message: (...args: A) => string, ...args: A) => string
  /**
   * Runs \`work\` with every text in this language; with AsyncLocalStorage (Node, Bun,
   * Deno, workers with Node's compatibility) in all that it awaits, too. Elsewhere a
   * \`work\` that answers a promise is a TypeError.
   */
  readonly run: <T>(work: () => T) => T
}
/**
 * Loads a language for a request, and for all after it. Requests never share a
 * language. @throws RangeError for a language that there is not.
 */
export declare function createLocalizer(language: Language): Promise<Localizer>
/** The language that fits an Accept-Language header best; the default where none does. */
export declare function matchLanguage(acceptLanguage: string | null | undefined): Language
`,
}
