import { readText, writeIfChanged } from '@servicekit/catalog'
import type { TranslationDraft } from '@servicekit/check'
import { ConfigError } from '@servicekit/client'
import { isLoopbackUrl, isObject, parseJson } from '@servicekit/core'
import { accessPlatform } from './platform-access.ts'

/** Place of drafted translations. */
export interface DraftTarget {
  /** Name for messages. */
  readonly name: string
  /** Returns the translations that are drafted already, as `[module, key, language]` in JSON. */
  readonly list: () => Promise<ReadonlySet<string>>
  readonly write: (drafts: readonly TranslationDraft[]) => Promise<void>
}

type Place = Pick<TranslationDraft, 'module' | 'key' | 'language'>

const idOf = ({ module, key, language }: Place): string => JSON.stringify([module, key, language])

/**
 * Returns the target of drafts: a file, or the drafts of the local platform.
 *
 * @throws ConfigError without a file if the service is not a local platform.
 */
export function draftTarget(
  {
    baseUrl,
    projectKey,
  }: { readonly baseUrl: string | undefined; readonly projectKey: string | undefined },
  file: string | undefined,
  signal: AbortSignal,
): DraftTarget {
  if (file !== undefined) return fileTarget(file)
  if (baseUrl === undefined || projectKey === undefined || !isLoopbackUrl(baseUrl)) {
    throw new ConfigError('The service has no route for drafts', {
      help: 'Add --out FILE to write them to a file.',
    })
  }
  return platformTarget(baseUrl, projectKey, signal)
}

function platformTarget(baseUrl: string, projectKey: string, signal: AbortSignal): DraftTarget {
  const control = accessPlatform(baseUrl, signal)
  const path = { project: projectKey }
  return {
    name: `drafts of project ${projectKey} at ${baseUrl}`,
    async list() {
      const drafts = await control.send('GET /projects/{project}/drafts', { path })
      return new Set(
        drafts.flatMap((draft) => ('value' in draft && draft.value ? idOf(draft) : [])),
      )
    },
    async write(drafts) {
      const body = drafts.map(({ confidence: _, ...row }) => row)
      await control.send('PUT /projects/{project}/drafts', { path, body })
    },
  }
}

const isDraft = (value: unknown): value is TranslationDraft =>
  isObject(value) &&
  ['module', 'key', 'language', 'value'].every((name) => typeof value[name] === 'string')

/** The file is written after each batch, with the drafts of earlier runs. */
function fileTarget(file: string): DraftTarget {
  const read = async (): Promise<readonly TranslationDraft[]> => {
    const text = await readText(file)
    const drafts = text === undefined ? [] : parseJson(text)
    if (Array.isArray(drafts) && drafts.every(isDraft)) return drafts
    throw new ConfigError(`${file} does not contain a list of drafts`, {
      help: 'Delete it, or use another file with --out.',
    })
  }
  return {
    name: file,
    list: async () => new Set((await read()).map(idOf)),
    async write(drafts) {
      await writeIfChanged(file, `${JSON.stringify([...(await read()), ...drafts], null, 2)}\n`)
    },
  }
}
