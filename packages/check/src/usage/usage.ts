import {
  importNameOf,
  keyOfIdentifier,
  type MessageModel,
  type Model,
  type ModuleModel,
} from '@servicekit/catalog'
import { escapePattern } from '@servicekit/core'
import type { ts } from 'ts-morph'
import { exportedMessages, type FileLinks, linksOf } from './exported-messages.ts'
import type { Sources } from './read-sources.ts'
import { findReferences, type Reference } from './find-references.ts'
import { defaultTextOf } from './i18next-references.ts'
import type { ReadFile } from './read-file.ts'
import { type OpenFile, openFiles } from './open-files.ts'
import { endsLikeModule, moduleNames } from './import-routes.ts'
import type { Context } from './value.ts'
import { pathInCode } from './extract-script.ts'
import { indexOf, resolve, unknownImports } from './resolve.ts'
import { type PassedTranslators, readPassedTranslators } from './passed-translators.ts'

/** Use of a message in the code. */
export interface Usage {
  /** Path relative to the root, with `/` separators. */
  readonly file: string
  /** One-based. */
  readonly line: number
  readonly column: number
  readonly module: string
  /** Key of the message; undefined if any message of the module may be used. */
  readonly key: string | undefined
  /** Kind of usage. */
  readonly by: 'import' | 'i18next'
  /** Names of the arguments, if they are all written literally. */
  readonly args: readonly string[] | undefined
}

/** Use of a key or module that does not exist. */
export interface UnknownUsage {
  readonly file: string
  readonly line: number
  readonly column: number
  /** Undefined if the module is unknown. */
  readonly module: string | undefined
  /** Undefined if the module itself does not exist. */
  readonly name: string | undefined
  /** Key that the code expects; undefined if it names none, as with a namespace import. */
  readonly key: string | undefined
  /** Text for a missing translation: `t('KEY', 'text')`. */
  readonly text: string | undefined
}

export interface UsageReport {
  readonly files: number
  readonly usages: readonly Usage[]
  readonly unknown: readonly UnknownUsage[]
  /**
   * Usages that may refer to any message of a module, so that none can be reported as
   * unused.
   */
  readonly dynamic: readonly Usage[]
  /** Files and imports that cannot be read, so that the messages they use are unknown. */
  readonly unread: readonly UnreadSource[]
}

/** Part of the code that cannot be read. */
export interface UnreadSource {
  /** Path relative to the root, with `/` separators. */
  readonly file: string
  /** One-based. */
  readonly line: number
  readonly column: number
  readonly reason: string
}

export interface UsageOptions {
  /** Names of additional functions that return `t` or an object containing it. */
  readonly hooks?: readonly string[]
}

/** Usage with its file and the messages that it resolves to. */
export interface ResolvedReference {
  readonly path: string
  readonly reference: Reference
  readonly read: ReadFile
  readonly context: Context
  readonly messages: readonly { readonly module: ModuleModel; readonly message: MessageModel }[]
}

/** Returns the messages that an application uses. */
export function readUsage(model: Model, sources: Sources, options: UsageOptions = {}): UsageReport {
  const usages: Usage[] = []
  const dynamic: Usage[] = []
  const unknown: UnknownUsage[] = []
  const unread: UnreadSource[] = []
  const index = indexOf(model)
  const { routes } = sources
  const names = moduleNames(model)
  const links: FileLinks[] = []
  for (const [path, file] of openFiles(model, sources, options)) {
    const { read, context } = file
    const position = (node: ts.Node) => ({ file: path, ...positionOf(read, node) })
    links.push(linksOf(path, file, index, position))
    unknown.push(
      ...unknownImports(read, model, index, context.messageSpecifier).map(
        ({ node, imported, ...rest }) => ({
          ...position(node),
          ...rest,
          key: /^(?:\*|default)$/.test(imported) ? undefined : keyOfIdentifier(imported),
          text: undefined,
        }),
      ),
    )
    unread.push(
      ...file.unread.map(({ start, reason }) => ({ file: path, ...lineOf(read, start), reason })),
    )
    for (const { specifier, node } of specifiersOf(read)) {
      if (!endsLikeModule(specifier, names) || !routes.isUnresolved(path, specifier, model))
        continue
      unread.push({ ...position(node), reason: `its import "${specifier}" leads to no file` })
    }
    for (const module of modulesByPath(path, file, model, routes.marks)) {
      dynamic.push({
        file: path,
        ...lineOf(read, module.start),
        module: module.name,
        key: undefined,
        by: 'import',
        args: undefined,
      })
    }
    for (const reference of findReferences(read, context)) {
      const at = position(reference.node)
      const { by, args } = reference
      const found = resolve(reference, index)
      for (const { module, message } of found.messages) {
        usages.push({ ...at, module: module.name, key: message.key, by, args })
      }
      for (const module of found.whole) {
        dynamic.push({ ...at, module: module.name, key: undefined, by, args })
      }
      const text = reference.call && defaultTextOf(reference.call)
      unknown.push(
        ...found.unknown.map((one) => ({
          ...at,
          ...one,
          key: by === 'import' ? keyOfIdentifier(one.name) : one.name,
          text: by === 'i18next' ? text : undefined,
        })),
      )
    }
  }
  for (const exported of exportedMessages(links, routes.isLibrary)) {
    const list = exported.key === undefined ? dynamic : usages
    list.push({ ...exported, by: 'import', args: undefined })
  }
  for (const { file, target } of routes.published) {
    const specifier = routes.messageSpecifier(file, target, model)
    for (const module of modulesLike(specifier, model)) {
      dynamic.push({
        file,
        line: 1,
        column: 1,
        module,
        key: undefined,
        by: 'import',
        args: undefined,
      })
    }
  }
  for (const { path, text } of sources.others) {
    const isMessages = (specifier: string): boolean =>
      endsLikeModule(specifier, names) &&
      routes.messageSpecifier(path, specifier, model) !== undefined
    const written = [...text.matchAll(pathInCode)]
    const at = written.find(([specifier]) => isMessages(specifier))?.index ?? text.search(/~uilm\b/)
    if (at < 0) continue
    const line = text.slice(0, at).split('\n').length
    unread.push({ file: path, line, column: 1, reason: 'its file type is unknown' })
  }
  return { files: sources.files.length, usages, unknown: once(unknown), dynamic, unread }
}

