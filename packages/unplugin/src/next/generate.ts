import { join } from 'node:path'
import {
  emitI18nextResourceList,
  emitI18nextResources,
  emitLookup,
  emitProject,
  entryNames,
  type EmittedFile,
  importNameOf,
  jsonLiteral,
  type MessageModel,
  messageData,
  type Model,
  type ModuleModel,
  runtimeFile,
  stringLiteral,
  tagsOf,
} from '@servicekit/catalog'
import { exportNames } from '../core/code-parts.ts'
import { readRuntime } from '../core/read-runtime.ts'
import { specifiersOf } from '../core/used-messages.ts'
import { usualNames } from './application.ts'
import type { MessageIndex } from './message-index.ts'

export interface GenerateOptions {
  readonly outDir: string
  readonly storageKey: string
  readonly rootParam: string | undefined
  /** Cookie with the time zone of the visitor. */
  readonly timeZoneCookie: string | undefined
}

/**
 * Generates the modules that an application of Next.js imports as `~uilm`, in a folder that
 * its bundlers watch:
 *
 * ```text
 * index.js  react.js  server.js       ~uilm, ~uilm/react, ~uilm/server
 * server/cart.js                      messages in all languages, for servers
 * browser/cart.js                     messages whose texts come with the page
 * messages.json                       names of all messages, for the loader
 * ```
 */
export function generateModules(model: Model, options: GenerateOptions): readonly EmittedFile[] {
  const files: EmittedFile[] = []
  const add = (path: string, text: string): void => {
    files.push({ path: join(options.outDir, path), text })
  }
  for (const name of nextFiles) add(name, readRuntime(`next/${name}`))
  for (const name of sharedFiles) add(`${name}.js`, runtimeFile(name))
  const { storageKey, rootParam, timeZoneCookie } = options
  add('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  add('project.js', emitProject({ ...model.catalog, storageKey, storesCookie: true }))
  add('root-param.js', rootParamCode(rootParam))
  const cookie = timeZoneCookie === undefined ? 'undefined' : stringLiteral(timeZoneCookie)
  add('time-zone-cookie.js', `export const timeZoneCookie = ${cookie}\n`)
  add('root-param-names.js', `export const rootParamNames = ${jsonLiteral(usualNames)}\n`)
  add(
    'i18next-resources.js',
    emitI18nextResourceList(model, (language, module) => `./${resourcesPath(language, module)}`),
  )
  for (const target of ['server', 'browser']) {
    for (const entry of ['react', 'server', 'i18next']) {
      add(`${target}/${entry}.js`, `export * from '../${entry}.js'\n`)
    }
  }
  for (const module of model.modules) {
    const name = importNameOf(module.name)
    const up = '../'.repeat(name.split('/').length)
    add(`server/${name}.js`, serverModule(model, module, up))
    add(`browser/${name}.js`, browserModule(module, up))
    for (const target of ['server', 'browser']) {
      add(`${target}/${name}/messages.js`, emitLookup(module))
    }
    for (const language of module.source.translations.keys()) {
      add(resourcesPath(language, module.name), emitI18nextResources(model, module, language))
    }
  }
  add('messages.json', `${JSON.stringify(indexOf(model))}\n`)
  return files
}

/** Files of `runtime/next` that are used unchanged. */
const nextFiles = [
  'client.js',
  'current-language.js',
  'format.js',
  'html-attributes.js',
  'index.js',
  'keys.js',
  'message.js',
  'no-scope.js',
  'page-props.js',
  'pages.js',
  'react.js',
  'react-compiler.js',
  'rsc.js',
  'runtime.js',
  'scope.js',
  'segment.js',
  'texts.js',
  'time-zone.js',
] as const

/** Files of the runtime of the catalog that are used unchanged. */
const sharedFiles = [
  'chosen-language',
  'i18next',
  'languages',
  'react-markup',
  'root',
  'server',
  'sync-language',
] as const

const manifest = {
  type: 'module',
  sideEffects: false,
  imports: {
    '#language': { 'react-server': './rsc.js', default: './client.js' },
    '#scope': { browser: './no-scope.js', default: './scope.js' },
  },
}

/** Only server components can import `next/root-params`, and only existing parameters. */
const rootParamCode = (name: string | undefined): string =>
  name === undefined
    ? 'export const rootParam = undefined\nexport const readRootParam = undefined\n'
    : `export const rootParam = ${stringLiteral(name)}
export { ${name} as readRootParam } from 'next/root-params'
`

const resourcesPath = (language: string, module: string): string =>
  `resources/${encodeURIComponent(language)}.${encodeURIComponent(module)}.js`

function serverModule(model: Model, module: ModuleModel, up: string): string {
  const codes = model.catalog.languages.map(({ code }) => code)
  return moduleCode(module, up, (message) => {
    const texts = Object.fromEntries(codes.map((code) => [code, messageData(model, message, code)]))
    return `, ${jsonLiteral(texts)}`
  })
}

const browserModule = (module: ModuleModel, up: string): string => moduleCode(module, up, () => '')

function moduleCode(
  module: ModuleModel,
  up: string,
  textsOf: (message: MessageModel) => string,
): string {
  const lines = module.messages.flatMap((message, index) => {
    const id = stringLiteral(messageId(module, message))
    const names = exportNames(message)
    const created = `/*#__PURE__*/ $message(${id}${textsOf(message)})`
    return [
      `const $${index} = ${tagsOf(message).size > 0 ? `/*#__PURE__*/ $markup(${created})` : created}`,
      ...names.map((name) => `export { $${index} as ${name} }`),
    ]
  })
  const usesMarkup = module.messages.some((message) => tagsOf(message).size > 0)
  return [
    `import { message as $message } from '${up}message.js'`,
    ...(usesMarkup ? [`import { markup as $markup } from '${up}react-markup.js'`] : []),
    ...lines,
    '',
  ].join('\n')
}

/** Returns the id of a message in the payload of a page. */
const messageId = (module: ModuleModel, { key }: MessageModel): string => `${module.name}.${key}`

const indexOf = ({ modules }: Model): MessageIndex => ({
  entries: entryNames.map((name) => `~uilm/${name}`),
  modules: modules.map((module) => ({
    name: module.name,
    specifiers: specifiersOf(module),
    messages: module.messages.map(({ name, key }) => ({
      name,
      key,
      id: messageId(module, { key } as MessageModel),
    })),
  })),
})
