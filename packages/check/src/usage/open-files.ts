import {
  findByImportName,
  importNameOf,
  lookupModuleOf,
  type Model,
  sourceTypes,
} from '@servicekit/catalog'
import { escapePattern, memoize } from '@servicekit/core'
import { posix } from 'node:path'
import { ts } from 'ts-morph'
import type { Alias } from './aliases.ts'
import type { ImportRoutes } from './import-routes.ts'
import type { SourceFile, Sources } from './read-sources.ts'
import { type ReadFile, readFile } from './read-file.ts'
import { extractScript, type LoosePath, syntaxErrors, type UnreadPart } from './extract-script.ts'
import type { UsageOptions } from './usage.ts'
import { i18n, packageFunction } from './hooks.ts'
import { maxDepth } from './possible-strings.ts'
import type { Argument, Context, Value } from './value.ts'
import { functionValue, valueOf } from './evaluate.ts'

export interface OpenFile {
  readonly read: ReadFile
  readonly context: Context
  /** Parts that cannot be read. */
  readonly unread: readonly UnreadPart[]
  /** Paths in code that is not parsed. */
  readonly loose: readonly LoosePath[]
  /** Returns the file of the application that a specifier leads to. */
  readonly fileOf: (specifier: string) => string | undefined
  /** Returns the value of an export of the file. */
  readonly exportOf: (name: string) => Value | undefined
}

/**
 * Parses the relevant files one by one, linked by their imports. Only files that others
 * import from are kept, because the syntax trees of thousands of files would not fit in
 * memory. A caller that reads an application must not keep them either.
 */
