import { RequestError } from '@servicekit/client'
import { type ControlInput, type ControlResult, createControl } from '@servicekit/client/control'
import { environmentFetch } from '@servicekit/client/proxy'
import { detailsOf, keyId, type KeyDetails, type KeyDraft } from '../model/key-draft.ts'
import type { KeyWriter, WriteCall } from '../config/key-writer.ts'

type ListedKey = ControlResult<'GET /projects/{project}/keys'>['items'][number]

type Draft = ControlInput<'PUT /projects/{project}/drafts'>['body'][number]

/** Platform, and its control token if it has one. */
interface ControlAccess {
  /** Origin of the platform. */
  readonly baseUrl: string
  readonly token: string | undefined
}

const pageSize = 1000

/** Creates a writer of drafts on the platform. They are served after they are published. */
export function platformWriter(access: ControlAccess, projectKey: string): KeyWriter {
  const { baseUrl, token } = access
  const control = createControl({ baseUrl, token, fetch: environmentFetch() })
  const path = { project: projectKey }
  const listKeys = async ({ signal }: WriteCall): Promise<readonly ListedKey[]> => {
    const all: ListedKey[] = []
    for (let page = 1; ; page++) {
      const { items, totalCount } = await control.send('GET /projects/{project}/keys', {
        path,
        query: { page, pageSize },
        signal,
      })
      all.push(...items)
      if (all.length >= totalCount || items.length === 0) return all
    }
  }
  /** Saves drafts. Resolves with `false` if one of the keys exists. */
  const save = async (body: readonly Draft[], { signal }: WriteCall): Promise<boolean> => {
    try {
      const query = { create: 'true' } as const
      await control.send('PUT /projects/{project}/drafts', { path, query, body, signal })
      return true
    } catch (error) {
      if (error instanceof RequestError && error.status === 409) return false
      throw error
    }
  }
  /** Removes drafts of keys that were never published, which leave nothing to remove. */
  const discard = async (keys: readonly ListedKey[], { signal }: WriteCall): Promise<void> => {
    for (const { module, key, texts } of keys) {
      if (Object.keys(texts).length > 0) continue
      const query = { module, key }
      await control.send('DELETE /projects/{project}/drafts', { path, query, signal })
    }
  }
  const removal = ({ module, key }: ListedKey): Draft => ({ module, key, isRemoved: true })

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
      const { signal } = call
      const modules = await control.send('GET /projects/{project}/modules', { path, signal })
      const known = new Set(modules.map(({ moduleName }) => moduleName))
      for (const moduleName of new Set(drafts.map(({ module }) => module))) {
        if (known.has(moduleName)) continue
        const body = { moduleName }
        await control
          .send('POST /projects/{project}/modules', { path, body, signal })
          .catch(ignoreExisting)
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
): Draft {
  const details = detailsOf(given)
  return { module, key, language, value, ...(Object.keys(details).length > 0 && { details }) }
}

/** Another process may have created the module. */
function ignoreExisting(error: unknown): void {
  if (error instanceof RequestError && /already has a module/.test(error.message)) return
  throw error
}
