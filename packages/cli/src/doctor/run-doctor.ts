import { openProject } from '@servicekit/catalog'
import { loadConfig } from '@servicekit/catalog/config'
import { requireService } from '@servicekit/client/environment'
import type { ServicePreset } from '@servicekit/contract/service'
import { readFacts } from '../init/project-facts.ts'
import type { Service, ServiceFacts } from '../init/service.ts'
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

/** Findings, and what the service was found to be. */
export interface Diagnosis {
  readonly findings: readonly Finding[]
  /** Options that fit the service; undefined if none was probed. */
  readonly service?: Pick<ServiceFacts, 'keyHeader' | 'queryNaming'> & {
    readonly baseUrl: string
    readonly preset: ServicePreset
  }
}

/** Runs all checks of an application. */
export async function runDoctor(
  root: string,
  { options, io }: { readonly options: Partial<Service>; readonly io: Io },
): Promise<Diagnosis> {
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
    return { findings: [...early, finding] }
  }
  const missing = checkConfigFiles(facts, loaded)
  const project = openProject({ ...loaded.localization, ...options, root: loaded.root })
  const { baseUrl, projectKey, from } = project.options
  const { outDir: gatewayDir, queryNaming } = loaded.gateway
  const checked =
    baseUrl === undefined || projectKey === undefined || from !== undefined
      ? undefined
      : await checkService(requireService(project.options), {
          queryNaming: gatewayDir === undefined ? 'unused' : queryNaming,
          signal: io.signal,
        })
  const isReachable = checked?.facts !== undefined && !checked.facts.isOther
  const findings = [
    ...early,
    ...missing,
    ...(checked?.findings ?? []),
    ...(await checkSnapshot(project, { isReachable, signal: io.signal })),
    ...(await checkSetup(facts)),
    ...(await checkTypes(facts, { outDir: project.options.outDir, io })),
    ...(await checkGit(facts, { options: project.options, config: loaded, io })),
  ]
  if (!checked?.facts) return { findings }
  const { service, keyHeader, queryNaming: naming } = checked.facts
  const { preset = 'interface' } = service
  return {
    findings,
    service: { baseUrl: service.baseUrl, preset, keyHeader, queryNaming: naming },
  }
}
