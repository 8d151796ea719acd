import { existsSync, readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path'
import {
  importNameOf,
  isProgramFolder,
  type Model,
  programSpecifier,
  sourceTypeOf,
  specifierPath,
} from '@servicekit/catalog'
import { isObject, memoize, parseJson } from '@servicekit/core'
import { readTextIfExistsSync } from '@servicekit/core/node'
import { type Alias, aliasTargets, prefixAliases, readPathAliases } from './aliases.ts'
import {
  denoAliases,
  dependencyKinds,
  type FolderSettings,
  importAliases,
  packageAliases,
  pageAliases,
  stringsIn,
} from './application-aliases.ts'
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
   * Returns the specifier with which a file imports what `~uilm/…` names: like its other imports of
   * messages, or else by a route of its project to compiled messages.
   *
   * @param written Specifiers that the file imports.
   */
  readonly specifierFor: (
    from: string,
    specifier: string,
    model: Model,
    written: readonly string[],
  ) => string
  /**
   * Returns whether a specifier leads nowhere: to no file, no package, and no compiled message.
   */
  readonly isUnresolved: (from: string, specifier: string, model: Model) => boolean
  /** Returns whether a package is published with the code, so that others may import its files. */
  readonly isLibrary: (path: string) => boolean
  /** Files that the packages with the code export, by their package.json. */
  readonly published: readonly { readonly file: string; readonly target: string }[]
  readonly aliases: readonly Alias[]
  /** Names of the folders of compiled messages, and prefixes that lead to them. */
  readonly marks: readonly string[]
}

/** Files of a folder whose settings change where imports lead. */
export const routeFiles = [
  'package.json',
  'tsconfig.json',
  'jsconfig.json',
  'deno.json',
  'deno.jsonc',
  'import_map.json',
] as const

/**
 * Reads the import routes of an application: the option `aliases`, `imports` of package.json,
 * `paths` of the tsconfig, import maps of pages and of Deno, and local packages.
 *
 * @param folders Absolute folders with one of {@link routeFiles}.
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
    const manifest = parseJson(readTextIfExistsSync(join(folder, 'package.json')) ?? '')
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
    const manifest = parseJson(readTextIfExistsSync(join(at, 'package.json')) ?? '')
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
  const compiledTargets = (one: Alias): readonly string[] =>
    one.start.length > 1 ? one.targets.filter((target) => isCompiled(posix.dirname(target))) : []
  /** Returns the ways to import a file of compiled messages, best first. */
  const waysTo = (from: string, name: string): readonly string[] => {
    const isFor = ({ folder = '' }: Alias): boolean =>
      folder === '' || from.startsWith(`${folder}/`)
    const routes = aliases
      .filter(isFor)
      .flatMap((one) => compiledTargets(one).map((target) => ({ ...one, target })))
    const through = routes.flatMap(({ start, end, target }): readonly string[] => {
      const path = `${posix.dirname(target)}/${name}.js`
      if (end === undefined) return target === path ? [start] : []
      const [before = '', after = ''] = target.split('*')
      const isMatch = path.startsWith(before) && path.endsWith(after)
      return isMatch ? [start + path.slice(before.length, path.length - after.length) + end] : []
    })
    const beside = [...compiled].map((folder) => {
      const path = posix.relative(posix.dirname(from), `${folder}/${name}.js`)
      return path.startsWith('.') ? path : `./${path}`
    })
    return [...through, ...beside]
  }
  /** Returns whether the package of a file builds with the plugin, which resolves `~uilm/…`. */
  const hasPlugin = (from: string): boolean => {
    const around = settings.filter(({ folder }) => folder === '' || from.startsWith(`${folder}/`))
    const nearest = around.find(
      (one) => dependenciesOf(one).includes(plugin) || compiledFolders(one).length > 0,
    )
    return nearest !== undefined && dependenciesOf(nearest).includes(plugin)
  }
  return {
    targetsOf,
    messageSpecifier: find,
    specifierFor(from, specifier, model, written) {
      const name = specifierPath(specifier.slice('~uilm/'.length))
      const alike = written.flatMap((one) => {
        const known = find(from, one, model)
        if (known?.startsWith('~uilm/') !== true) return []
        const other = specifierPath(known.slice('~uilm/'.length))
        const at = one.lastIndexOf(other)
        return at < 0 ? [] : [one.slice(0, at) + name + one.slice(at + other.length)]
      })
      const others = hasPlugin(from) ? [] : waysTo(from, name)
      return [...alike, ...others].find((one) => find(from, one, model) === specifier) ?? specifier
    },
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
    published: settings.flatMap(({ folder, manifest }) =>
      entryFields
        .flatMap((name) => stringsIn(manifest[name]))
        .map((target) => ({
          file: posix.join(folder, 'package.json'),
          target: target.startsWith('.') ? target : `./${target}`,
        })),
    ),
    aliases,
    marks: [
      ...[...compiled].map((folder) => `${posix.basename(folder)}/`),
      ...aliases.flatMap((one) => (compiledTargets(one).length > 0 ? [one.start] : [])),
    ],
  }
}

/** Fields of a package.json that name files which other packages import. */
const entryFields = ['exports', 'main', 'module', 'browser'] as const

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

/** Returns the names under which code can import key modules. */
export const moduleNames = ({ modules }: Model): ReadonlySet<string> =>
  new Set(modules.flatMap(({ name }) => [name, importNameOf(name)]))

/** Returns whether a specifier ends like that of a key module, and may be another route to it. */
export function endsLikeModule(specifier: string, modules: ReadonlySet<string>): boolean {
  const path = specifier.replace(/\.[cm]?js$/, '').replace(/\/messages$/, '')
  for (let at = 0; ; at = path.indexOf('/', at) + 1) {
    if (modules.has(path.slice(at))) return true
    if (!path.includes('/', at)) return false
  }
}

/** Returns whether a path leads to a file, possibly without its extension, or to a folder. */
function leadsToFile(path: string): boolean {
  if (existsSync(path)) return true
  const stem = basename(path).replace(/\.[cm]?jsx?$/, '')
  if (!existsSync(dirname(path))) return false
  return readdirSync(dirname(path)).some(
    (file) => file.startsWith(`${stem}.`) && sourceTypeOf(file) !== undefined,
  )
}

function isPackage(specifier: string, packages: ReadonlySet<string>): boolean {
  if (/^[\w+.-]+:/.test(specifier)) return true
  const name = /^(?:@[^/]+\/)?[^/@.#][^/]*/.exec(specifier)?.[0]
  return name !== undefined && (packages.has(name) || builtinModules.includes(name))
}

/** Package of the bundler plugin. */
const plugin = '@servicekit/unplugin'

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
