import { join, posix } from 'node:path'
import { sourceTypeOf } from '@servicekit/catalog'
import { isObject, parseJson } from '@servicekit/core'
import { readTextIfExistsSync } from '@servicekit/core/node'
import type { Alias } from './aliases.ts'
import type { SourceFile } from './read-sources.ts'

/** Settings of one folder that change where imports lead. */
export interface FolderSettings {
  /** Relative to the root, with `/` separators; empty for the root. */
  readonly folder: string
  readonly manifest: Readonly<Record<string, unknown>>
}

export const dependencyKinds = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
]

/** Reads `imports` of a package.json: `"#messages/*": "./messages/*.js"`, with conditions. */
export function importAliases({ folder, manifest }: FolderSettings): readonly Alias[] {
  const { imports } = manifest
  if (!isObject(imports)) return []
  return Object.entries(imports)
    .map(([pattern, target]) => aliasOf(pattern, stringsIn(target), folder))
    .sort(longestFirst)
}

/** Returns the strings of a target with conditions and alternatives. */
export const stringsIn = (target: unknown): readonly string[] =>
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
export function pageAliases({ path, text }: SourceFile): readonly Alias[] {
  if (sourceTypeOf(path) !== 'html') return []
  const map = /<script\b[^>]*\btype\s*=\s*["']?importmap\b[^>]*>([\s\S]*?)<\/script/i.exec(
    text,
  )?.[1]
  return mapAliases(map, posix.dirname(path))
}

export const denoAliases = (folder: string, name: string): readonly Alias[] =>
  ['deno.json', 'deno.jsonc', 'import_map.json'].flatMap((file) =>
    mapAliases(readTextIfExistsSync(join(folder, file)), name),
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
export function packageAliases({ folder, manifest }: FolderSettings): readonly Alias[] {
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
