import { basename, dirname, join, relative, sep } from 'node:path'
import type { LoadedConfig } from '@servicekit/catalog/config'
import type { ResolvedCatalogOptions } from '@servicekit/catalog'
import { readdirSync } from 'node:fs'
import { namesIn, type ProjectFacts } from '../init/project-facts.ts'
import type { Io } from '../io.ts'
import { runCommand } from '../run-command.ts'
import type { Finding } from './finding.ts'

const configName = /^servicekit\.config\.\w+$/

/** Checks that there is one configuration, and no other above or below it. */
export function checkConfigFiles(
  { root, gitRoot }: ProjectFacts,
  { file }: Pick<LoadedConfig, 'file'>,
): readonly Finding[] {
  if (file === undefined) {
    const [below] = configsBelow(root, 3)
    if (below !== undefined) {
      return [
        {
          code: 'CONFIG_MISSING',
          problem: 'servicekit.config is below the application; it is searched upwards only',
          where: below,
          fix: `Move it to ${root}, or set --root to its folder.`,
        },
      ]
    }
    return [
      {
        code: 'CONFIG_MISSING',
        problem: 'There is no servicekit.config',
        where: root,
        fix: 'Run "servicekit init".',
      },
    ]
  }
  const others = [...configsAbove(dirname(file), gitRoot), ...configsBelow(dirname(file), 3)]
  return others.map((other) => ({
    code: 'CONFIG_DUPLICATE',
    problem: `There are two configurations; only the nearest one upwards is read`,
    where: `${other} and ${file}`,
    fix: 'Delete one of them, unless they belong to different applications.',
  }))
}

function configsAbove(folder: string, gitRoot: string | undefined): readonly string[] {
  if (gitRoot === undefined || folder === gitRoot || dirname(folder) === folder) return []
  const above = dirname(folder)
  return [...configsIn(above), ...configsAbove(above, gitRoot)]
}

function configsBelow(folder: string, depth: number): readonly string[] {
  if (depth === 0) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(?:node_modules|\..*|dist)$/.test(entry.name))
    .flatMap(({ name }) => [
      ...configsIn(join(folder, name)),
      ...configsBelow(join(folder, name), depth - 1),
    ])
}

const configsIn = (folder: string): readonly string[] =>
  namesIn(folder)
    .filter((name) => configName.test(name))
    .map((name) => join(folder, name))

/** Names of a translation file that any project may have. */
const sampleNames = { language: 'en-US', module: 'common' }

/** Checks that Git ignores the generated files and none of the others. */
export async function checkGit(
  { root, gitRoot }: ProjectFacts,
  {
    options,
    config,
    io,
  }: {
    readonly options: Pick<ResolvedCatalogOptions, 'from' | 'outDir' | 'snapshotDir' | 'lockFile'>
    readonly config: Pick<LoadedConfig, 'file' | 'gateway' | 'root'>
    readonly io: Io
  },
): Promise<readonly Finding[]> {
  if (gitRoot === undefined) return []
  const git = (...args: readonly string[]) =>
    runCommand('git', args, { cwd: root, io, quiet: true })
  const isIgnored = async (path: string): Promise<boolean> =>
    (await git('check-ignore', '-q', '--no-index', path)).exitCode === 0
  const shown = (path: string): string => relative(gitRoot, path).replaceAll('\\', '/')
  const findings: Finding[] = []

  const env = ['.', 'src', 'app'].flatMap((folder) =>
    namesIn(join(root, folder)).includes('servicekit-env.d.ts')
      ? [join(root, folder, 'servicekit-env.d.ts')]
      : [],
  )
  const committed = [
    ...(options.from
      ? [join(options.from.folder, options.from.patterns[0]!.pathOf(sampleNames))]
      : [options.lockFile, join(options.snapshotDir, 'en-US', 'common.json')]),
    ...(config.file === undefined ? [] : [config.file]),
    ...(config.gateway.outDir === undefined
      ? []
      : [join(config.root, config.gateway.outDir, 'gateway.lock.json')]),
    ...env,
  ]
  for (const path of committed) {
    if (!(await isIgnored(path))) continue
    const folder =
      [options.snapshotDir, options.from?.folder].find(
        (one) => one !== undefined && path.startsWith(join(one, sep)),
      ) ?? path
    findings.push({
      code: 'GIT_IGNORED',
      problem: `Git ignores ${shown(folder)}, which a clean clone needs`,
      where: join(gitRoot, '.gitignore'),
      fix: 'Remove the line that matches it, and commit the file.',
    })
  }
  if (!(await isIgnored(join(options.outDir, 'types/index.d.ts')))) {
    findings.push({
      code: 'GIT_TRACKED',
      problem: `Git does not ignore ${shown(options.outDir)}, which is generated`,
      where: join(root, '.gitignore'),
      fix: `Add the line "${basename(options.outDir)}" to .gitignore.`,
    })
  } else if ((await git('ls-files', options.outDir)).output.trim() !== '') {
    findings.push({
      code: 'GIT_TRACKED',
      problem: `Files in ${shown(options.outDir)} are committed, although they are generated`,
      where: options.outDir,
      fix: `Run "git rm -r --cached ${shown(options.outDir)}" and commit.`,
    })
  }
  return findings
}
