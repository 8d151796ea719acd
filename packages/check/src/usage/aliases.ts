import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import type { ts } from 'ts-morph'

/** Import alias: an entry of `paths` in the tsconfig, such as `@/*`, or a prefix. */
export interface Alias {
  readonly start: string
  /** Suffix after the `*`; undefined for an alias without `*`. */
  readonly end: string | undefined
  /**
   * Target paths relative to the root, with `*` for the matched part. The first existing
   * file is used.
   */
  readonly targets: readonly string[]
  /** Folder whose files the alias is for, relative to the root; all by default. */
  readonly folder?: string
}

/** Converts the option `aliases` to prefix aliases. */
export const prefixAliases = (aliases: Readonly<Record<string, string>>): readonly Alias[] =>
  Object.entries(aliases).map(([start, target]) => ({ start, end: '', targets: [`${target}*`] }))

/** Parsed tsconfig.json. */
export interface Tsconfig {
  readonly path: string
  readonly options: ts.CompilerOptions
  readonly fileNames: readonly string[]
}

/**
 * Reads a tsconfig.json with the configurations it extends, preceded by the projects it
 * references.
 *
 * @param typescript TypeScript version to use.
 * @param host `ts.sys`, possibly without listing files, which is slow.
 */
export function readTsconfigs(
  typescript: typeof ts,
  path: string,
  host: ts.ParseConfigHost = typescript.sys,
  seen = new Set<string>(),
): readonly Tsconfig[] {
  if (seen.has(path) || !existsSync(path)) return []
  seen.add(path)
  const { config = {} } = typescript.readConfigFile(path, typescript.sys.readFile) as {
    config?: object
  }
  const parsed = typescript.parseJsonConfigFileContent(config, host, dirname(path), undefined, path)
  const { options, fileNames, projectReferences = [] } = parsed
  return [
    ...projectReferences.flatMap((one) =>
      readTsconfigs(typescript, typescript.resolveProjectReferencePath(one), host, seen),
    ),
    { path, options, fileNames },
  ]
}

/**
 * Reads `paths` and `baseUrl` from the tsconfig.json or jsconfig.json of a folder, the
 * configurations it extends, and the projects it references.
 *
 * @param root Folder that the targets are relative to.
 */
export function readPathAliases(folder: string, root: string = folder): readonly Alias[] {
  const file = ['tsconfig.json', 'jsconfig.json'].map((name) => join(folder, name)).find(existsSync)
  if (file === undefined) return []
  // Linters also load this file, and few of them need the parser.
  const morph = createRequire(import.meta.url)('ts-morph') as { readonly ts: typeof ts }
  const host = { ...morph.ts.sys, readDirectory: () => [] }
  const configs = readTsconfigs(morph.ts, file, host)
  const aliases = [...configs].reverse().flatMap(({ path, options }) => {
    const base = options.baseUrl ?? (options['pathsBasePath'] as string | undefined)
    const bare = options.baseUrl === undefined ? {} : { '*': [`${options.baseUrl}/*`] }
    return Object.entries({ ...bare, ...options.paths }).map(([pattern, targets]): Alias => {
      const [start = '', end] = pattern.split('*')
      return {
        start,
        end,
        targets: targets.map((target) =>
          relative(root, resolve(base ?? dirname(path), target))
            .split(sep)
            .join('/'),
        ),
      }
    })
  })
  // The longest prefix wins, as in TypeScript.
  return aliases.sort((a, b) => b.start.length - a.start.length)
}

/**
 * Returns the paths that a specifier may resolve to, in order of precedence.
 *
 * @param from File that imports it; without one, aliases of all folders apply.
 */
export function aliasTargets(
  specifier: string,
  aliases: readonly Alias[],
  from?: string,
): readonly string[] {
  // `baseUrl` applies to every specifier, so that later aliases are alternatives.
  const others: string[] = []
  for (const { start, end, targets, folder = '' } of aliases) {
    if (from !== undefined && folder !== '' && !from.startsWith(`${folder}/`)) continue
    if (end === undefined ? specifier !== start : !specifier.startsWith(start)) continue
    if (end === undefined) return [...others, ...targets]
    if (!specifier.endsWith(end) || specifier.length < start.length + end.length) continue
    const middle = specifier.slice(start.length, specifier.length - end.length)
    const found = targets.map((target) => posix.normalize(target.replace('*', () => middle)))
    if (start !== '' || end !== '') return [...others, ...found]
    others.push(...found)
  }
  return others
}
