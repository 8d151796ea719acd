import { resolve } from 'node:path'
import { type Model, openProject, type Project } from '@servicekit/catalog'
import type { LoadedConfig } from '@servicekit/catalog/config'
import type { Glossary, UsageReport } from '@servicekit/check'
import type { Core } from '@servicekit/client'
import {
  createToolCore,
  type Credentials,
  readCredentials,
  requireService,
} from '@servicekit/client/environment'
import type { ServiceOptions } from '@servicekit/contract/service'
import { type DraftTarget, draftTarget } from '../draft-target.ts'
import type { McpPackages } from '../optional-packages.ts'

/** Options of the MCP server. */
export interface McpOptions {
  readonly config: LoadedConfig
  /** Options of the flags, which override those of the config file. */
  readonly service: Partial<ServiceOptions>
  readonly packages: Pick<McpPackages, 'checker' | 'graphql'>
  /** Source folders, absolute or relative to the root. */
  readonly sources: readonly string[] | undefined
  readonly hooks: readonly string[] | undefined
  /** File for drafts; undefined for those of the local platform. */
  readonly out: string | undefined
  readonly maxRows: number
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** Access of the tools to the project, read again on each call. */
export interface McpContext {
  readonly options: McpOptions
  readonly project: Project
  readonly loadModel: () => Promise<Model>
  readonly readUsage: (model: Model) => UsageReport
  readonly readGlossary: () => Promise<Glossary | undefined>
  /** @throws ConfigError without URL and project key. */
  readonly openCore: () => Core
  readonly openDrafts: () => DraftTarget
}

/** Largest response of the service that a tool reads, in bytes. */
const maxResponseBytes = 4 * 1024 * 1024

/** Creates the context of the tools. Reads nothing yet. */
export function createContext(options: McpOptions): McpContext {
  const { config, service, packages, environment, signal } = options
  const { checker } = packages
  const { root, check } = config
  const project = openProject({ ...config.localization, ...service, root }, { config })
  const { baseUrl, projectKey, timeoutMs } = project.options
  let credentials: Credentials | undefined
  return {
    options,
    project,
    loadModel: () => project.load(),
    readUsage(model) {
      const folders = options.sources ?? check.sources ?? ['.']
      const files = checker.readSources(project.options, folders, check.aliases)
      const hooks = options.hooks ?? check.hooks
      return checker.readUsage(model, files, {
        ...(hooks && { hooks }),
      })
    },
    async readGlossary() {
      return check.glossary ? checker.readGlossary(resolve(root, check.glossary)) : undefined
    },
    openCore: () =>
      createToolCore({
        ...requireService(project.options),
        timeoutMs,
        maxBytes: maxResponseBytes,
        environment,
        credentials: (credentials ??= readCredentials(environment)),
      }),
    openDrafts: () => draftTarget({ baseUrl, projectKey }, options.out, signal),
  }
}
