import type { Adapter } from './ids.ts'

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
export const adapterCode = (adapter: Adapter): string => codes[adapter]

const reactive = (read: string): string => `
export const message = (pack, index) => {
  const translate = createMessage(pack, index)
  return (args) => (${read}, translate(args))
}
`

const codes: Record<Adapter, string> = {
  react: `import { useSyncExternalStore } from 'react'
import { getChanges, getLanguage, setLanguage, subscribe } from '~uilm'

export function useLanguage() {
  useSyncExternalStore(subscribe, getChanges, getChanges)
  return [getLanguage(), setLanguage]
}
`,
  vue: `import { computed, shallowRef } from 'vue'
import { getChanges, getLanguage, message as createMessage, setLanguage, subscribe } from '~uilm'

const changes = /* @__PURE__ */ shallowRef(0)
subscribe(() => { changes.value = getChanges() })
const language = /* @__PURE__ */ computed({
  get: () => (changes.value, getLanguage()),
  set: (code) => void setLanguage(code),
})
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
  // The localizer is part of the runtime. Parsing the header is only needed here.
  server: `import { closestLanguage, defaultLanguage } from '~uilm'
export { createLocalizer } from '~uilm'

export const matchLanguage = (header) => {
  const wanted = (header ?? '')
    .split(',')
    .map((part) => {
      const [code, ...rest] = part.trim().split(';')
      const quality = rest.map((one) => /^\\s*q=([\\d.]+)$/.exec(one)?.[1]).find(Boolean)
      return { code: code.trim(), quality: Number(quality ?? 1) }
    })
    .filter(({ code, quality }) => code !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { code } of wanted) {
    const found = closestLanguage(code)
    if (found) return found
  }
  return defaultLanguage
}
`,
}
