import { join } from 'node:path'
import { chainsOf, type Model, type ModuleModel } from '../model.ts'
import { fileNameOf, hasStringName } from '../names.ts'
import type { EmittedFile } from './declarations.ts'
import { stringLiteral } from './literal.ts'
import { emitPack, type PlacedMessage } from './pack.ts'
import { emitRuntime, emitRuntimeTypes } from './runtime.ts'
import { emitTypes } from './types.ts'

export interface ProgramOptions {
  readonly outDir: string
  readonly storageKey: string
}

/**
 * The whole catalog as plain ESM files, for programs without a bundler:
 *
 * ```text
 * runtime.js  runtime.d.ts        language, setLanguage, subscribe …
 * auth.js  auth.d.ts              one export per message
 * de-DE/auth.js                   the texts, loaded when they are shown
 * ```
 */
export function emitProgram(model: Model, options: ProgramOptions): readonly EmittedFile[] {
  const { catalog } = model
  const chains = chainsOf(model)
  const files: EmittedFile[] = [
    {
      path: join(options.outDir, 'runtime.js'),
      text: emitRuntime({ ...catalog, storageKey: options.storageKey }),
    },
    { path: join(options.outDir, 'runtime.d.ts'), text: emitRuntimeTypes(catalog) },
  ]
  for (const module of model.modules) {
    const name = keyModuleName(module)
    files.push(
      { path: join(options.outDir, `${name}.js`), text: emitKeyModule(module) },
      {
        path: join(options.outDir, `${name}.d.ts`),
        text: emitTypes({ module, catalog, runtime: './runtime.js', fileName: `${name}.d.ts` })
          .text,
      },
    )
    const messages: readonly PlacedMessage[] = module.messages.map((message) => ({
      source: module.source,
      message,
    }))
    for (const { code } of catalog.languages) {
      files.push({
        path: join(options.outDir, fileNameOf(code), `${name}.js`),
        text: emitPack(model, messages, code, chains.get(code)!),
      })
    }
  }
  return files
}

/** A UILM module may be called `runtime` too; its file is `%72untime.js` then. */
function keyModuleName(module: ModuleModel): string {
  const name = fileNameOf(module.name)
  return name.toLowerCase() === 'runtime'
    ? `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`
    : name
}

function emitKeyModule(module: ModuleModel): string {
  const name = encodeURI(keyModuleName(module))
  const lines = [
    `import { message, pack } from './runtime.js'`,
    '',
    `const texts = await pack((language) => import(\`./\${language}/${name}.js\`))`,
    '',
  ]
  module.messages.forEach((message, index) => {
    const value = `/* @__PURE__ */ message(texts, ${index})`
    const local = taken.has(message.name) ? `$${message.name}$` : message.name
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

/** Names that this file uses itself, and those that tools put into a module they transform. */
const taken: ReadonlySet<string> = new Set(
  'texts message pack Object Promise Symbol globalThis exports module require'.split(' '),
)
