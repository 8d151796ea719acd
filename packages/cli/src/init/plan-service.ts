import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { loadConfig } from '@servicekit/catalog/config'
import { ConfigError } from '@servicekit/client'
import { projectHeader } from '@servicekit/contract/routes'
import type { Io } from '../io.ts'
import { replaceStrings } from './edit-config.ts'
import { type FileEdit, isManual, readIn, replaceText } from './edits.ts'
import { exampleFile, exampleName } from './example-code.ts'
import type { Framework } from './frameworks.ts'
import type { ProjectFacts } from './project-facts.ts'
import { parseServiceUrl, probeService, type Service, type ServiceFacts } from './service.ts'

/** Change of the service of an application that has a configuration. */
export interface ServiceChange {
  readonly service: Service
  readonly known: ServiceFacts
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
    io,
  }: {
    readonly framework: Framework
    readonly change: Partial<Service>
    readonly sample: boolean
    readonly io: Pick<Io, 'signal'>
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
  const before = { baseUrl: undefined, projectKey: undefined, ...config.service }
  const given: Service = {
    ...config.service,
    baseUrl: required('--url', values.baseUrl ?? before.baseUrl),
    projectKey: required('--key', values.projectKey ?? before.projectKey),
  }
  // Fails before anything is written.
  const known = await probeService(given, io.signal)
  const { service } = known
  const path = relative(root, config.file!).replaceAll('\\', '/')
  const edit = replaceStrings(path, (await readIn(root, path)) ?? '', {
    ...values,
    ...(known.isOther && { preset: service.preset ?? 'interface' }),
  })
  if (!edit) return undefined
  if (isManual(edit)) {
    throw new ConfigError(`Cannot change ${path}: ${edit.reason}`, {
      help: `Set ${edit.lines.join(' ')} in the file, and run "servicekit init" without --url and --key.`,
    })
  }
  const edits = await planExampleChange(facts, { framework, before, values, known })
  return { service, known, edits: [edit, ...edits] }
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
    known,
  }: {
    readonly framework: Framework
    readonly before: { readonly [name in 'baseUrl' | 'projectKey']: string | undefined }
    readonly values: Partial<Service>
    readonly known: ServiceFacts
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
    const edit = replaceText(path, text, known.isOther ? withKeyHeader(after, known) : after)
    if (edit) edits.push(edit)
  }
  return edits
}

/** Sets the option `keyHeader` of the gateway in the example. */
function withKeyHeader(text: string, { keyHeader }: ServiceFacts): string {
  const plain = text.replace(/\n *keyHeader: '[^']*',/, '')
  if (keyHeader === projectHeader) return plain
  return plain.replace(/\n( *)projectKey: '[^']*',/, `$&\n$1keyHeader: '${keyHeader}',`)
}
