import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path'
import { isProgramFolder, type Model, programSpecifier, sourceTypeOf } from '@servicekit/catalog'
import { isObject, memoize, parseJson } from '@servicekit/core'
import { ts } from 'ts-morph'
import { type Alias, aliasTargets, prefixAliases, readPathAliases } from './aliases.ts'
import type { SourceFile } from './read-sources.ts'

/**
 * Where the imports of an application lead: the only list of import routes. Every reader of code
 * asks it, so that none knows fewer routes than another.
 */
export interface ImportRoutes {
  /**
   * Returns the paths that a specifier may lead to, in order of precedence, without extensions
   * that it omits. Relative to the root, with `/` separators; they may be outside.
   */
  readonly targetsOf: (from: string, specifier: string) => readonly string[]
  /**
   * Returns `~uilm/…` for a specifier that leads to it or to the same file of `servicekit
   * compile`; undefined for others.
   */
  readonly messageSpecifier: (from: string, specifier: string, model: Model) => string | undefined
  /**
   * Returns whether a specifier leads nowhere: to no file, no package, and no compiled message.
   */
  readonly isUnresolved: (from: string, specifier: string, model: Model) => boolean
  /** Returns whether a package is published with the code, so that others may import its files. */
  readonly isLibrary: (path: string) => boolean
  readonly aliases: readonly Alias[]
  /** Names of the folders of compiled messages, and prefixes that lead to them. */
  readonly marks: readonly string[]
}

/** Settings of one folder that change where imports lead. */
interface FolderSettings {
  /** Relative to the root, with `/` separators; empty for the root. */
  readonly folder: string
  readonly manifest: Readonly<Record<string, unknown>>
}

/**
 * Reads the import routes of an application: the option `aliases`, `imports` of package.json,
 * `paths` of the tsconfig, import maps of pages and of Deno, and local packages.
 *
 * @param folders Absolute folders with a package.json or a tsconfig.
 */
