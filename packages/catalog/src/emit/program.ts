import { join, posix } from 'node:path'
import { fileNameOf } from '@servicekit/core'
import {
  chainsOf,
  type MessageModel,
  type Model,
  type ModuleModel,
  tagsOf,
} from '../model/model.ts'
import {
  entryNames,
  hasStringExport,
  importNameOf,
  lookupName,
  runtimeName,
} from '../model/names.ts'
import type { EmittedFile } from '../files/write.ts'
import { type RuntimeFile, runtimeFile, runtimeFileAsCommonJs } from '../runtime-files.ts'
import {
  emitI18nextFileTypes,
  i18nextResourceListModule,
  i18nextResourcesModule,
} from './i18next.ts'
import { stringLiteral } from './literal.ts'
import { lookupModule } from './lookup.ts'
import { type ModuleCode, printCommonJs, printEsModule } from './module-code.ts'
import { packModule } from './pack.ts'
import { type OwnedPath, rejectPathClash } from './path-clash.ts'
import {
  emitAdapterTypes,
  emitImportMap,
  emitManifest,
  emitProgramLookupTypes,
  specifierPath,
} from './program-files.ts'
import { selectLanguages } from './program-languages.ts'
import { commonJsDir, entryModule, internalDir, programRuntime } from './program-runtime.ts'
import { projectModule } from './project-config.ts'
import { emitProgramRuntimeTypes } from './runtime-types.ts'
import { emitTypes, noLint } from './types.ts'

export interface ProgramOptions {
  readonly outDir: string
  readonly storageKey: string
  /**
   * Imports all languages statically, without top-level await, and also emits CommonJS:
   * `auth.cjs`. `setLanguage` then takes effect before it returns. False by default.
   */
  readonly sync?: boolean
  /**
   * Codes of the languages to emit; all by default. The first one is the default language
   * if that of the project is not among them. Missing translations fall back to all
   * languages of the project.
   */
  readonly languages?: readonly string[] | undefined
  /**
   * Also emits the backend of i18next, which has a copy of all translations. False by
   * default.
   */
  readonly i18next?: boolean
  /**
   * Also declares exact keys that are no identifiers as exports; true by default. TypeScript
   * before 5.6 cannot read them.
   */
  readonly stringExports?: boolean
}

/**
 * Emits the whole catalog as plain ESM files, for programs without a plugin:
 *
 * ```text
 * package.json  import-map.json   type and exports; addresses for Deno and browsers
 * runtime.js  runtime.d.ts        language, setLanguage, subscribe …
 * react.js  vue.js  server.js …   adapters
 * internal$/                      code of the runtime and the adapters; as CommonJS in commonjs/
 * i18next.js  i18next$/           backend of i18next and its resources
 * auth.js  auth.d.ts              one export per message
 * auth/messages.js                lookup by key
 * languages$/de-DE/auth.js        translations, loaded when they are used
 * ```
 *
 * The content of a file is generated when its `text` is read, so that a large catalog is
 * never in memory twice.
 *
 * @param before Previously emitted model. Files that cannot have changed since are
 * omitted.
 * @throws ConfigError for an unknown language.
 * @throws ServicekitError CATALOG_INVALID for a module whose file would be a folder of another.
 */
