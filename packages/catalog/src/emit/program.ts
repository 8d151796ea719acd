import { join, posix } from 'node:path'
import type { Catalog } from '../catalog.ts'
import { chainsOf, type Model, type ModuleModel } from '../model.ts'
import { fileNameOf, hasStringName, importNameOf } from '../names.ts'
import type { EmittedFile } from '../write.ts'
import { stringLiteral } from './literal.ts'
import { emitPack } from './pack.ts'
import { emitProgramRuntimeTypes, emitRuntime } from './runtime.ts'
import { emitTypes } from './types.ts'

export interface ProgramOptions {
  readonly outDir: string
  readonly storageKey: string
}

/**
 * Emits the whole catalog as plain ESM files, for programs without a bundler:
 *
 * ```text
 * runtime.js  runtime.d.ts        language, setLanguage, subscribe …
 * auth.js  auth.d.ts              one export per message
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
  const add = (path: string, text: () => string): void => {
    files.push(fileOf(join(options.outDir, path), text))
  }
  if (!before) {
    add('runtime.js', () => emitRuntime({ ...catalog, storageKey: options.storageKey }))
    add('runtime.d.ts', () => emitProgramRuntimeTypes(catalog))
  }
  for (const module of model.modules) {
    const old = before?.modules.find(({ name }) => name === module.name)
    if (old === module) continue
    const name = keyModuleName(module, catalog)
    const up = name.includes('/') ? '../'.repeat(name.split('/').length - 1) : './'
    const fileName = posix.basename(`${name}.d.ts`)
    const runtime = `${up}runtime.js`
    add(`${name}.js`, () => emitKeyModule(module, name, up))
    add(`${name}.d.ts`, () => emitTypes({ module, catalog, runtime, fileName }).text)
    const stale = staleLanguages(module, old)
    for (const { code } of catalog.languages) {
      const chain = chains.get(code)!
      if (stale && !chain.some((language) => stale.has(language))) continue
      add(`${fileNameOf(code)}/${name}.js`, () => emitPack(model, module.messages, code))
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

function emitKeyModule(module: ModuleModel, path: string, up: string): string {
  const name = encodeURI(path)
  const lines = [
    `import { message, pack } from '${up}runtime.js'`,
    '',
    `const entries = await pack((language) => import(\`${up}\${language}/${name}.js\`))`,
    '',
  ]
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
