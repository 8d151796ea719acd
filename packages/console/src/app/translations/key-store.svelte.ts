import { KEY_REMOVED, TRANSLATION_REFUSED } from '~uilm/translations'
import { type Api, ApiError } from '../state/api.ts'
import type {
  DraftRecord,
  PublishSelection,
  KeyRecord,
  LanguageRecord,
  ModuleRecord,
  StateChange,
} from '../state/records.ts'
import { batchesOf, type DraftChange, withChange } from './draft-changes.ts'
import { hasDraft, idOf, messageOf, newRow, published, withState } from './key-values.ts'
import { problemsOfChanges } from './module-texts.ts'

/** Number of keys in one request. */
const pageSize = 1000
/** Number of states in one request. */
const statesInRequest = 500

/** Translation of a new key. */
export interface NewTranslation {
  readonly module: string
  readonly key: string
  readonly language: string
  readonly value: string
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
      const readPage = (page: number) => api.get('/keys', { query: { page, pageSize }, signal })
      const [foundLanguages, foundModules, first] = await Promise.all([
        api.get('/languages', { signal }),
        api.get('/modules', { signal }),
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
    const { items } = await api.get('/keys', { query: { module, key } })
    const [found] = items
    if (!found) throw new ApiError(404, KEY_REMOVED({ key }))
    replace(found)
    return found
  }
  const defaultLanguage = (): string =>
    (languages.find(({ isDefault }) => isDefault) ?? languages[0])?.languageCode ?? ''
  const saveAll = async (
    changes: readonly DraftChange[],
    onprogress?: (saved: number) => void,
  ): Promise<void> => {
    let saved = 0
    for (const batch of batchesOf(changes)) {
      const { states } = await api.send('PUT', '/drafts', { body: batch })
      const changed = new Map<string, KeyRecord>()
      const index = new Map(rows.map((row) => [idOf(row), row]))
      for (const change of batch) {
        const id = idOf(change)
        const row = changed.get(id) ?? index.get(id) ?? added(change)
        if (row) changed.set(id, withChange(row, change))
      }
      for (const { states: ofKey, ...key } of states) {
        const row = changed.get(idOf(key))
        if (row) changed.set(idOf(key), { ...row, states: ofKey })
      }
      const fresh = [...changed.values()].filter((row) => !index.has(idOf(row)))
      rows = withNew(
        rows.map((row) => changed.get(idOf(row)) ?? row),
        fresh,
      )
      total = Math.max(total ?? 0, rows.length)
      saved += batch.length
      onprogress?.(saved)
    }
  }
  $effect(() => () => controller.abort())
  void load()
  return {
    get languages() {
      return languages
    },
    get defaultLanguage() {
      return defaultLanguage()
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
     * Saves changes as drafts, many in one request, and reports how many are saved.
     *
     * @throws ApiError 409 if someone else changed one of them; the requests before are saved. -1 if
     * a translation has a placeholder that its source text does not have or that has another type;
     * nothing is saved.
     */
    save: async (changes: readonly DraftChange[], onprogress?: (saved: number) => void) => {
      const refused = problemsOfChanges(rows, changes, {
        codes: languages.map(({ languageCode }) => languageCode),
        defaultLanguage: defaultLanguage(),
      }).find(({ rule, isRefused }) => rule === 'parameter' && isRefused)
      if (refused) {
        const { key, language, message: reason } = refused
        throw new ApiError(-1, TRANSLATION_REFUSED({ key, language, reason }))
      }
      await saveAll(changes, onprogress)
    },
    /** Restores what changes replaced. @throws ApiError 409 if someone else changed one of them. */
    restore: (changes: readonly DraftChange[], onprogress?: (saved: number) => void) =>
      saveAll(changes, onprogress),
    /**
     * Sets the states of translations, many in one request, and reports how many are set.
     *
     * @throws ApiError 409 if a text has changed; the requests before are done.
     */
    setStates: async (changes: readonly StateChange[], onprogress?: (done: number) => void) => {
      for (let done = 0; done < changes.length; done += statesInRequest) {
        const batch = changes.slice(done, done + statesInRequest)
        await api.send('PUT', '/states', { body: batch })
        const changed = new Map(rows.map((row) => [idOf(row), row]))
        for (const change of batch) {
          const row = changed.get(idOf(change))
          if (row) changed.set(idOf(change), withState(row, change))
        }
        rows = [...changed.values()]
        onprogress?.(done + batch.length)
      }
    },
    /** Saves the translations of a new key as drafts. @throws ApiError 409 if the key exists. */
    create: async (translations: readonly NewTranslation[]): Promise<void> => {
      await api.send('PUT', '/drafts', { query: { create: 'true' }, body: translations })
      await load()
    },
    /** Reads everyone's drafts, so that all that will be published is shown. */
    readDrafts: () => api.get('/drafts'),
    /** Reads what a publication would publish, with its authors and problems. */
    previewPublication: (selection: PublishSelection | undefined) =>
      api.send('POST', '/publish/preview', { body: { selection } }),
    readPublishing: () => api.get('/publishing'),
    changePublishing: (onlyReviewed: boolean) =>
      api.send('PUT', '/publishing', { body: { onlyReviewed } }),
    /**
     * Publishes drafts, all or those of a selection.
     *
     * @param reason to publish messages with errors.
     * @returns the number of drafts that stay, because they are not selected or not reviewed.
     * @throws ApiError 409 if there are others by now, 422 if messages have errors.
     */
    publish: async (
      drafts: readonly DraftRecord[],
      reason?: string,
      selection?: PublishSelection,
    ): Promise<number> => {
      const body = { drafts, selection, ...(reason && { reason }) }
      const { withheld } = await api.send('POST', '/publish', { body })
      const byId = new Map(rows.map((row) => [idOf(row), row]))
      // Others may have saved drafts since the keys were loaded, or added a language or a module.
      const isKnown =
        drafts.every((draft) => hasDraft(byId.get(idOf(draft)), draft)) &&
        [...languages, ...modules].every(({ isDraft }) => !isDraft)
      if (withheld > 0 || !isKnown) await load()
      else {
        const present = rows.filter(({ isRemoved }) => !isRemoved)
        total! -= rows.length - present.length
        rows = present.map((row) => (Object.keys(row.drafts).length > 0 ? published(row) : row))
      }
      return withheld
    },
  }
}

export type KeyStore = ReturnType<typeof createKeyStore>

/** Returns the record of a key that a translation creates, such as a plural form. */
const added = (change: DraftChange): KeyRecord | undefined =>
  'language' in change ? newRow(change) : undefined

/** Returns the rows with new keys, each after the other forms of its message. */
function withNew(rows: readonly KeyRecord[], fresh: readonly KeyRecord[]): readonly KeyRecord[] {
  return fresh.reduce((all, row) => {
    const last = all.findLastIndex((one) => messageOf(one) === messageOf(row))
    return all.toSpliced(last < 0 ? all.length : last + 1, 0, row)
  }, rows)
}
