import { KEY_REMOVED } from '~uilm/translations'
import { type Api, ApiError } from '../state/api.ts'
import type { DraftRecord, KeyRecord, LanguageRecord, ModuleRecord } from '../state/records.ts'
import type { Edit } from './bulk-edits.ts'
import { idOf, published, valueOf, withDraft } from './key-values.ts'

/** Number of keys in one request. */
const pageSize = 1000
/** Number of drafts in one request. */
const draftsInRequest = 500

/** Translation of a new key. */
export interface NewText {
  readonly module: string
  readonly key: string
  readonly language: string
  readonly value: string
}

interface KeyPage {
  readonly totalCount: number
  readonly items: readonly KeyRecord[]
}

/** Thrown when someone else changed the translation that is saved. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError'
  readonly theirs: KeyRecord

  constructor(theirs: KeyRecord) {
    super('Someone else changed this translation.')
    this.theirs = theirs
  }
}

/**
 * Creates the keys of the project, and loads them page by page. Call it while a component is
 * initialised.
 */
export function createKeyStore(api: Api) {
  let languages = $state.raw<readonly LanguageRecord[]>([])
  let modules = $state.raw<readonly ModuleRecord[]>([])
  let rows = $state.raw<readonly KeyRecord[]>([])
  let total = $state<number>()
  let error = $state.raw<ApiError>()
  let controller = new AbortController()

  const load = async (): Promise<void> => {
    controller.abort()
    controller = new AbortController()
    const { signal } = controller
    error = undefined
    try {
      const readPage = (page: number) =>
        api.get<KeyPage>(`/keys?page=${page}&pageSize=${pageSize}`, signal)
      const [foundLanguages, foundModules, first] = await Promise.all([
        api.get<readonly LanguageRecord[]>('/languages', signal),
        api.get<readonly ModuleRecord[]>('/modules', signal),
        readPage(1),
      ])
      languages = foundLanguages.filter(({ languageCode }) => languageCode !== 'key')
      modules = foundModules
      total = first.totalCount
      rows = first.items
      while (rows.length < total) {
        const { items } = await readPage(1 + Math.floor(rows.length / pageSize))
        if (items.length === 0) break
        rows = [...rows, ...items]
      }
      total = rows.length
    } catch (cause) {
      if (!signal.aborted) error = cause as ApiError
    }
  }
  const indexOf = (id: string): number => rows.findIndex((row) => idOf(row) === id)
  const replace = (row: KeyRecord): void => {
    const index = indexOf(idOf(row))
    if (index >= 0) rows = rows.with(index, row)
  }
  /** Reads a key again. @throws ApiError 404 if it was removed. */
  const refresh = async ({ module, key }: Pick<KeyRecord, 'module' | 'key'>) => {
    const query = new URLSearchParams({ module, search: key, pageSize: String(pageSize) })
    for (let page = 1, seen = 0; ; page++) {
      query.set('page', String(page))
      const { items, totalCount } = await api.get<KeyPage>(`/keys?${query}`)
      const found = items.find((item) => item.key === key)
      if (found) {
        replace(found)
        return found
      }
      seen += items.length
      if (items.length === 0 || seen >= totalCount) throw new ApiError(404, KEY_REMOVED({ key }))
    }
  }
  $effect(() => () => controller.abort())
  void load()
  return {
    get languages() {
      return languages
    },
    get modules() {
      return modules
    },
    get rows() {
      return rows
    },
    /** Number of keys, known after the first page. */
    get total() {
      return total
    },
    get error() {
      return error
    },
    get isComplete() {
      return total !== undefined && rows.length >= total
    },
    load,
    refresh,
    /**
     * Saves a translation as a draft, unless it is no longer the one of `row`.
     *
     * @throws ConflictError
     */
    save: async (row: KeyRecord, language: string, value: string | null): Promise<void> => {
      const { module, key } = row
      const expected = valueOf(row, language)
      const draft = { module, key, language, value, expected }
      await api.send('PUT', '/drafts', [draft]).catch(async (cause: ApiError) => {
        if (cause.status !== 409) throw cause
        throw new ConflictError(await refresh(row))
      })
      const current = rows[indexOf(idOf(row))] ?? row
      replace(withDraft(current, language, value))
    },
    /**
     * Saves translations as drafts, many in one request, and reports how many are saved.
     *
     * @throws ApiError 409 if someone else changed one of them; the requests before are saved.
     */
    saveAll: async (edits: readonly Edit[], onprogress?: (saved: number) => void) => {
      for (let saved = 0; saved < edits.length;) {
        const part = edits.slice(saved, saved + draftsInRequest)
        await api.send('PUT', '/drafts', part)
        const changed = new Map<string, KeyRecord>()
        const index = new Map(rows.map((row) => [idOf(row), row]))
        for (const edit of part) {
          const id = idOf(edit)
          const row = changed.get(id) ?? index.get(id)
          if (row) changed.set(id, withDraft(row, edit.language, edit.value))
        }
        rows = rows.map((row) => changed.get(idOf(row)) ?? row)
        saved += part.length
        onprogress?.(saved)
      }
    },
    /** Saves the translations of a new key as drafts. @throws ApiError 409 if the key exists. */
    create: async (texts: readonly NewText[]): Promise<void> => {
      await api.send('PUT', '/drafts?create=true', texts)
      await load()
    },
    /** Removes a key as a draft, in place of its other drafts. */
    remove: async (row: KeyRecord): Promise<void> => {
      const { module, key } = row
      await api.send('PUT', '/drafts', [{ module, key, isRemoved: true }])
      replace({ ...row, drafts: {}, isRemoved: true })
    },
    /** Discards the drafts of a key. */
    discard: async (row: KeyRecord): Promise<void> => {
      const { module, key } = row
      await api.send('DELETE', `/drafts?${new URLSearchParams({ module, key })}`)
      replace({ ...row, drafts: {}, isRemoved: false })
    },
    /** Reads everyone's drafts, so that all that will be published is shown. */
    readDrafts: () => api.get<readonly DraftRecord[]>('/drafts'),
    /** Publishes drafts. @throws ApiError 409 if there are others by now. */
    publish: async (drafts: readonly DraftRecord[]): Promise<void> => {
      await api.send('POST', '/publish', { drafts })
      const changed = rows.filter(({ isRemoved }) => !isRemoved)
      rows = changed.map((row) => (Object.keys(row.drafts).length > 0 ? published(row) : row))
    },
  }
}

export type KeyStore = ReturnType<typeof createKeyStore>
