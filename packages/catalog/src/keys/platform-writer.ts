import { RequestError } from '@servicekit/client'
import { rejectOnAbort } from '@servicekit/core'
import { detailsOf, keyId, type KeyDetails, type KeyDraft } from './key-draft.ts'
import type { KeyWriter, WriteCall } from './key-writer.ts'
import { type ControlAccess, sendControl } from './control-access.ts'

/** Key as the platform lists it. */
interface ListedKey {
  readonly module: string
  readonly key: string
  readonly texts: Readonly<Record<string, string | null>>
  readonly drafts: Readonly<Record<string, string | null>>
  readonly isRemoved: boolean
  readonly details?: KeyDetails | null
}

const pageSize = 1000

/** Creates a writer of drafts on the platform. They are served after they are published. */
export function platformWriter(access: ControlAccess, projectKey: string): KeyWriter {
  const base = `/projects/${encodeURIComponent(projectKey)}`
  const send = async (path: string, { signal }: WriteCall, init: RequestInit = {}) =>
    sendControl(access, base + path, { ...init, signal })
  const read = async <T>(path: string, call: WriteCall): Promise<T> => {
    const response = await send(path, call)
    // In Node 20, a body can stay pending if the request is aborted between its head and its end.
    const body: Promise<unknown> = response.json()
    return (await rejectOnAbort(call.signal, body).catch((cause: unknown) => {
      throw new RequestError('Cannot read the response of the platform', {
        code: call.signal.aborted ? 'REQUEST_ABORTED' : 'RESPONSE_INVALID',
        details: { url: response.url },
        cause,
      })
    })) as T
  }

  const listKeys = async (call: WriteCall, query = ''): Promise<readonly ListedKey[]> => {
    const all: ListedKey[] = []
    for (let page = 1; ; page++) {
      const path = `/keys?page=${page}&pageSize=${pageSize}${query}`
      const { items, totalCount } = await read<{ items: ListedKey[]; totalCount: number }>(
        path,
        call,
      )
      all.push(...items)
      if (all.length >= totalCount || items.length === 0) return all
    }
  }
  /** Saves drafts. Resolves with `false` if one of the keys exists. */
  const save = async (drafts: readonly object[], call: WriteCall): Promise<boolean> => {
    try {
      await send('/drafts?create=true', call, { method: 'PUT', body: JSON.stringify(drafts) })
      return true
    } catch (error) {
      if (error instanceof RequestError && error.status === 409) return false
      throw error
    }
  }
  /** Removes drafts of keys that were never published, which leave nothing to remove. */
  const discard = async (keys: readonly ListedKey[], call: WriteCall): Promise<void> => {
    for (const { module, key, texts } of keys) {
      if (Object.keys(texts).length > 0) continue
      await send(`/drafts?${new URLSearchParams({ module, key })}`, call, { method: 'DELETE' })
    }
  }
  const removal = ({ module, key }: ListedKey) => ({ module, key, isRemoved: true })

  return {
    name: `project ${projectKey} at ${access.baseUrl}`,
    async list(call) {
      const keys = await listKeys(call)
      return keys
        .filter(({ isRemoved }) => !isRemoved)
        .map(({ module, key, texts, drafts, details }) => ({
          module,
          key,
          text: drafts[call.language] ?? texts[call.language] ?? '',
          ...detailsOf(details ?? {}),
        }))
    },
    async create(drafts, call) {
      const modules = await read<readonly { moduleName: string }[]>('/modules', call)
      const known = new Set(modules.map(({ moduleName }) => moduleName))
      for (const moduleName of new Set(drafts.map(({ module }) => module))) {
        if (known.has(moduleName)) continue
        const body = JSON.stringify({ moduleName })
        await send('/modules', call, { method: 'POST', body }).catch(ignoreExisting)
      }
      const rows = drafts.map((draft) => rowOf(draft, call.language, draft.text, draft))
      return save(rows, call)
    },
    async remove(keys, call) {
      const wanted = new Set(keys.map(keyId))
      const found = (await listKeys(call)).filter((one) => wanted.has(keyId(one)))
      const served = found.filter(({ texts }) => Object.keys(texts).length > 0)
      if (served.length > 0) await save(served.map(removal), call)
      await discard(found, call)
    },
    async rename(changes, call) {
      const all = new Map((await listKeys(call)).map((one) => [keyId(one), one]))
      const found = changes.flatMap(({ module, from, to }) => {
        const old = all.get(keyId({ module, key: from }))
        return old && !old.isRemoved ? [{ old, to }] : []
      })
      if (found.length === 0) return true
      const rows = found.flatMap(({ old, to }) => {
        const texts = { [call.language]: null, ...old.texts, ...old.drafts }
        const renamed = Object.entries(texts).map(([language, value]) =>
          rowOf({ module: old.module, key: to }, language, value, old.details ?? {}),
        )
        return [...renamed, removal(old)]
      })
      if (!(await save(rows, call))) return false
      await discard(
        found.map(({ old }) => old),
        call,
      )
      return true
    },
  }
}

function rowOf(
  { module, key }: Pick<KeyDraft, 'module' | 'key'>,
  language: string,
  value: string | null,
  given: KeyDetails,
): object {
  const details = detailsOf(given)
  return { module, key, language, value, ...(Object.keys(details).length > 0 && { details }) }
}

/** Another process may have created the module. */
function ignoreExisting(error: unknown): void {
  if (error instanceof RequestError && /already has a module/.test(error.message)) return
  throw error
}
