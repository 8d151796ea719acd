import { emitReact, emitServer, isServerModule, type ServerModule } from '@servicekit/catalog'
import { type Adapter, modulePrefix, runtimeSpecifier } from './ids.ts'

/** Frameworks with reactive templates, in which calls of messages must be tracked. */
export type Reactive = 'vue' | 'svelte' | 'solid'

export const reactives: readonly Reactive[] = ['vue', 'svelte', 'solid']

/**
 * Returns the JavaScript of an adapter between the runtime and a framework or a server.
 *
 * For reactive frameworks the adapter also creates the messages (`message`), and each call
 * of a message is a tracked read. Templates that call messages thus follow the language
 * automatically.
 */
export const adapterCode = (adapter: Adapter, storageKey: string): string =>
  isServerModule(adapter)
    ? emitServer(adapter, { storageKey }, (name) =>
        name === 'runtime' ? runtimeSpecifier : modulePrefix + name,
      )
    : codes[adapter]

const reactive = (read: string): string => `
export const message = (pack, index) => {
  const translate = createMessage(pack, index)
  return (args) => (${read}, translate(args))
}
`

const codes: Record<Exclude<Adapter, ServerModule>, string> = {
  react: emitReact(runtimeSpecifier),
  vue: `import { customRef, shallowRef } from 'vue'
import { getChanges, getLanguage, message as createMessage, setLanguage, subscribe } from '~uilm'

const changes = /* @__PURE__ */ shallowRef(0)
subscribe(() => { changes.value = getChanges() })
// A computed value would keep the language of the first request of a server.
const language = /* @__PURE__ */ customRef(() => ({
  get: () => (changes.value, getLanguage()),
  set: (code) => void setLanguage(code),
}))
export const useLanguage = () => language
${reactive('changes.value')}`,
  svelte: `import { createSubscriber } from 'svelte/reactivity'
import { getLanguage, message as createMessage, setLanguage, subscribe } from '~uilm'

const read = /* @__PURE__ */ createSubscriber(subscribe)
export const language = {
  get current() { return read(), getLanguage() },
  set current(code) { void setLanguage(code) },
}
${reactive('read()')}`,
  solid: `import { createSignal } from 'solid-js'
import { getChanges, getLanguage, message as createMessage, setLanguage, subscribe } from '~uilm'

const [changes, setChanges] = /* @__PURE__ */ createSignal(0)
subscribe(() => setChanges(getChanges()))
const language = () => (changes(), getLanguage())
export const useLanguage = () => [language, setLanguage]
${reactive('changes()')}`,
}
