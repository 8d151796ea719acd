import {
  chainsOf,
  emitNamedPack,
  emitRuntime,
  hasStringName,
  type MessageModel,
  type Model,
  type ModuleModel,
} from '@servicekit/catalog'
import { keySpecifier, packSpecifier, runtimeSpecifier, type VirtualModule } from './ids.ts'

export interface CodeOptions {
  readonly model: Model
  readonly storageKey: string
  /** In development a module is served whole, and its texts can be replaced while the page runs. */
  readonly dev: boolean
}

/** JavaScript of a virtual module; undefined where the model has no such module or key. */
export function virtualCode(virtual: VirtualModule, options: CodeOptions): string | undefined {
  if (virtual.kind === 'runtime') {
    return emitRuntime({ ...options.model.catalog, storageKey: options.storageKey })
  }
  if (virtual.kind === 'react') return reactCode
  const module = options.model.modules.find(({ name }) => name === virtual.module)
  if (!module) return undefined
  if (virtual.kind === 'module') {
    return options.dev ? devModuleCode(module, options.model) : wholeModuleCode(module)
  }
  if (virtual.kind === 'pack') return devPackCode(module, virtual.language, options.model)
  const message = module.messages.find(({ key }) => key === virtual.key)
  return message && keyCode(module, message)
}

const imports = (...names: readonly string[]): string =>
  `import { ${names.join(', ')} } from '${runtimeSpecifier}'`

/** The bundler drops this where it is not used; chunk-packs.ts finds it where it is. */
const keyCode = (module: ModuleModel, message: MessageModel): string =>
  `${imports('message as make', 'pack')}
export const message = /* @__PURE__ */ make(pack, ${JSON.stringify(keySpecifier(module.name, message))})
`

/** For namespace and dynamic imports in a build: each name still its own module. */
function wholeModuleCode(module: ModuleModel): string {
  return lines(
    module.messages.flatMap((message) =>
      exportNames(message).map(
        (name) =>
          `export { message as ${name} } from ${JSON.stringify(keySpecifier(module.name, message))}`,
      ),
    ),
  )
}

function devModuleCode(module: ModuleModel, model: Model): string {
  const packs = model.catalog.languages.map(
    ({ code }) =>
      `  ${JSON.stringify(code)}: () => import(${JSON.stringify(packSpecifier(module.name, code))}),`,
  )
  return lines([
    imports('message as $make', 'pack as $pack'),
    'const $packs = {',
    ...packs,
    '}',
    'const $texts = await $pack((language) => $packs[language]())',
    ...module.messages.flatMap((message, index) => [
      `const $${index} = $make($texts, ${JSON.stringify(message.name)})`,
      ...exportNames(message).map((name) => `export { $${index} as ${name} }`),
    ]),
  ])
}

/**
 * Importers hold the object of the first version; later ones are copied into
 * it, so that an edited text shows without any module of the page running again.
 */
function devPackCode(module: ModuleModel, language: string, model: Model): string {
  const chain = chainsOf(model).get(language)
  if (!chain) return 'export default {}\n'
  const messages = module.messages.map((message) => ({ source: module.source, message }))
  const pack = emitNamedPack(model, messages, language, chain)
  return `${imports('changed')}
${pack.replace('export default', 'const texts =')}
export default texts
if (import.meta.hot) {
  const live = (import.meta.hot.data.texts ??= texts)
  if (live !== texts) {
    for (const name of Object.keys(live)) delete live[name]
    Object.defineProperties(live, Object.getOwnPropertyDescriptors(texts))
    changed()
  }
  import.meta.hot.accept()
}
`
}

/** The name and, where it differs and can be one, the exact key. */
function exportNames(message: MessageModel): readonly string[] {
  return message.name === message.key || !hasStringName(message.key)
    ? [message.name]
    : [message.name, JSON.stringify(message.key)]
}

const reactCode = `import { useSyncExternalStore } from 'react'
${imports('getChanges', 'getLanguage', 'setLanguage', 'subscribe')}

export function useLanguage() {
  useSyncExternalStore(subscribe, getChanges, getChanges)
  return [getLanguage(), setLanguage]
}
`

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`
