import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { loadConfig } from '@servicekit/catalog/config'
import { ConfigError } from '@servicekit/client'
import { replaceStrings } from './edit-config.ts'
import { type FileEdit, isManual, readIn, replaceText } from './edits.ts'
import { exampleFile, exampleName } from './example-code.ts'
import type { Framework } from './frameworks.ts'
import type { ProjectFacts } from './project-facts.ts'
import { parseServiceUrl, type Service } from './service.ts'

/** Change of the service of an application that has a configuration. */
export interface ServiceChange {
  readonly service: Service
  readonly edits: readonly FileEdit[]
}

/**
 * Plans the change of URL and project key in the configuration of an application, and in its
 * example; undefined if no flag names one, or both are as before.
 *
 * @throws ConfigError if the flags contradict each other, the URL is not one, or the configuration
 * cannot be edited.
 */
export async function planServiceChange(
  facts: ProjectFacts,
  {
    framework,
    change,
    sample,
  }: {
    readonly framework: Framework
    readonly change: Partial<Service>
    readonly sample: boolean
  },
): Promise<ServiceChange | undefined> {
  const { baseUrl, projectKey } = change
  if (baseUrl === undefined && projectKey === undefined) return undefined
  if (sample) throw new ConfigError('Cannot use --sample together with --url or --key')
  const { root } = facts
  const config = await loadConfig(root, { upwards: true })
  const values = {
    ...(baseUrl === undefined ? {} : { baseUrl: parseServiceUrl(baseUrl, '--url') }),
    ...(projectKey === undefined ? {} : { projectKey }),
  }
  const path = relative(root, config.file!).replaceAll('\\', '/')
  const edit = replaceStrings(path, (await readIn(root, path)) ?? '', values)
  if (!edit) return undefined
  if (isManual(edit)) {
    throw new ConfigError(`Cannot change ${path}: ${edit.reason}`, {
      help: `Set ${edit.lines.join(' ')} in the file, and run "servicekit init" without --url and --key.`,
    })
  }
  const service = { baseUrl: config.baseUrl, projectKey: config.projectKey, ...values }
  return {
    service: {
      baseUrl: required('--url', service.baseUrl),
      projectKey: required('--key', service.projectKey),
    },
    edits: [edit, ...(await planExampleChange(facts, { framework, before: config, values }))],
  }
}

function required(flag: string, value: string | undefined): string {
  if (value === undefined) throw new ConfigError(`${flag} is required`)
  return value
}

/** Plans the change of the example, which names the service, too. */
async function planExampleChange(
  { root }: ProjectFacts,
  {
    framework,
    before,
    values,
  }: {
    readonly framework: Framework
    readonly before: { readonly [name in keyof Service]: string | undefined }
    readonly values: Partial<Service>
  },
): Promise<readonly FileEdit[]> {
  const folder = join(root, framework.sourceDir)
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  const edits: FileEdit[] = []
  for (const { name, parentPath } of entries) {
    if (!name.startsWith(`${exampleName}.`) && !name.startsWith(`${exampleFile}.`)) continue
    if (parentPath.includes('node_modules')) continue
    const path = relative(root, join(parentPath, name)).replaceAll('\\', '/')
    const text = (await readIn(root, path)) ?? ''
    const after = (['baseUrl', 'projectKey'] as const).reduce(
      (changed, key) =>
        values[key] === undefined || before[key] === undefined
          ? changed
          : changed.replaceAll(`${key}: '${before[key]}'`, `${key}: '${values[key]}'`),
      text,
    )
    const edit = replaceText(path, text, after)
    if (edit) edits.push(edit)
  }
  return edits
}
