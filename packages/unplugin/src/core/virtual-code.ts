import { createHash } from 'node:crypto'
import {
  emitI18nextResourceList,
  emitI18nextResources,
  emitLookup,
  emitNamedPack,
  findByImportName,
  jsonLiteral,
  type LiveRuntime,
  lookupModuleOf,
  type MessageModel,
  type Model,
  type ModuleModel,
  type Reactive,
  specifierOf,
  stringLiteral,
} from '@servicekit/catalog'
import { exportName } from '../source/syntax-tree.ts'
import { createImport, exportNames, imports, lines } from './code-parts.ts'
import { devModuleCode, devPackCode, importedCode, messagesNamed } from './dev-code.ts'
import { devFileCode } from './dev-files.ts'
import {
  chunksSpecifier,
  compilerPrefix,
  formSpecifier,
  i18nextSpecifier,
  inspectorSpecifier,
  keySpecifier,
  modulePrefix,
  unknownSpecifier,
  type VirtualModule,
  withSpecifiers,
} from './ids.ts'
import { inlineKeyCode } from './inline-code.ts'
import type { InspectorSettings } from './inspector-settings.ts'
import { messageExport } from './message-export.ts'
import { readRuntime } from './read-runtime.ts'
import { projectCode, runtimeCode, runtimeFileCode } from './runtime-code.ts'
import { packImport } from './table-code.ts'
import { hasName } from './used-messages.ts'

/** Options of generated virtual modules. */
export interface CodeOptions {
  readonly model: Model
  readonly storageKey: string
  /**
   * In development, modules are served whole and their translations can be replaced while
   * the page runs.
   */
  readonly dev: boolean
  /** Also stores the chosen language in a cookie. */
  readonly cookie?: boolean
  /**
   * Language of a build for one language, whose translations are inlined. In development
   * it is the initial language.
   */
  readonly inline: string | undefined
  /** Framework that must track each call of a message. */
  readonly reactive: Reactive | undefined
  /** Token for creating unknown keys; undefined if pages may not. */
  readonly keyToken?: string | undefined
  /** Settings for showing keys in development. */
  readonly inspect: InspectorSettings
  /**
   * Access to the translations of a message: a binding of its chunk, or a table by chunk.
   */
  readonly packAccess: 'binding' | 'table'
  /** HMR interface: `import.meta.hot`, or that of webpack. */
  readonly hot: 'import.meta.hot' | 'import.meta.webpackHot'
  /** For a server, whose messages follow the localizers of all its bundles. */
  readonly server?: boolean
  /** Updates of the packs without a new build. */
  readonly live?: LiveRuntime | undefined
}

type CatalogModule = Exclude<VirtualModule, { kind: 'used' | 'entry' | 'webpack' }>

/**
 * Returns the JavaScript of a virtual module; undefined if the model has no such module
 * or key.
 */
export function virtualCode(virtual: CatalogModule, options: CodeOptions): string | undefined {
  const { model } = options
  if (virtual.kind === 'dev') {
    return devFileCode(virtual.name, { ...options.inspect, token: options.keyToken ?? '' })
  }
  if (virtual.kind === 'file') return runtimeFileCode(virtual.name)
  if (virtual.kind === 'project') return projectCode(options)
  if (virtual.kind === 'compiler') {
    return withSpecifiers(readRuntime(`react-compiler/${virtual.name}.js`), compilerPrefix)
  }
  if (virtual.kind === 'unknown') return unknownKeyCode(virtual, options)
  if (virtual.kind === 'runtime') return runtimeCode(options)
  if (virtual.kind === 'i18next-resources') {
    return emitI18nextResourceList(model, (language, module) => i18nextSpecifier(module, language))
  }
  if (virtual.kind === 'extended') {
    return extendedModuleCode(findByImportName(model.modules, virtual.module), virtual)
  }
  const module =
    virtual.kind === 'module'
      ? findByImportName(model.modules, virtual.module)
      : model.modules.find(({ name }) => name === virtual.module)
  if (!module) return virtual.kind === 'module' ? lookupCode(virtual.module, model) : undefined
  if (virtual.kind === 'resources') {
    return emitI18nextResources(model, module, virtual.language)
  }
  if (virtual.kind === 'module') {
    return options.dev ? devModuleCode(module, options) : moduleCode(module, module.messages)
  }
  if (virtual.kind === 'imported') return importedCode(module, virtual.names, options)
  if (virtual.kind === 'pack') return devPackCode(module, virtual, options)
  if (virtual.kind === 'edit') {
    return emitNamedPack(model, messagesNamed(module, virtual.names), virtual.language)
  }
  const message = module.messages.find(({ key }) => key === virtual.key)
  return message && keyCode(module, message, options)
}