export function emitProgram(
  model: Model,
  options: ProgramOptions,
  before?: Model,
): readonly EmittedFile[] {
  const { catalog } = model
  // The runtime contains the languages, and every fallback chain may have changed.
  if (before && before.catalog.languages !== catalog.languages) return emitProgram(model, options)
  const chains = chainsOf(model)
  const shown = selectLanguages(catalog, options.languages)
  const codes = shown.languages.map(({ code }) => code)
  const files: EmittedFile[] = []
  const owners: OwnedPath[] = []
  let owner: string | undefined
  const { sync = false, i18next = false } = options
  const { markup } = model.options
  const isReact = markup?.framework === 'react'
  const add = (path: string, text: () => string): void => {
    const file = fileOf(options.outDir, path, text)
    files.push(file)
    owners.push({ path: file.path, module: owner })
  }
  const addCode = (name: string, code: () => ModuleCode): void => {
    add(`${name}.js`, () => printEsModule(code()))
    if (sync) add(`${name}.cjs`, () => printCommonJs(code(), requirePath))
  }
  /** Adds a file next to those of the runtime. CommonJS has a folder of its own for them. */
  const addInternal = (name: string, code: () => ModuleCode): void => {
    add(`${internalDir}/${name}.js`, () => printEsModule(code()))
    if (sync) add(`${commonJsDir}/${name}.js`, () => printCommonJs(code(), internalRequirePath))
  }
  const addRuntime = (name: RuntimeFile): void => {
    add(`${internalDir}/${name}.js`, () => withoutCheck(runtimeFile(name)))
    if (sync) add(`${commonJsDir}/${name}.js`, () => withoutCheck(runtimeFileAsCommonJs(name)))
  }
  /** @param text Returns the declarations. Imports end with the extension of the code. */
  const addTypes = (name: string, text: (extension: string) => string): void => {
    add(`${name}.d.ts`, () => text('js'))
    if (sync) add(`${name}.d.cts`, () => text('cjs'))
  }
  if (!before) {
    const names = model.modules.map((module) => importNameOf(module.name))
    add('package.json', () => emitManifest(sync))
    add('import-map.json', () => emitImportMap(names, i18next))
    const { storageKey } = options
    for (const name of programRuntime({ isReact, i18next })) addRuntime(name)
    addInternal('project', () => projectModule({ ...shown, storageKey }))
    addInternal(runtimeName, () => [{ exportAll: './program-runtime.js' }])
    if (sync) add(`${commonJsDir}/package.json`, () => '{ "type": "commonjs" }\n')
    for (const name of [runtimeName, ...entryNames]) {
      if (i18next || name !== 'i18next') addCode(name, () => entryModule(name, internalDir))
    }
    addTypes(runtimeName, () => `${noLint}\n${emitProgramRuntimeTypes({ ...shown, markup })}`)
    for (const name of entryNames) {
      if (name !== 'i18next') addTypes(name, (extension) => emitAdapterTypes(name, extension))
    }
  }
  const i18nextModel = i18next ? withLanguages(model, codes) : undefined
  if (i18nextModel) {
    addInternal('i18next-resources', () =>
      i18nextResourceListModule(i18nextModel, resourcesSpecifier, sync),
    )
    addTypes('i18next', () => `${noLint}\n${emitI18nextFileTypes(i18nextModel)}`)
  }
  for (const module of model.modules) {
    const old = before?.modules.find(({ name }) => name === module.name)
    if (old === module) continue
    owner = module.name
    const name = importNameOf(module.name)
    const up = name.includes('/') ? '../'.repeat(name.split('/').length - 1) : './'
    const fileName = posix.basename(`${name}.d.ts`)
    addCode(name, () => keyModule(module, name, up, sync ? codes : undefined, isReact))
    addTypes(
      name,
      (extension) =>
        emitTypes({
          module,
          catalog,
          runtime: `${up}runtime.${extension}`,
          fileName,
          stringExports: options.stringExports,
        }).text,
    )
    const base = posix.basename(name)
    addCode(`${name}/${lookupName}`, () => lookupModule(module, `../${specifierPath(base)}.js`))
    addTypes(`${name}/${lookupName}`, (extension) =>
      emitProgramLookupTypes(module, `../${base}.${extension}`, `../${up}runtime.${extension}`),
    )
    const stale = staleLanguages(module, old)
    for (const { code } of i18nextModel?.catalog.languages ?? []) {
      const isStale = !stale || stale.has(code)
      if (!isStale || !module.source.translations.has(code)) continue
      addCode(resourcesPath(code, module.name), () => i18nextResourcesModule(model, module, code))
    }
    for (const code of codes) {
      const chain = chains.get(code)!
      if (stale && !chain.some((language) => stale.has(language))) continue
      addCode(`${languagesDir}/${fileNameOf(code)}/${name}`, () =>
        packModule(model, module.messages, code),
      )
    }
  }
  rejectPathClash(options.outDir, owners)
  return files
}

/**
 * Returns the model with some of its languages, and the default language, to which i18next
 * falls back.
 */
