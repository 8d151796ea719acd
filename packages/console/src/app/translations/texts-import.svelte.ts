import type * as FormatsModule from '@servicekit/formats'
import type { ImportPlan, ReadFile } from '@servicekit/formats'
import { BULK_SAVED } from '~uilm/translations'
import type { Api } from '../state/api.ts'
import type { Notices } from '../state/notices.svelte.ts'
import { type DraftChange, discardOf, inverseOf } from './draft-changes.ts'
import type { Editing } from './editing.svelte.ts'
import type { KeyStore } from './key-store.svelte.ts'
import type { KeyRecord, StateChange } from '../state/records.ts'
import { idOf, shownText, stateOf, valueOf } from './key-values.ts'

type Formats = typeof FormatsModule

interface ImportContext {
  readonly api: Api
  readonly store: KeyStore
  readonly editing: Editing
  readonly notices: Notices
}

/** Choices that the dialog offers. */
interface Choices {
  keyPrefix: string
  isReplacing: boolean
  acceptsProblems: boolean
  skipsUnreviewed: boolean
  defaultLanguage: string
}

/** Creates the state of an import of files: what they name, what it means, and the plan. */
export function createTextsImport({ api, notices, store, editing }: ImportContext) {
  let formats = $state.raw<Formats>()
  let files = $state.raw<readonly ReadFile[]>([])
  let languages = $state<Record<string, string>>({})
  let modules = $state<Record<string, string>>({})
  const choices = $state<Choices>({
    keyPrefix: '',
    isReplacing: true,
    acceptsProblems: false,
    skipsUnreviewed: false,
    defaultLanguage: '',
  })
  const names = $derived({
    languages: store.languages.map(({ languageCode }) => languageCode),
    modules: store.modules.map(({ moduleName }) => moduleName),
    defaultLanguage: store.defaultLanguage || undefined,
  })
  const defaultLanguage = $derived(names.defaultLanguage ?? (choices.defaultLanguage || undefined))
  const plan = $derived.by(() => {
    if (!formats || files.length === 0 || !store.isComplete) return undefined
    const current = store.rows.flatMap((row) =>
      row.isRemoved
        ? []
        : [
            {
              module: row.module,
              key: row.key,
              texts: { ...row.texts, ...row.drafts },
              states: row.states,
              maxLength: row.details?.maxLength,
            },
          ],
    )
    return formats.planImport(
      files,
      { ...names, defaultLanguage, keys: current },
      { ...choices, mapping: { languages: mapOf(languages), modules: mapOf(modules) } },
    )
  })
  const clash = $derived(plan && formats?.nameClashOf(plan, names))

  return {
    get files() {
      return files
    },
    /** Language of the project by its name in the files. */
    get languages() {
      return languages
    },
    /** Module of the project by its name in the files. */
    get modules() {
      return modules
    },
    choices,
    /** True if the project has no language yet, so that the import chooses the default one. */
    get isFirst() {
      return names.defaultLanguage === undefined
    },
    get plan() {
      return plan
    },
    get clash() {
      return clash
    },
    /** Encodings other than UTF-8 that files were read in. */
    get encodings() {
      return [...new Set(files.map(({ encoding }) => encoding))].filter(
        (encoding) => encoding !== undefined && encoding !== 'utf-8',
      )
    },
    /** Reads files. @throws ServicekitError that names the file, the line and how to fix it. */
    async read(chosen: readonly File[]): Promise<void> {
      formats = await import('@servicekit/formats')
      files = []
      const read: ReadFile[] = []
      for (const file of chosen) {
        const input = {
          path: file.webkitRelativePath || file.name,
          bytes: new Uint8Array(await file.arrayBuffer()),
        }
        read.push(...(await formats.readTranslations(input, { languages: names.languages })))
      }
      const suggested = formats.suggestMapping(read, names)
      if (names.defaultLanguage === undefined) {
        choices.defaultLanguage = formats.suggestDefaultLanguage(read, suggested) ?? ''
      }
      languages = recordOf(suggested.languages)
      modules = recordOf(suggested.modules)
      files = read
    },
    /** Saves the import as drafts, all or nothing. @throws ApiError 409 if something changed. */
    async save(): Promise<void> {
      if (!formats || !plan) return
      const rows = new Map(store.rows.map((row) => [idOf(row), row]))
      const isFirst = names.defaultLanguage === undefined
      const former = formerStates(plan.reviews, rows)
      const request = formats.importRequest(plan, isFirst ? defaultLanguage : undefined)
      await api.send('POST', '/imports', { body: request })
      await store.load()
      editing.check(request.drafts)
      notices.show(BULK_SAVED({ count: request.drafts.length || request.states.length }), () => {
        const created = new Map(store.rows.map((row) => [idOf(row), row]))
        const discarded = new Map<string, DraftChange>()
        const restored: DraftChange[] = []
        for (const draft of request.drafts) {
          const [before, after] = [rows.get(idOf(draft)), created.get(idOf(draft))]
          if (before) restored.push(...inverseOf(before, draft))
          else if (after) discarded.set(idOf(draft), discardOf(after))
        }
        void editing
          .undo([...restored, ...discarded.values()])
          .then(() => store.setStates(former))
          .then(store.load)
      })
    },
  }
}

/** Returns the states of texts that only become reviewed. Other texts have those of their drafts. */
const formerStates = (
  reviews: ImportPlan['reviews'],
  rows: ReadonlyMap<string, KeyRecord>,
): readonly StateChange[] =>
  reviews.flatMap(({ value, ...review }) => {
    const row = rows.get(idOf(review))
    if (!row || valueOf(row, review.language) !== value) return []
    const state = stateOf(row, review.language)
    return state === 'untranslated' ? [] : [{ ...review, state, expected: value }]
  })

/** An empty name leaves the texts out. */
const mapOf = (names: Readonly<Record<string, string>>): ReadonlyMap<string, string | null> =>
  new Map(Object.entries(names).map(([name, target]) => [name.slice(1), target.trim() || null]))

/** The prefix keeps names such as `__proto__` and the empty one apart from those of objects. */
const recordOf = (names: ReadonlyMap<string, string | null>): Record<string, string> =>
  Object.fromEntries([...names].map(([name, target]) => [`:${name}`, target ?? '']))

/** Returns the messages of rows, with their drafts, to export them. */
export const messagesOf = (rows: KeyStore['rows'], languages: readonly string[]) =>
  rows.flatMap((row) => {
    if (row.isRemoved) return []
    const texts = languages.flatMap((language) => {
      const text = shownText(valueOf(row, language))
      return text === '' ? [] : [[language, text] as const]
    })
    const { context, maxLength } = row.details ?? {}
    const states = new Map(Object.entries(row.states))
    return [{ module: row.module, key: row.key, texts: new Map(texts), states, context, maxLength }]
  })