/** Returns the code of `~uilm/auth/messages`: the messages of a module by name. */
function lookupCode(specifier: string, model: Model): string | undefined {
  const module = lookupModuleOf(modulePrefix + specifier, model)
  return module && emitLookup(module)
}

/** The bundler removes the call if it is unused. chunk-packs.ts finds those that remain. */
function keyCode(module: ModuleModel, message: MessageModel, options: CodeOptions): string {
  const { model, inline, dev, reactive, packAccess, live } = options
  if (inline !== undefined && !dev) return inlineKeyCode(message, model, inline)
  const specifier = `${keySpecifier(module.name, message)}@${fingerprint(module, message, model)}`
  const create = createImport(reactive, 'create')
  return packAccess === 'binding'
    ? `${create}
${packImport(live !== undefined)}
${messageExport(message, model, `/* @__PURE__ */ create(pack, "${specifier}")`)}`
    : `${create}
import { packOf } from '${chunksSpecifier}'
${messageExport(message, model, `/* @__PURE__ */ create(/* @__PURE__ */ packOf("${specifier}"), "${specifier}#")`)}`
}

/** Returns a hash of everything that the packs of a message are compiled from. */
function fingerprint({ source }: ModuleModel, { group }: MessageModel, model: Model): string {
  const { languages, defaultLanguage } = model.catalog
  const keys = [group.key, group.base ?? group.key, ...(group.plural?.values() ?? [])]
  const texts = languages.map(({ code }) => [
    code,
    ...keys.map((key) => source.translations.get(code)?.get(key)),
  ])
  return createHash('sha256')
    .update(JSON.stringify([model.options, defaultLanguage, texts]))
    .digest('hex')
    .slice(0, 8)
}

/** Returns the code of a key module in a build, which re-exports one module per message. */
export function moduleCode(module: ModuleModel, messages: readonly MessageModel[]): string {
  return lines(
    messages.flatMap((message) =>
      exportNames(message).map(
        (name) =>
          `export { message as ${name} } from ${stringLiteral(keySpecifier(module.name, message))}`,
      ),
    ),
  )
}

/** Event that a page sends to the development server when it uses an unknown key. */
export const unknownKeyEvent = 'servicekit:unknown-key'

/**
 * Returns the code of a message that shows its own name, so that the page works without
 * the key. Once the key exists, importers get its translations without a reload.
 */
function unknownKeyCode(
  { module, key }: Extract<VirtualModule, { kind: 'unknown' }>,
  { hot, model, keyToken }: CodeOptions,
): string {
  const found = findByImportName(model.modules, module)
  const isThere = found !== undefined && hasName(found, key)
  const names = `${stringLiteral(module)}, ${stringLiteral(key)}`
  // webpack and rspack show the compile error themselves.
  if (hot !== 'import.meta.hot') {
    return lines([
      `import { inspected } from '${inspectorSpecifier}'`,
      `export const message = inspected(() => undefined, ${names})`,
    ])
  }
  const unknown = jsonLiteral({ module, name: key })
  return lines([
    `import { inspected } from '${inspectorSpecifier}'`,
    ...(keyToken === undefined ? [] : [`import { closeKeyForm } from '${formSpecifier}'`]),
    ...(isThere
      ? [
          imports('changed'),
          `import { ${exportName(key)} as found } from ${stringLiteral(specifierOf(found.name))}`,
        ]
      : []),
    'const live = import.meta.hot?.data?.live ?? {}',
    `live.message = ${isThere ? 'found' : 'undefined'}`,
    `export const message = inspected((args) => live.message?.(args), ${names})`,
    'if (import.meta.hot) {',
    '  import.meta.hot.accept()',
    '  import.meta.hot.dispose((data) => { data.live = live })',
    ...(keyToken === undefined ? [] : [`  import.meta.hot.prune(() => closeKeyForm(${unknown}))`]),
    ...(isThere && keyToken !== undefined ? [`  closeKeyForm(${unknown})`] : []),
    isThere
      ? '  changed()'
      : `  if (globalThis.document) import.meta.hot.send('${unknownKeyEvent}', ${unknown})`,
    '}',
  ])
}

/**
 * Returns the code of a key module with a replacement for each key that does not exist, so
 * that a page works without these keys.
 *
 * @param module Undefined if the module itself does not exist.
 */
export function extendedModuleCode(
  module: ModuleModel | undefined,
  { module: name, keys }: { readonly module: string; readonly keys: readonly string[] },
): string {
  return lines([
    ...(module ? [`export * from ${stringLiteral(specifierOf(module.name))}`] : []),
    ...keys
      .filter((key) => !module || !hasName(module, key))
      .map(
        (key) =>
          `export { message as ${exportName(key)} } from ${stringLiteral(unknownSpecifier(name, key))}`,
      ),
  ])
}
