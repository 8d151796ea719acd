import { findByImportName, lookupModuleOf, type Model } from '@servicekit/catalog'
import { posix } from 'node:path'
import { ts } from 'ts-morph'
import { type Alias, aliasTargets, prefixAliases } from './aliases.ts'
import type { SourceFile } from './read-sources.ts'
import { type ReadFile, readFile } from './read-file.ts'
import { extractScript } from './extract-script.ts'
import type { UsageOptions } from './usage.ts'
import { i18n, packageFunction } from './hooks.ts'
import type { Context, Value } from './value.ts'
import { functionValue, valueOf } from './evaluate.ts'

export interface OpenFile {
  readonly read: ReadFile
  readonly context: Context
}

/**
 * Parses the relevant files one by one, linked by their imports. Only files that others
 * import from are kept, because the syntax trees of thousands of files would not fit in
 * memory.
 */
export function* openFiles(
  model: Model,
  sources: readonly SourceFile[],
  { aliases = {}, paths: pathAliases = [], hooks = [] }: UsageOptions,
): Generator<readonly [path: string, file: OpenFile]> {
  const names = new Set(hooks)
  const sourceFiles = new Map(
    relevant(sources, pathAliases, hooks).map(({ path, text }) => [path, text]),
  )
  const paths = new Set(sources.map(({ path }) => path))
  const allAliases = [...prefixAliases(aliases), ...pathAliases]
  const exported = new Map<string, Value | undefined>()
  const kept = new Map<string, OpenFile>()

  const open = (path: string): OpenFile => {
    const script = extractScript(path, sourceFiles.get(path)!)
    // ts-morph keeps every syntax tree and wraps its nodes: three times slower for
    // reading only.
    const read = readFile(ts.createSourceFile(`/${script.name}`, script.text, parsing))
    const context: Context = {
      imported: (specifier, name) => imported(path, specifier, name),
      member,
      scopeOf: read.scopeOf,
      isHook: (name) => names.has(name),
      known: new WeakMap(),
      functions: new WeakMap(),
      given: new Map(),
    }
    return { read, context }
  }
  const imported = (from: string, specifier: string, name: string): Value | undefined => {
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
    const file = resolveFile(from, specifier, paths, allAliases)
    if (file === undefined) return undefined
    return name === '*' ? { kind: 'file', file } : member(file, name)
  }
  const member = (file: string, name: string): Value | undefined => {
    const id = `${file}\n${name}`
    if (exported.has(id)) return exported.get(id)
    // A circular export has no value.
    exported.set(id, undefined)
    const value = exportOf(file, name)
    exported.set(id, value)
    return value
  }
  const exportOf = (file: string, name: string): Value | undefined => {
    if (!sourceFiles.has(file)) return undefined
    const other = kept.get(file) ?? open(file)
    kept.set(file, other)
    const { named, stars } = other.read.exports
    const own = named.get(name)
    if (own) {
      if ('specifier' in own) return imported(file, own.specifier, own.name)
      return 'declared' in own
        ? functionValue(own.declared, other.context)
        : valueOf(own.expression, other.context)
    }
    if (name === 'default') return undefined
    for (const specifier of stars) {
      const value = imported(file, specifier, name)
      if (value && (value.kind !== 'message' || isThere(model, value))) return value
    }
    return undefined
  }
  for (const path of sourceFiles.keys()) yield [path, kept.get(path) ?? open(path)]
}

/** Comments are skipped. Parents are set while the scopes are read. */
const parsing: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
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
  /^(?:i18next|react-i18next|next-i18next|i18next-vue|vue-i18n|(?:next|use)-intl(?:\/.*)?)$/.test(
    specifier,
  )

/** Marks of files that may use messages. Other files need not be parsed. */
const mark = /~uilm\/|i18n|\bt\s*\(|\$t\b|\$_\b|useTranslation|-intl/

/** Returns the files that use messages, and files that import from them. */
function relevant(
  sources: readonly SourceFile[],
  aliases: readonly Alias[],
  hooks: readonly string[],
): readonly SourceFile[] {
  const isMarked = (text: string): boolean =>
    mark.test(text) || hooks.some((name) => text.includes(name))
  const chosen = new Set(sources.filter(({ text }) => isMarked(text)))
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
    const mention = new RegExp(
      `['"\`/](?:${names.map((name) => name.replaceAll(/[^\w]/g, String.raw`\$&`)).join('|')})(?:\\.\\w+)?['"\`]`,
    )
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

const endings = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mts',
  '.mjs',
  '.cts',
  '.cjs',
  '.vue',
  '.svelte',
]

function resolveFile(
  from: string,
  specifier: string,
  paths: ReadonlySet<string>,
  aliases: readonly Alias[],
): string | undefined {
  const targets = /^\.\.?(?:\/|$)/.test(specifier)
    ? [posix.normalize(posix.join(posix.dirname(from), specifier))]
    : aliasTargets(specifier, aliases)
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