export function* openFiles(
  model: Model,
  { files, routes }: Sources,
  { hooks = [] }: UsageOptions,
  {
    passedTo = () => undefined,
    argumentsOf = () => undefined,
  }: Partial<Pick<Context, 'passedTo' | 'argumentsOf'>> = {},
): Generator<readonly [path: string, file: OpenFile]> {
  const names = new Set(hooks)
  const chosen = relevant(files, markOf(model, routes, hooks), routes.aliases)
  const sourceFiles = new Map(chosen.map((file) => [file.path, file]))
  const texts = new Map(files.map((file) => [file.path, file]))
  const paths = new Set(texts.keys())
  const isMutated = memoize((name: string) => {
    const pattern = mutationOf(name)
    return files.some(({ text }) => pattern.test(text))
  })
  const mentionsOf = memoize((name: string) => {
    const pattern = new RegExp(String.raw`(?<!\btypeof\s+)\b${escapePattern(name)}\b`, 'g')
    return files.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0)
  })
  const exported = new Map<string, Value | undefined>()
  const kept = new Map<string, OpenFile>()

  const open = (path: string): OpenFile => {
    const { text, encodingProblem } = texts.get(path)!
    const script = extractScript(path, text)
    // ts-morph keeps every syntax tree and wraps its nodes: three times slower for
    // reading only.
    const read = readFile(ts.createSourceFile(`/${script.name}`, script.text, parsing))
    const [error] = syntaxErrors(read.source)
    const unread = [
      ...(encodingProblem === undefined ? [] : [{ start: 0, reason: encodingProblem }]),
      ...script.unread,
      ...(error && script.unread.length === 0
        ? [{ start: error.start, reason: 'it has a syntax error' }]
        : []),
    ]
    const context: Context = {
      imported: (specifier, name) => imported(path, specifier, name),
      messageSpecifier: (specifier) => routes.messageSpecifier(path, specifier, model),
      member,
      scopeOf: read.scopeOf,
      isHook: (name) => names.has(name),
      passedTo,
      argumentsOf,
      constant: (specifier, name) => constant(path, specifier, name),
      isMutated,
      isUnused: (name) => !routes.isLibrary(path) && mentionsOf(name) === 1,
      known: new WeakMap(),
      functions: new WeakMap(),
      given: new Map(),
    }
    const fileOf = (specifier: string): string | undefined =>
      resolveFile(routes.targetsOf(path, specifier), paths)
    return {
      read,
      context,
      unread,
      loose: script.loose,
      fileOf,
      exportOf: (name) => exportOf(path, name, read, context),
    }
  }
  const constant = (
    from: string,
    specifier: string,
    name: string,
    depth = 0,
  ): Argument | undefined => {
    const file = resolveFile(routes.targetsOf(from, specifier), paths)
    if (file === undefined || depth > maxDepth) return undefined
    const other = kept.get(file) ?? open(file)
    kept.set(file, other)
    const exported = other.read.exports.named.get(name)
    if (exported && 'expression' in exported) {
      return { node: exported.expression, context: other.context }
    }
    if (exported && 'specifier' in exported) {
      return constant(file, exported.specifier, exported.name, depth + 1)
    }
    const stars = exported ? [] : other.read.exports.stars
    return stars
      .map((one) => constant(file, one.specifier, name, depth + 1))
      .find((one) => one !== undefined)
  }
  const imported = (from: string, written: string, name: string): Value | undefined => {
    const specifier = routes.messageSpecifier(from, written, model) ?? written
    if (specifier.startsWith('~uilm/')) {
      const lookup = lookupModuleOf(specifier, model)
      if (lookup) {
        const value: Value = { kind: 'module', module: lookup.name }
        return name === 'messages' ? value : undefined
      }
      const module = findByImportName(model.modules, specifier.slice('~uilm/'.length))?.name
      if (module === undefined) return undefined
      return name === '*' ? { kind: 'module', module } : { kind: 'message', module, name }
    }
    if (isI18nPackage(specifier)) {
      if (name === 't') return { ...i18n, kind: 't' } as Value
      if (name === 'default' || name === 'i18n' || name === '*') return i18n
      return packageFunction(name, specifier)
    }
    const file = resolveFile(routes.targetsOf(from, specifier), paths)
    if (file === undefined) return undefined
    return name === '*' ? { kind: 'file', file } : member(file, name)
  }
  const member = (file: string, name: string): Value | undefined => {
    const id = `${file}\n${name}`
    if (exported.has(id)) return exported.get(id)
    // A circular export has no value.
    exported.set(id, undefined)
    if (!sourceFiles.has(file)) return undefined
    const other = kept.get(file) ?? open(file)
    kept.set(file, other)
    const value = other.exportOf(name)
    exported.set(id, value)
    return value
  }
  const exportOf = (
    file: string,
    name: string,
    { exports: { named, stars } }: ReadFile,
    context: Context,
  ): Value | undefined => {
    const own = named.get(name)
    if (own) {
      if ('specifier' in own) return imported(file, own.specifier, own.name)
      return 'declared' in own
        ? functionValue(own.declared, context)
        : valueOf(own.expression, context)
    }
    if (name === 'default') return undefined
    const values = stars.map(({ specifier }) => imported(file, specifier, name))
    const found = values.find(
      (value) => value && (value.kind !== 'message' || isThere(model, value)),
    )
    if (found) return found
    // If all of them are key modules, none has the name.
    return values.every((value) => value?.kind === 'message') ? values[0] : undefined
  }
  for (const path of sourceFiles.keys()) yield [path, kept.get(path) ?? open(path)]
}

/** Comments are skipped. Parents are set while the scopes are read. */
const parsing: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
}

/** Returns the pattern of code that changes the contents of a constant: `list.push(`, `map.a = 1`. */
function mutationOf(name: string): RegExp {
  const member = String.raw`(?:\??\.\w+|\[[^\]\n]*\])`
  const change = String.raw`\.(?:push|unshift|splice|fill)\(|${member}\s*(?:=(?![=>])|\+\+)`
  return new RegExp(String.raw`(?<![\w.])${escapePattern(name)}${member}*?(?:${change})`)
}

