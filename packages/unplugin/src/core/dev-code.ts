import {
  emitNamedEntries,
  jsonLiteral,
  messageData,
  type MessageModel,
  type Model,
  type ModuleModel,
  stringLiteral,
  tagsOf,
} from '@servicekit/catalog'
import { createImport, exportNames, imports, lines } from './code-parts.ts'
import { encode, inspectorSpecifier, markupSpecifier, packSpecifier } from './ids.ts'
import { isReactNode } from './message-export.ts'
import type { CodeOptions } from './virtual-code.ts'

/** Returns the code of a key module in development. */
export const devModuleCode = (module: ModuleModel, options: CodeOptions): string =>
  creationCode(module, module.messages, loadOf(module, options.model), options)

/** Returns the code of the keys that a file imports in development. */
export const importedCode = (
  module: ModuleModel,
  names: readonly string[],
  options: CodeOptions,
): string =>
  creationCode(module, messagesNamed(module, names), loadOfImported(options.model), options)

/** Returns the code that creates messages. `load` is the code of `$load`, which loads their packs. */
function creationCode(
  module: ModuleModel,
  messages: readonly MessageModel[],
  load: readonly string[],
  { model, reactive }: CodeOptions,
): string {
  const creations = messages.map((message, index) => {
    const { name, key } = message
    const [isKey, isNode] = [name === key, isReactNode(message, model)]
    const args = [name, ...(isKey && !isNode ? [] : [key])].map((one) => stringLiteral(one))
    return `$${index} = $message(${[...args, ...(isNode ? ['$markup'] : [])].join(', ')})`
  })
  const exported = messages.flatMap((message, index) =>
    exportNames(message).map((name) => `$${index} as ${name}`),
  )
  return lines([
    createImport(reactive, '$create'),
    imports('pack as $pack'),
    `import { creator as $creator } from '${inspectorSpecifier}'`,
    ...(messages.some((message) => isReactNode(message, model))
      ? [`import { markup as $markup } from '${markupSpecifier}'`]
      : []),
    ...load,
    `const $message = $creator(${stringLiteral(module.name)}, $create, await $pack($load))`,
    ...(messages.length > 0 ? [`const ${creations.join(',\n')}`] : []),
    `export { ${exported.join(', ')} }`,
  ])
}

/** Returns the code that loads the packs of a whole module. */
function loadOf(module: ModuleModel, { catalog }: Model): readonly string[] {
  const packs = catalog.languages.map(
    ({ code }) =>
      `  ${stringLiteral(code)}: () => import(${stringLiteral(packSpecifier(module.name, code))}),`,
  )
  return ['const $packs = {', ...packs, '}', 'const $load = (language) => $packs[language]()']
}

/**
 * Returns the code that loads the packs of imported messages. Their address is that of the module,
 * whose names are not repeated for each language. A query would create a second pack.
 */
function loadOfImported({ catalog }: Model): readonly string[] {
  const [module, pack] = ['imported', 'pack'].map((kind) => stringLiteral(`~uilm-${kind}/`))
  const encoded = catalog.languages.flatMap(({ code }) =>
    encode(code) === code ? [] : [[code, encode(code)]],
  )
  const language =
    encoded.length === 0
      ? 'language'
      : `(${jsonLiteral(Object.fromEntries(encoded))}[language] ?? language)`
  return [
    `const $address = import.meta.url.split('?')[0].split(${module})`,
    `const $load = (language) => import(/* @vite-ignore */ $address.join(${pack} + ${language} + '/'))`,
  ]
}

/**
 * Event of the development server after translations changed: a {@link PackEdit} by the
 * specifiers of the whole packs that they change.
 */
export const editEvent = 'servicekit:edit'

/** Changed messages of a pack. */
export interface PackEdit {
  /** Messages that are plain strings, which a page needs no request for, by name. */
  readonly texts: Readonly<Record<string, string>>
  /** URL of a module of kind `edit` with the others; undefined if there are none. */
  readonly url?: string
}

/** Separates messages that are plain strings in a language from those that are functions. */
export function splitEdit(
  messages: readonly MessageModel[],
  language: string,
  model: Model,
): { readonly texts: PackEdit['texts']; readonly others: readonly string[] } {
  const texts: (readonly [string, string])[] = []
  const others: string[] = []
  for (const message of messages) {
    const data = tagsOf(message).size > 0 ? undefined : messageData(model, message, language)
    if (typeof data === 'string') texts.push([message.name, data])
    else others.push(message.name)
  }
  return { texts: Object.fromEntries(texts), others }
}

/**
 * Importers keep the object of the first version. Edited translations and later versions are
 * copied into it, so that they appear without running any module of the page again.
 */
export function devPackCode(
  module: ModuleModel,
  { language, names }: { readonly language: string; readonly names: readonly string[] },
  { model, hot }: CodeOptions,
): string {
  if (!model.catalog.languages.some(({ code }) => code === language)) return 'export default {}\n'
  const messages = names.length === 0 ? module.messages : messagesNamed(module, names)
  const entries = emitNamedEntries(model, messages, language)
  // Without HMR, webpack compiles `hot?.data` to `undefined.data`.
  return `${imports('changed')}
const translations = ${entries}
const live = (${hot} ? ${hot}.data?.translations : undefined) ?? translations
export default live
if (${hot}) {
  ${hot}.dispose((data) => { data.translations = live })
  if (live !== translations) {
    for (const name of Object.keys(live)) delete live[name]
    Object.defineProperties(live, Object.getOwnPropertyDescriptors(translations))
    changed()
  }
  ${hot}.accept()
${hot === 'import.meta.hot' ? editListener(module.name, language) : ''}}
`
}

/** Returns the code that applies what changed in a pack, which is far less than the pack. */
const editListener = (module: string, language: string): string =>
  `  let edited = Promise.resolve()
  import.meta.hot.on('${editEvent}', ({ [${stringLiteral(packSpecifier(module, language))}]: edit }) => {
    if (!edit) return
    const apply = async () => {
      const others = edit.url && (await import(/* @vite-ignore */ edit.url)).default
      Object.assign(live, edit.texts, others)
      changed()
    }
    // In the order of the edits.
    edited = edited.then(apply, apply)
  })
`

/** Returns the messages with the given names; those that were removed are missing. */
export function messagesNamed(
  { messages }: ModuleModel,
  names: Iterable<string>,
): readonly MessageModel[] {
  const wanted = new Set(names)
  return messages.filter(({ name }) => wanted.has(name))
}
