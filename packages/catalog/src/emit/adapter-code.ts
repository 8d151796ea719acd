import type { entryNames } from '../names.ts'
import { emitReact } from './react.ts'
import { emitServer, isServerModule, type ServerModule } from './server.ts'

/** Name of a module below `~uilm` for a framework or a server. */
export type AdapterName = Exclude<(typeof entryNames)[number], 'i18next'>

/** Frameworks with reactive templates, in which calls of messages must be tracked. */
export type Reactive = Exclude<AdapterName, ServerModule | 'react'>

/** Options of {@link emitAdapter}. */
export interface AdapterOptions {
  readonly storageKey: string
  /** Returns the specifier of another module. */
  readonly specifierOf: (name: 'runtime' | 'server') => string
  /**
   * Tracking of the calls of messages: the adapter of the application creates the messages,
   * or each adapter that is loaded observes the calls (`onRead`).
   */
  readonly tracking: 'create' | 'observe'
}

/**
 * Emits the code of an adapter between the runtime and a framework or a server.
 *
 * For reactive frameworks each call of a message is a tracked read. Templates that call
 * messages thus follow the language automatically.
 */
export function emitAdapter(name: AdapterName, options: AdapterOptions): string {
  const { storageKey, specifierOf, tracking } = options
  if (isServerModule(name)) return emitServer(name, { storageKey }, specifierOf)
  const runtime = specifierOf('runtime')
  if (name === 'react') return emitReact(runtime)
  const { framework, names, body, read } = reactives[name]
  const isCreated = tracking === 'create'
  const imported = [...names, isCreated ? 'message as createMessage' : 'onRead'].toSorted()
  return `${framework}
import { ${imported.join(', ')} } from '${runtime}'

${body}
${isCreated ? createCode(read) : `onRead(() => ${read})\n`}`
}

const createCode = (read: string): string => `
export const message = (pack, index) => {
  const translate = createMessage(pack, index)
  return (args) => (${read}, translate(args))
}
`

interface ReactiveCode {
  /** Import of the framework. */
  readonly framework: string
  /** Names to import from the runtime. */
  readonly names: readonly string[]
  readonly body: string
  /** Expression that the framework tracks. */
  readonly read: string
}

const reactives: Readonly<Record<Reactive, ReactiveCode>> = {
  vue: {
    framework: "import { customRef, Fragment, h, shallowRef } from 'vue'",
    names: ['getChanges', 'getLanguage', 'setLanguage', 'subscribe'],
    body: `const changes = /* @__PURE__ */ shallowRef(0)
subscribe(() => { changes.value = getChanges() })
// A computed value would keep the language of the first request of a server.
const language = /* @__PURE__ */ customRef(() => ({
  get: () => (changes.value, getLanguage()),
  set: (code) => void setLanguage(code),
}))
export const useLanguage = () => language

/** Shows a message with tags. Each tag is a slot; without one, what is inside it is shown. */
export const Markup = ({ message, args }, { slots }) => {
  const own = { ...args }
  return message(new Proxy(own, {
    get: (_, name) => own[name] ?? ((children = []) =>
      slots[name] ? slots[name]({ children: h(Fragment, children) }) : children),
  }))
}
`,
    read: 'changes.value',
  },
  svelte: {
    framework: "import { createSubscriber } from 'svelte/reactivity'",
    names: ['getLanguage', 'setLanguage', 'subscribe'],
    body: `const read = /* @__PURE__ */ createSubscriber(subscribe)
export const language = {
  get current() { return read(), getLanguage() },
  set current(code) { void setLanguage(code) },
}
`,
    read: 'read()',
  },
  solid: {
    framework: "import { createSignal } from 'solid-js'",
    names: ['getChanges', 'getLanguage', 'setLanguage', 'subscribe'],
    body: `const [changes, setChanges] = /* @__PURE__ */ createSignal(0)
subscribe(() => setChanges(getChanges()))
const language = () => (changes(), getLanguage())
export const useLanguage = () => [language, setLanguage]
`,
    read: 'changes()',
  },
}