/** Through `export *` every name seems to exist. */
const isThere = (
  model: Model,
  value: { readonly module: string; readonly name: string },
): boolean =>
  model.modules
    .find(({ name }) => name === value.module)
    ?.messages.some(({ name, key }) => name === value.name || key === value.name) ?? false

const isI18nPackage = (specifier: string): boolean =>
  /^(?:i18next|react-i18next|next-i18next|i18next-vue|(?:petite-)?vue-i18n(?:\/.*)?|(?:next|use)-intl(?:\/.*)?)$/.test(
    specifier,
  )

/** Pattern of i18next and of the imports of generated modules. */
const marks = String.raw`~uilm\b|[Ii]18n|\bt\s*\(|\$t\b|\$_\b|useTranslation|-intl`

/**
 * Returns the pattern of files that may use messages. Other files need not be parsed. Any import
 * that ends like a key module counts, because routes may be unknown.
 */
function markOf(model: Model, { marks: own }: ImportRoutes, hooks: readonly string[]): RegExp {
  const names = model.modules.flatMap(({ name }) => [name, importNameOf(name)])
  const modules = [...new Set(names)].map(escapePattern).join('|')
  const imports = modules === '' ? '$^' : `['"\`/](?:${modules})(?:/messages)?(?:\\.[cm]?js)?['"\`]`
  const folders = own.flatMap((one) => (one.endsWith('/') ? [one.slice(0, -1)] : []))
  const named = folders.length === 0 ? '$^' : `(?:${folders.map(escapePattern).join('|')})['"\`]`
  return new RegExp([marks, ...[...own, ...hooks].map(escapePattern), imports, named].join('|'))
}

/** Returns the files that use messages, and files that import from them. */
function relevant(
  sources: readonly SourceFile[],
  mark: RegExp,
  aliases: readonly Alias[],
): readonly SourceFile[] {
  const chosen = new Set(sources.filter(({ text }) => mark.test(text)))
  let added = [...chosen]
  while (added.length > 0) {
    const names = [...new Set(added.filter(({ text }) => /\bexport\b/.test(text)).map(stemOf))]
    if (names.length === 0) break
    for (const { start, end, targets } of aliases) {
      // Alias of a single file.
      if (end === undefined && targets.some((path) => names.includes(stemOf({ path })))) {
        names.push(posix.basename(start))
      }
    }
    const mention = new RegExp(`['"\`/](?:${names.map(escapePattern).join('|')})(?:\\.\\w+)?['"\`]`)
    added = sources.filter((source) => !chosen.has(source) && mention.test(source.text))
    for (const source of added) chosen.add(source)
  }
  return sources.filter((source) => chosen.has(source))
}

/** Returns the last segment of an import of a file: its name, or that of its folder. */
function stemOf({ path }: Pick<SourceFile, 'path'>): string {
  const stem = posix.basename(path).replace(/\.\w+$/, '')
  return stem === 'index' ? posix.basename(posix.dirname(path)) : stem
}

/** Extensions that an import may omit, in order of precedence. */
const endings = [
  '',
  ...['ts', 'tsx', 'js', 'jsx', 'mts', 'mjs', 'cts', 'cjs'].map((ending) => `.${ending}`),
  ...Object.keys(sourceTypes)
    .filter((ending) => sourceTypes[ending as keyof typeof sourceTypes] !== 'script')
    .map((ending) => `.${ending}`),
]

function resolveFile(targets: readonly string[], paths: ReadonlySet<string>): string | undefined {
  for (const target of targets) {
    const clean = target.replace(/\/$/, '')
    // TypeScript files are imported by the name of their output.
    const stems = [clean, clean.replace(/\.([cm]?)jsx?$/, ''), `${clean}/index`]
    for (const stem of stems) {
      for (const ending of endings) if (paths.has(stem + ending)) return stem + ending
    }
  }
  return undefined
}
