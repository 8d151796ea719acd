import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isOlder, oldestTypeScript } from '@servicekit/catalog'
import { findInstalled } from '@servicekit/core/node'
import type { ProjectFacts } from '../init/project-facts.ts'
import type { Io } from '../io.ts'
import { runCommand } from '../run-command.ts'
import type { Finding } from './finding.ts'

/** Checks that TypeScript is not older than what the packages support. */
export function checkTypeScript({ root }: Pick<ProjectFacts, 'root'>): readonly Finding[] {
  const typescript = findInstalled('typescript', root)
  if (!typescript || !isOlder(typescript.version, oldestTypeScript)) return []
  return [
    {
      code: 'TYPESCRIPT_VERSION',
      problem: `TypeScript ${typescript.version} is not supported`,
      where: typescript.folder,
      fix: `Install TypeScript ${oldestTypeScript} or later.`,
    },
  ]
}

/**
 * Checks that the declarations of `~uilm` exist and that a tsconfig includes them. The
 * compiler of the application lists the files of each.
 */
export async function checkTypes(
  { root, files, isTypeScript }: ProjectFacts,
  { outDir, io }: { readonly outDir: string; readonly io: Io },
): Promise<readonly Finding[]> {
  if (!isTypeScript) return []
  const declarations = join(outDir, 'types/index.d.ts')
  if (!existsSync(declarations)) {
    return [
      {
        code: 'TYPES_MISSING',
        problem: 'The declarations of ~uilm do not exist',
        where: declarations,
        fix: 'Run "servicekit pull --frozen", or "servicekit pull" before the first commit.',
      },
    ]
  }
  const typescript = findInstalled('typescript', root)
  if (!typescript || !files.includes('tsconfig.json')) return []
  const tsc = async (...args: readonly string[]): Promise<string> => {
    const line = [join(typescript.folder, 'bin/tsc'), ...args]
    const { output } = await runCommand(process.execPath, line, { cwd: root, io, quiet: true })
    return output
  }
  const configs = await solutionOf('tsconfig.json', tsc, root)
  const wanted = realpathSync(declarations).replaceAll('\\', '/')
  for (const config of configs) {
    const listed = await tsc('-p', config, '--listFilesOnly')
    if (listed.split(/\r?\n/).includes(wanted)) return []
    // A configuration that cannot be read, for example because it extends a generated one.
    if (/error TS(?:5083|6053|5012)\b/.test(listed)) return []
  }
  return [
    {
      code: 'TYPES_UNREACHED',
      problem: 'No tsconfig includes the declarations of ~uilm',
      where: configs.join(', '),
      fix: `Add servicekit-env.d.ts to the folder of the code, with the line /// <reference path="../.servicekit/types/index.d.ts" />`,
    },
  ]
}

/** Returns a tsconfig and those that it references. */
async function solutionOf(
  config: string,
  tsc: (...args: readonly string[]) => Promise<string>,
  root: string,
): Promise<readonly string[]> {
  const shown = await tsc('-p', config, '--showConfig')
  const { references = [] } = parse(shown)
  const paths = references.map(({ path }) => {
    const target = resolve(root, dirname(config), path)
    return target.endsWith('.json') ? target : join(target, 'tsconfig.json')
  })
  return [config, ...paths.filter((path) => existsSync(path))]
}

function parse(text: string): { readonly references?: readonly { readonly path: string }[] } {
  try {
    return JSON.parse(text)
  } catch {
    // The compiler reports an error instead of the configuration.
    return {}
  }
}