export function readImportRoutes(
  root: string,
  folders: readonly string[],
  {
    aliases: own = {},
    sources = [],
  }: {
    readonly aliases?: Readonly<Record<string, string>>
    readonly sources?: readonly SourceFile[]
  } = {},
): ImportRoutes {
  const nameOf = (path: string): string => relative(root, path).split(sep).join('/')
  // The nearest settings first.
  const sorted = [...folders].sort((a, b) => b.length - a.length)
  const settings = sorted.map((folder): FolderSettings => {
    const manifest = parseJson(textOf(join(folder, 'package.json')) ?? '')
    return { folder: nameOf(folder), manifest: isObject(manifest) ? manifest : {} }
  })
  const compiled = new Set(settings.flatMap(compiledFolders))
  const isCompiled = memoize(
    (folder: string) => compiled.has(folder) || isProgramFolder(resolve(root, folder)),
  )
  const scoped = (folder: string, all: readonly Alias[]): readonly Alias[] =>
    all.map((one) => ({ ...one, folder }))
  const aliases: readonly Alias[] = [
    ...prefixAliases(own),
    ...settings.flatMap((one) => scoped(one.folder, importAliases(one))),
    ...sorted.flatMap((folder) => scoped(nameOf(folder), readPathAliases(folder, root))),
    ...sources.flatMap(pageAliases),
    ...sorted.flatMap((folder) => denoAliases(folder, nameOf(folder))),
    ...settings.flatMap(packageAliases),
  ]
  const packages = new Set(settings.flatMap(dependenciesOf))
  for (let at = dirname(resolve(root)); at !== dirname(at); at = dirname(at)) {
    const manifest = parseJson(textOf(join(at, 'package.json')) ?? '')
    if (isObject(manifest)) {
      for (const name of dependenciesOf({ folder: '', manifest })) packages.add(name)
    }
  }

  const targetsOf = (from: string, specifier: string): readonly string[] => {
    const path = specifier.replace(/(?<=.)[?#].*$/, '')
    const beside = posix.normalize(posix.join(posix.dirname(from), path))
    if (/^\.\.?(?:\/|$)/.test(path)) return [beside]
    const found = aliasTargets(path, aliases, from)
    if (!path.startsWith('/')) return found
    return [...found, path.slice(1), beside, `public${path}`].map((one) => posix.normalize(one))
  }
  const find = (from: string, specifier: string, model: Model): string | undefined => {
    if (/^~uilm(?:\/|$)/.test(specifier)) return specifier
    for (const target of targetsOf(from, specifier)) {
      for (
        let at = target;
        at !== '.' && at !== '/' && !at.endsWith('..');
        at = posix.dirname(at)
      ) {
        if (isCompiled(at)) return programSpecifier(posix.relative(at, target), model)
      }
    }
    return undefined
  }
  return {
    targetsOf,
    messageSpecifier: find,
    isUnresolved(from, specifier, model) {
      if (find(from, specifier, model) !== undefined || isPackage(specifier, packages)) return false
      const targets = targetsOf(from, specifier).map((target) => resolve(root, target))
      return !targets.some(leadsToFile)
    },
    isLibrary(path) {
      const one = settings.find(
        ({ folder, manifest }) =>
          (folder === '' || path.startsWith(`${folder}/`)) && Object.keys(manifest).length > 0,
      )
      return ['exports', 'module', 'types', 'typings'].some((name) =>
        Object.hasOwn(one?.manifest ?? {}, name),
      )
    },
    aliases,
    marks: [
      ...[...compiled].map((folder) => `${posix.basename(folder)}/`),
      ...aliases.flatMap(({ start, targets }) =>
        start.length > 1 && targets.some((target) => isCompiled(posix.dirname(target)))
          ? [start]
          : [],
      ),
    ],
  }
}

/** Import routes without an application on disk: only relative imports and aliases. */
export const virtualRoutes = (aliases: readonly Alias[] = []): ImportRoutes => ({
  ...readImportRoutes(sep, []),
  aliases,
  targetsOf: (from, specifier) =>
    /^\.\.?(?:\/|$)/.test(specifier)
      ? [posix.normalize(posix.join(posix.dirname(from), specifier))]
      : aliasTargets(specifier, aliases, from),
  isUnresolved: () => false,
})

const textOf = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, 'utf8') : undefined

/** Returns whether a path leads to a file, possibly without its extension, or to a folder. */
function leadsToFile(path: string): boolean {
  if (existsSync(path)) return true
  const stem = basename(path).replace(/\.[cm]?jsx?$/, '')
  return ts.sys
    .readDirectory(dirname(path), undefined, undefined, [`${stem}.*`], 1)
    .some((file) => sourceTypeOf(file) !== undefined)
}

function isPackage(specifier: string, packages: ReadonlySet<string>): boolean {
  if (/^[\w+.-]+:/.test(specifier)) return true
  const name = /^(?:@[^/]+\/)?[^/@.#][^/]*/.exec(specifier)?.[0]
  return name !== undefined && (packages.has(name) || builtinModules.includes(name))
}

const dependencyKinds = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
]

const dependenciesOf = ({ manifest }: FolderSettings): readonly string[] =>
  dependencyKinds.flatMap((kind) => {
    const all = manifest[kind]
    return isObject(all) ? Object.keys(all) : []
  })

/** Returns the folders that the scripts of a package.json compile messages to. */
function compiledFolders({ folder, manifest }: FolderSettings): readonly string[] {
  const { scripts } = manifest
  if (!isObject(scripts)) return []
  return Object.values(scripts).flatMap((script) =>
    [
      ...String(script).matchAll(
        /\bservicekit\s+compile\b[^&|;]*?\s--out[\s=]+(["']?)([^\s"'&|;]+)\1/g,
      ),
    ].map(([, , out = '']) => posix.normalize(posix.join(folder, out)).replace(/\/$/, '')),
  )
}

/** Reads `imports` of a package.json: `"#messages/*": "./messages/*.js"`, with conditions. */
function importAliases({ folder, manifest }: FolderSettings): readonly Alias[] {
  const { imports } = manifest
  if (!isObject(imports)) return []
  return Object.entries(imports)
    .map(([pattern, target]) => aliasOf(pattern, stringsIn(target), folder))
    .sort(longestFirst)
}

/** Returns the strings of a target with conditions and alternatives. */
const stringsIn = (target: unknown): readonly string[] =>
  typeof target === 'string'
    ? [target]
    : typeof target === 'object' && target !== null
      ? Object.values(target).flatMap(stringsIn)
      : []

function aliasOf(pattern: string, targets: readonly string[], folder: string): Alias {
  const [start = '', end] = pattern.split('*')
  return {
    start,
    end,
    targets: targets.map((target) => posix.normalize(posix.join(folder, target))),
  }
}

const longestFirst = (a: Alias, b: Alias): number => b.start.length - a.start.length

/** Reads the import map of a page. Its addresses begin at the page, or at the site. */
function pageAliases({ path, text }: SourceFile): readonly Alias[] {
  if (sourceTypeOf(path) !== 'html') return []
  const map = /<script\b[^>]*\btype\s*=\s*["']?importmap\b[^>]*>([\s\S]*?)<\/script/i.exec(
    text,
  )?.[1]
  return mapAliases(map, posix.dirname(path))
}

const denoAliases = (folder: string, name: string): readonly Alias[] =>
  ['deno.json', 'deno.jsonc', 'import_map.json'].flatMap((file) =>
    mapAliases(textOf(join(folder, file)), name),
  )

function mapAliases(map: string | undefined, folder: string): readonly Alias[] {
  const imports = (parseJson(map ?? '') as { imports?: unknown } | undefined)?.imports
  if (!isObject(imports)) return []
  const found = Object.entries(imports).flatMap(([name, address]) => {
    if (typeof address !== 'string' || /^[\w+.-]+:/.test(address)) return []
    const folders = address.startsWith('/') ? [folder, '', 'public'] : [folder]
    return folders.map((one) =>
      aliasOf(
        name.endsWith('/') ? `${name}*` : name,
        [name.endsWith('/') ? `${address}*` : address],
        one,
      ),
    )
  })
  return found.sort(longestFirst)
}

/** Leads the name of a local package to its folder: `"texts": "file:./messages"`. */
function packageAliases({ folder, manifest }: FolderSettings): readonly Alias[] {
  const named = typeof manifest['name'] === 'string' ? [[manifest['name'], '.'] as const] : []
  const linked = dependencyKinds.flatMap((kind) => {
    const all = manifest[kind]
    return Object.entries(isObject(all) ? all : {}).flatMap(([name, version]) => {
      const path = /^(?:file|link|portal):(.+)/.exec(String(version))?.[1]
      return path === undefined ? [] : [[name, path] as const]
    })
  })
  return [...named, ...linked].flatMap(([name, path]) => [
    aliasOf(name, [path, `${path}/src`], folder),
    aliasOf(`${name}/*`, [`${path}/*`, `${path}/src/*`], folder),
  ])
}