/** Returns the specifiers of a file: of its imports, its exports, and of modules that it loads. */
const specifiersOf = ({
  imports,
  exports,
  paths,
}: ReadFile): readonly { readonly specifier: string; readonly node: ts.Node }[] => [
  ...imports,
  ...[...exports.named.values()].flatMap((one) => ('specifier' in one ? [one] : [])),
  ...exports.stars,
  ...paths.flatMap(({ node, text, kind }) =>
    kind === 'loaded' ? [{ specifier: text, node }] : [],
  ),
]

/**
 * Returns the modules that a file names in strings, and may load in a way that is not followed:
 * `import.meta.glob('./messages/*.js')`, `require.context('../messages')`,
 * `new URL('../messages/cart.js', import.meta.url)`, `join(folder, 'messages', name)`.
 */
function modulesByPath(
  path: string,
  { read, context, loose }: OpenFile,
  model: Model,
  folders: readonly string[],
): readonly { readonly name: string; readonly start: number }[] {
  // Settings of tools name modules, and use no messages.
  if (/\.config\.[cm]?[jt]s$/.test(path)) return []
  const named = read.paths.flatMap(({ node, text, kind }) => {
    if (kind === 'loaded' && !text.includes('*')) return []
    // No build replaces specifiers in strings.
    if (kind === 'code' && text.startsWith('~uilm')) return []
    const isFolder = kind === 'part' && folders.includes(`${text}/`)
    return [{ start: node.getStart(read.source), text: isFolder ? '~uilm/*' : text }]
  })
  return [...named, ...loose].flatMap(({ start, text }) => {
    const specifier = context.messageSpecifier(text.endsWith('/') ? `${text}*` : text)
    const isFolder =
      specifier === '~uilm' && !/^~uilm|\/(?:index|runtime)(?:\.c?[jt]s)?$/.test(text)
    const modules = modulesLike(isFolder ? '~uilm/*' : specifier, model)
    return modules.map((name) => ({ name, start }))
  })
}

/** Returns the modules that a specifier with `*` may lead to. */
function modulesLike(specifier: string | undefined, { modules }: Model): readonly string[] {
  if (!specifier?.startsWith('~uilm/')) return []
  const name = specifier.slice('~uilm/'.length).replace(/\/messages$/, '')
  const pattern = new RegExp(`^${name.split('*').map(escapePattern).join('.*')}$`)
  const found = modules.filter((module) =>
    [module.name, importNameOf(module.name)].some((one) => pattern.test(one)),
  )
  return found.map((module) => module.name)
}

/** Parsed file with the messages that it uses. */
export interface OpenedFile {
  readonly path: string
  readonly read: ReadFile
  readonly context: Context
  readonly references: readonly ResolvedReference[]
  /** Expressions that pass `t` to a function or a component, with the package of its hook. */
  readonly passed: ReadonlyMap<ts.Node, string>
}

/** Returns the files that may use messages, with their usages. */
export function openedFiles(
  model: Model,
  sources: Sources,
  options: UsageOptions = {},
): readonly OpenedFile[] {
  const index = indexOf(model)
  const files: Omit<OpenedFile, 'references' | 'passed'>[] = []
  // The calls of a function may be in files that are opened later.
  let translators: PassedTranslators | undefined
  const passed: Pick<Context, 'passedTo' | 'argumentsOf'> = {
    passedTo: (parameter) => translators?.valueOf(parameter),
    argumentsOf: (parameter) => translators?.argumentsOf(parameter),
  }
  for (const [path, { read, context }] of openFiles(model, sources, options, passed)) {
    files.push({ path, read, context })
  }
  const known = readPassedTranslators(files)
  translators = known
  return files.map(({ path, read, context: before }) => {
    const context = withoutCache(before)
    const references = findReferences(read, context).map((reference) => ({
      path,
      reference,
      read,
      context,
      messages: resolve(reference, index).messages,
    }))
    return { path, read, context, references, passed: known.passedIn(path) }
  })
}

/** Values that depend on the calls of a function must not be kept before all calls are known. */
const withoutCache = (context: Context): Context => ({
  ...context,
  known: new WeakMap(),
  functions: new WeakMap(),
})

const once = (all: readonly UnknownUsage[]): readonly UnknownUsage[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
]

const positionOf = (read: ReadFile, node: ts.Node): { line: number; column: number } =>
  lineOf(read, node.getStart(read.source))

function lineOf({ source }: ReadFile, at: number): { line: number; column: number } {
  const { line, character } = source.getLineAndCharacterOfPosition(at)
  return { line: line + 1, column: character + 1 }
}
