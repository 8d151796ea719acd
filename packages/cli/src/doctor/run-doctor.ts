import { openProject } from '@servicekit/catalog'
import { loadConfig } from '@servicekit/catalog/config'
import { readFacts } from '../init/project-facts.ts'
import type { Service } from '../init/service.ts'
import { isKnownError } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { checkConfigFiles, checkGit } from './check-files.ts'
import { checkNode } from './check-node.ts'
import { checkPackages, checkReact } from './check-packages.ts'
import { checkService } from './check-service.ts'
import { checkSetup } from './check-setup.ts'
import { checkSnapshot } from './check-snapshot.ts'
import { checkTypes, checkTypeScript } from './check-types.ts'
import type { Finding } from './finding.ts'

/** Runs all checks of an application. */
export async function runDoctor(
  root: string,
  { options, io }: { readonly options: Partial<Service>; readonly io: Io },
): Promise<readonly Finding[]> {
  const facts = await readFacts(root)
  const early = [
    ...checkNode(process.versions.node, process.execPath),
    ...(await checkPackages(facts)),
    ...checkReact(facts),
    ...checkTypeScript(facts),
  ]
  const loaded = await loadConfig(root, { upwards: true }).catch((error: unknown) => {
    if (isKnownError(error)) return error
    throw error
  })
  if (loaded instanceof Error) {
    const { message, details, help } = loaded
    const finding: Finding = {
      code: 'CONFIG_INVALID',
      problem: message.split('\n', 1)[0]!,
      where:
        Object.entries(details)
          .map(([name, value]) => `${name}: ${value}`)
          .join(' ') || facts.root,
      fix: help ?? 'Correct the file.',
    }
    return [...early, finding]
  }
  const missing = checkConfigFiles(facts, loaded)
  const { baseUrl, projectKey } = { ...loaded, ...options }
  const project = openProject({ ...loaded.localization, ...options, root: loaded.root })
  const unreachable =
    baseUrl === undefined || projectKey === undefined || project.options.from !== undefined
      ? undefined
      : await checkService({ baseUrl, projectKey }, io.signal)
  const isReachable = unreachable !== undefined && unreachable.length === 0
  return [
    ...early,
    ...missing,
    ...(unreachable ?? []),
    ...(await checkSnapshot(project, { isReachable, signal: io.signal })),
    ...(await checkSetup(facts)),
    ...(await checkTypes(facts, { outDir: project.options.outDir, io })),
    ...(await checkGit(facts, { options: project.options, config: loaded, io })),
  ]
}