function withLanguages(model: Model, codes: readonly string[]): Model {
  const { catalog } = model
  const languages = catalog.languages.filter(
    ({ code }) => codes.includes(code) || code === catalog.defaultLanguage,
  )
  return { ...model, catalog: { ...catalog, languages } }
}

// No module has names of these forms.
const languagesDir = 'languages$'
const resourcesPath = (language: string, module: string): string =>
  `i18next$/${fileNameOf(language)}/${fileNameOf(module)}`

const resourcesSpecifier = (language: string, module: string): string =>
  `../${specifierPath(resourcesPath(language, module))}.js`

const fileOf = (folder: string, path: string, make: () => string): EmittedFile => ({
  path: join(folder, path),
  folder,
  get text() {
    return make()
  },
})

/**
 * Returns the languages whose translations differ; undefined if every pack differs
 * because a message was added or removed.
 */
function staleLanguages(
  module: ModuleModel,
  old: ModuleModel | undefined,
): Set<string> | undefined {
  const isSame =
    old?.messages.length === module.messages.length &&
    module.messages.every(({ name }, index) => old.messages[index]!.name === name)
  if (!isSame) return undefined
  const languages = new Set([
    ...module.source.translations.keys(),
    ...old.source.translations.keys(),
  ])
  return new Set(
    [...languages].filter(
      (code) => module.source.translations.get(code) !== old.source.translations.get(code),
    ),
  )
}

/**
 * Returns the path that CommonJS requires for a specifier. It is not an address and has no
 * escapes.
 */
function requirePath(specifier: string): string {
  const path = specifier.replaceAll('%25', '%')
  return path.includes(`${internalDir}/`)
    ? path.replace(`${internalDir}/`, `${commonJsDir}/`)
    : `${path.slice(0, -'.js'.length)}.cjs`
}

/** Returns the path that a file of {@link commonJsDir} requires, which is one folder below. */
const internalRequirePath = (specifier: string): string =>
  specifier.startsWith('./') ? specifier : `../${requirePath(specifier)}`

/** The files are typed for this repository, not for the compiler options of an application. */
const withoutCheck = (code: string): string => `// @ts-nocheck\n${code}`

/** @param languages All languages, to import them statically. */
function keyModule(
  module: ModuleModel,
  path: string,
  up: string,
  languages: readonly string[] | undefined,
  isReact: boolean,
): ModuleCode {
  const name = specifierPath(path)
  const runtime = `${up}runtime.js`
  // No key has an export name of this form.
  const packs = (languages ?? []).map((code, index) => ({ code, variable: `$${index}` }))
  const entries = languages
    ? `/* @__PURE__ */ pack({ ${packs.map(({ code, variable }) => `${stringLiteral(code)}: ${variable}`).join(', ')} })`
    : `await pack((language) => import(\`${up}${languagesDir}/\${language}/${name}.js\`))`
  const isMarkup = (message: MessageModel): boolean => isReact && tagsOf(message).size > 0
  return [
    ...(module.messages.some(isMarkup)
      ? [{ import: { markup: 'markup' }, from: `${up}${internalDir}/react-markup.js` }]
      : []),
    {
      import: { observedMessage: 'message', [languages ? 'staticPack' : 'pack']: 'pack' },
      from: runtime,
    },
    ...packs.map(({ code, variable }) => ({
      importDefault: variable,
      from: `${up}${languagesDir}/${specifierPath(fileNameOf(code))}/${name}.js`,
    })),
    { constant: 'entries', value: entries },
    ...module.messages.map((message, index) => {
      const created = `/* @__PURE__ */ message(entries, ${index})`
      return {
        constant: reservedNames.has(message.name) ? `$${message.name}$` : message.name,
        value: isMarkup(message) ? `/* @__PURE__ */ markup(${created})` : created,
        exportedAs: [message.name, ...(hasStringExport(message) ? [message.key] : [])],
      }
    }),
  ]
}

/** Names that the emitted file uses itself, and names that tools inject into modules. */
const reservedNames: ReadonlySet<string> = new Set(
  'entries message markup pack Object Promise Symbol globalThis exports module require'.split(' '),
)
