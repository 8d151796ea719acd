import { existsSync } from 'node:fs'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { ts } from 'ts-morph'

/** Another name for files: `@/*` of TypeScript's `paths`, or the beginning of a name. */
export interface Alias {
  readonly start: string
  /** What stands behind the `*`; undefined where the name is meant as it is. */
  readonly end: string | undefined
  /** Paths relative to the root, `*` for what the name had in its place; the first that is there. */
  readonly targets: readonly string[]
}

/** Aliases of the option: a name that begins so. */
export const prefixAliases = (aliases: Readonly<Record<string, string>>): readonly Alias[] =>
  Object.entries(aliases).map(([start, target]) => ({ start, end: '', targets: [`${target}*`] }))

/**
 * Aliases of `paths` in the tsconfig.json or jsconfig.json of a folder, of what they
 * extend and of the projects that they refer to.
 */
export function readPathAliases(root: string): readonly Alias[] {
  const file = ['tsconfig.json', 'jsconfig.json'].map((name) => join(root, name)).find(existsSync)
  const seen = new Set<string>()
  const read = (config: string): readonly Alias[] => {
    if (seen.has(config) || !existsSync(config)) return []
    seen.add(config)
    const { config: json = {} } = ts.readConfigFile(config, ts.sys.readFile) as { config?: object }
    // Which files there are is no question here, and would take long to answer.
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
  // The longest beginning decides, as for TypeScript.
  return file === undefined ? [] : [...read(file)].sort((a, b) => b.start.length - a.start.length)
}

/** Paths that a name may stand for, in the order in which they are tried. */
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
