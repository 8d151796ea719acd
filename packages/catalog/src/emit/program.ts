import { join, posix } from 'node:path'
import type { Catalog } from '../catalog.ts'
import { serverModules } from '../runtime-template.ts'
import { chainsOf, type Model, type ModuleModel } from '../model.ts'
import { fileNameOf, hasStringName, importNameOf, lookupName } from '../names.ts'
import type { EmittedFile } from '../write.ts'
import { toCommonJs } from './common-js.ts'
import { stringLiteral } from './literal.ts'
import { emitPack } from './pack.ts'
import {
  emitAdapterTypes,
  emitImportMap,
  emitManifest,
  emitProgramLookupTypes,
  specifierPath,
} from './program-files.ts'
import { emitReact } from './react.ts'
import { emitProgramRuntimeTypes, emitRuntime } from './runtime.ts'
import { emitServer } from './server.ts'
import { emitTypes, noLint } from './types.ts'

export interface ProgramOptions {
  readonly outDir: string
  readonly storageKey: string
  /**
   * Imports all languages statically, without top-level await, and also emits CommonJS:
   * `auth.cjs`. `setLanguage` then takes effect before it returns. False by default.
   */
  readonly sync?: boolean
}

/**
 * Emits the whole catalog as plain ESM files, for programs without a plugin:
 *
 * ```text
 * package.json  import-map.json   type and exports; addresses for Deno and browsers
 * runtime.js  runtime.d.ts        language, setLanguage, subscribe …
 * react.js  server.js             adapters
 * auth.js  auth.d.ts              one export per message
 * auth/messages.js                lookup by key
 * de-DE/auth.js                   translations, loaded when they are used
 * ```
 *
 * The content of a file is generated when its `text` is read, so that a large catalog is
 * never in memory twice.
 *
 * @param before Previously emitted model. Files that cannot have changed since are
 * omitted.
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
  const files: EmittedFile[] = []
  const { sync = false } = options
  const add = (path: string, text: () => string): void => {
    files.push(fileOf(join(options.outDir, path), text))
  }
  const addCode = (name: string, text: () => string): void => {
    add(`${name}.js`, text)
    if (sync) add(`${name}.cjs`, () => toCommonJs(text()))
  }
  /** @param text Returns the declarations. Imports end with the extension of the code. */
  const addTypes = (name: string, text: (extension: string) => string): void => {
    add(`${name}.d.ts`, () => text('js'))
    if (sync) add(`${name}.d.cts`, () => text('cjs'))
  }
  if (!before) {
    const names = model.modules.map((module) => keyModuleName(module, catalog))
    add('package.json', () => emitManifest(sync))
    add('import-map.json', () => emitImportMap(names))
    addCode('runtime', () => emitRuntime({ ...catalog, storageKey: options.storageKey, sync }))
    addTypes('runtime', () => `${noLint}\n${emitProgramRuntimeTypes(catalog)}`)
    addCode('react', () => emitReact())
    for (const name of serverModules) addCode(name, () => emitServer(name, options))
    for (const name of ['react', ...serverModules] as const) {
      addTypes(name, (extension) => emitAdapterTypes(name, extension))
    }
  }
  for (const module of model.modules) {
    const old = before?.modules.find(({ name }) => name === module.name)
    if (old === module) continue
    const name = keyModuleName(module, catalog)
    const up = name.includes('/') ? '../'.repeat(name.split('/').length - 1) : './'
    const fileName = posix.basename(`${name}.d.ts`)
    const codes = catalog.languages.map(({ code }) => code)
    addCode(name, () => emitKeyModule(module, name, up, sync ? codes : undefined))
    addTypes(
      name,
      (extension) =>
        emitTypes({ module, catalog, runtime: `${up}runtime.${extension}`, fileName }).text,
    )
    const base = posix.basename(name)
    addCode(
      `${name}/${lookupName}`,
      () => `export * as messages from '../${specifierPath(base)}.js'\n`,
    )
    addTypes(`${name}/${lookupName}`, (extension) =>
      emitProgramLookupTypes(module, `../${base}.${extension}`, `../${up}runtime.${extension}`),
    )
    const stale = staleLanguages(module, old)
    for (const { code } of catalog.languages) {
      const chain = chains.get(code)!
      if (stale && !chain.some((language) => stale.has(language))) continue
      addCode(`${fileNameOf(code)}/${name}`, () => emitPack(model, module.messages, code))
    }
  }
  return files
}

const fileOf = (path: string, make: () => string): EmittedFile => ({
  path,
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
 * Returns the path of a key module without its extension: the import name of the module.
 * The name is escaped if it is `runtime` or its folder is that of a language.
 */
function keyModuleName({ name: module }: ModuleModel, { languages }: Catalog): string {
  const name = importNameOf(module)
  const [folder, ...rest] = name.toLowerCase().split('/')
  const isTaken =
    rest.length === 0
      ? folder === 'runtime'
      : languages.some(({ code }) => fileNameOf(code).toLowerCase() === folder)
  return isTaken ? `%${name.charCodeAt(0).toString(16)}${name.slice(1)}` : name
}

/** @param languages All languages, to import them statically. */
function emitKeyModule(
  module: ModuleModel,
  path: string,
  up: string,
  languages: readonly string[] | undefined,
): string {
  const name = specifierPath(path)
  const head = languages
    ? [
        `import { message, staticPack as pack } from '${up}runtime.js'`,
        // No key has an export name of this form.
        ...languages.map(
          (code, index) =>
            `import $${index} from '${up}${specifierPath(fileNameOf(code))}/${name}.js'`,
        ),
        '',
        `const entries = /* @__PURE__ */ pack({ ${languages.map((code, index) => `${stringLiteral(code)}: $${index}`).join(', ')} })`,
      ]
    : [
        `import { message, pack } from '${up}runtime.js'`,
        '',
        `const entries = await pack((language) => import(\`${up}\${language}/${name}.js\`))`,
      ]
  const lines = [...head, '']
  module.messages.forEach((message, index) => {
    const value = `/* @__PURE__ */ message(entries, ${index})`
    const local = reservedNames.has(message.name) ? `$${message.name}$` : message.name
    lines.push(
      local === message.name ? `export const ${local} = ${value}` : `const ${local} = ${value}`,
    )
    if (local !== message.name) lines.push(`export { ${local} as ${message.name} }`)
    if (message.key !== message.name && hasStringName(message.key)) {
      lines.push(`export { ${local} as ${stringLiteral(message.key)} }`)
    }
  })
  return `${lines.join('\n')}\n`
}

/** Names that the emitted file uses itself, and names that tools inject into modules. */
const reservedNames: ReadonlySet<string> = new Set(
  'entries message pack Object Promise Symbol globalThis exports module require'.split(' '),
)
