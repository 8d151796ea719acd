import { existsSync } from 'node:fs'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { ts } from 'ts-morph'

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
}

/** Converts the option `aliases` to prefix aliases. */
export const prefixAliases = (aliases: Readonly<Record<string, string>>): readonly Alias[] =>
  Object.entries(aliases).map(([start, target]) => ({ start, end: '', targets: [`${target}*`] }))

/**
 * Reads `paths` from the tsconfig.json or jsconfig.json of a folder, the configurations
 * it extends, and the projects it references.
 */
export function readPathAliases(root: string): readonly Alias[] {
  const file = ['tsconfig.json', 'jsconfig.json'].map((name) => join(root, name)).find(existsSync)
  const seen = new Set<string>()
  const read = (config: string): readonly Alias[] => {
    if (seen.has(config) || !existsSync(config)) return []
    seen.add(config)
    const { config: json = {} } = ts.readConfigFile(config, ts.sys.readFile) as { config?: object }
    // The list of files is not needed and slow to compute.
    const host = { ...ts.sys, readDirectory: () => [] }
    const { options, projectReferences = [] } = ts.parseJsonConfigFileContent(
      json,
      host,
      dirname(config),
      undefined,
      config,
    )
    const base = options.baseUrl ?? (options['pathsBasePath'] as string | undefined)
    const own = Object.entries(options.paths ?? {}).map(([pattern, targets]): Alias => {
      const [start = '', end] = pattern.split('*')
      return {
        start,
        end,
        targets: targets.map((target) => {
          const path = relative(root, resolve(base ?? dirname(config), target))
          return path.split(sep).join('/')
        }),
      }
    })
    return [
      ...own,
      ...projectReferences.flatMap((one) => read(ts.resolveProjectReferencePath(one))),
    ]
  }
  // The longest prefix wins, as in TypeScript.
  return file === undefined ? [] : [...read(file)].sort((a, b) => b.start.length - a.start.length)
}

/** Returns the paths that a specifier may resolve to, in order of precedence. */
export function aliasTargets(specifier: string, aliases: readonly Alias[]): readonly string[] {
  for (const { start, end, targets } of aliases) {
    if (end === undefined ? specifier !== start : !specifier.startsWith(start)) continue
    if (end === undefined) return targets
    if (!specifier.endsWith(end) || specifier.length < start.length + end.length) continue
    const middle = specifier.slice(start.length, specifier.length - end.length)
    return targets.map((target) => posix.normalize(target.replace('*', () => middle)))
  }
  return []
}
