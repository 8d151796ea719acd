import { createRateLimiter, type Project } from '@servicekit/catalog'
import { sleep } from '@servicekit/core'
import type { Suggestions, SuggestionRequest } from '@servicekit/client/translation'
import type { Glossary } from '../glossary/glossary.ts'
import { findGaps, type Gap, type GapFilter } from './gaps.ts'
import { suggestionRequest } from './suggestion-request.ts'
import { rejectionOf } from './usable.ts'

/** Drafted translation. */
export interface TranslationDraft {
  readonly module: string
  readonly key: string
  readonly language: string
  readonly value: string
  /** From 0 to 1; undefined if the service does not return it. */
  readonly confidence: number | undefined
}

/** Translation without a usable suggestion. */
export interface SkippedTranslation {
  readonly module: string
  readonly key: string
  readonly language: string
  readonly reason: string
}

/** Suggestions of an earlier run, which are not requested again. */
export interface SuggestionStore {
  readonly get: (id: string) => StoredSuggestion | undefined
  readonly set: (id: string, suggestion: StoredSuggestion) => void
  /** Called after each batch. */
  readonly save: () => Promise<void>
}

export interface StoredSuggestion {
  readonly texts: readonly string[]
  readonly confidence: number | undefined
}

export interface TranslateOptions extends GapFilter {
  readonly project: Project
  readonly suggest: (request: SuggestionRequest, signal: AbortSignal) => Promise<Suggestions>
  /** Translations that exist as drafts already, as `[module, key, language]` in JSON. */
  readonly drafted?: ReadonlySet<string>
  /** Saves drafts. They are not published. */
  readonly write: (drafts: readonly TranslationDraft[]) => Promise<void>
  readonly store: SuggestionStore
  readonly glossary?: Glossary | undefined
  /** Describes the application to the service. */
  readonly application: string
  /** Minimum confidence of a draft, from 0 to 1. */
  readonly minConfidence?: number | undefined
  /** Maximum number of requests of this run. */
  readonly limit?: number | undefined
  /** Only estimates. */
  readonly dryRun?: boolean
  readonly signal: AbortSignal
}

/** Cost of the missing translations. */
export interface TranslateEstimate {
  readonly translations: number
  /** The same text in the same context is requested once per language. */
  readonly requests: number
  /** Characters of source text to send. */
  readonly characters: number
  /** Least number of minutes by the rate limit. */
  readonly minutes: number
  readonly byLanguage: Readonly<Record<string, number>>
}

export interface TranslateReport {
  readonly estimate: TranslateEstimate
  readonly drafts: readonly TranslationDraft[]
  readonly skipped: readonly SkippedTranslation[]
  readonly requests: number
}

export interface TranslateProgress {
  readonly done: number
  readonly total: number
  /** Set while the rate limit delays a request. */
  readonly pauseMs?: number
}

/** Requests of the same text share one. */
interface Task {
  readonly id: string
  readonly request: SuggestionRequest
  readonly gaps: readonly Gap[]
}

/** Number of requests after which drafts are saved. An interruption loses no more. */
const batchSize = 20

/**
 * Fills missing translations with suggestions of the service, as drafts. Yields progress and
 * returns the report. A second run continues where the first one stopped.
 */
export async function* translate(
  options: TranslateOptions,
): AsyncGenerator<TranslateProgress, TranslateReport> {
  const { project, store, write, signal, drafted = new Set<string>(), limit = Infinity } = options
  const model = await project.load()
  const gaps = findGaps(model, options).filter((gap) => !drafted.has(idOf(gap)))
  const tasks = tasksOf(gaps, model, options)
  const open = tasks.filter(({ id }) => store.get(id) === undefined)
  const { requestsPerMinute, concurrency } = project.options
  const estimate = estimateOf(gaps, open, requestsPerMinute)
  const drafts: TranslationDraft[] = []
  const skipped: SkippedTranslation[] = []
  if (options.dryRun) return { estimate, drafts, skipped, requests: 0 }

  let requests = 0
  let pauseMs = 0
  const waitForTurn = createRateLimiter(requestsPerMinute, {
    now: Date.now,
    sleep: (ms, abort) => {
      pauseMs = ms
      return sleep(ms, abort)
    },
  })
  const request = async (task: Task): Promise<void> => {
    await waitForTurn(signal)
    const { suggestions } = await options.suggest(task.request, signal)
    const texts = suggestions.flatMap(({ translation, alternatives }) => [
      translation,
      ...alternatives,
    ])
    store.set(task.id, { texts, confidence: suggestions[0]?.confidence })
  }
  const requested = new Set(open.slice(0, limit))
  const chosen = tasks.filter((task) => store.get(task.id) !== undefined || requested.has(task))
  let done = 0
  for (let start = 0; start < chosen.length; start += batchSize) {
    const batch = chosen.slice(start, start + batchSize)
    const missing = batch.filter(({ id }) => store.get(id) === undefined)
    for (let index = 0; index < missing.length; index += concurrency) {
      const group = missing.slice(index, index + concurrency)
      requests += group.length
      const results = await Promise.allSettled(group.map(request))
      await store.save()
      const failed = results.find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
    }
    const results = batch.flatMap((task) =>
      task.gaps.map((gap) => resultOf(gap, task, options, model)),
    )
    const ready = results.filter((one) => 'value' in one)
    skipped.push(...results.filter((one) => 'reason' in one))
    if (ready.length > 0) await write(ready)
    drafts.push(...ready)
    done += batch.length
    yield { done, total: chosen.length, ...(pauseMs > 0 && { pauseMs }) }
    pauseMs = 0
  }
  return { estimate, drafts, skipped, requests }
}

type LoadedModel = Awaited<ReturnType<Project['load']>>

const idOf = ({ module, key, language }: Gap): string => JSON.stringify([module, key, language])

function tasksOf(
  gaps: readonly Gap[],
  model: LoadedModel,
  options: TranslateOptions,
): readonly Task[] {
  const tasks = new Map<string, { request: SuggestionRequest; gaps: Gap[] }>()
  for (const gap of gaps) {
    const { application, glossary } = options
    const { defaultLanguage: from, details: all } = model.catalog
    const details = all?.get(gap.module)?.get(gap.key)
    const request = suggestionRequest(gap, { from, application, glossary, details })
    const id = JSON.stringify(request)
    const task = tasks.get(id)
    if (task) task.gaps.push(gap)
    else tasks.set(id, { request, gaps: [gap] })
  }
  return [...tasks].map(([id, task]) => ({ id, ...task }))
}

function estimateOf(
  gaps: readonly Gap[],
  open: readonly Task[],
  requestsPerMinute: number,
): TranslateEstimate {
  const byLanguage: Record<string, number> = {}
  for (const { language } of gaps) byLanguage[language] = (byLanguage[language] ?? 0) + 1
  return {
    translations: gaps.length,
    requests: open.length,
    characters: open.reduce((sum, { request }) => sum + [...request.text].length, 0),
    minutes: Math.max(0, Math.ceil(open.length / requestsPerMinute) - 1),
    byLanguage,
  }
}

/** Selects the first usable suggestion. */
function resultOf(
  gap: Gap,
  { id, request }: Task,
  { store, glossary, minConfidence = 0 }: TranslateOptions,
  model: LoadedModel,
): TranslationDraft | SkippedTranslation {
  const { module, key, language } = gap
  const { texts = [], confidence } = store.get(id) ?? {}
  const skip = (reason: string): SkippedTranslation => ({ module, key, language, reason })
  if (confidence !== undefined && confidence < minConfidence) {
    return skip(`its confidence ${confidence} is below ${minConfidence}`)
  }
  let reason = 'the service has no suggestion'
  for (const [index, value] of texts.entries()) {
    const maxLength = request.maxCharacterLength
    const rejection = rejectionOf(value, { gap, model, glossary, maxLength })
    if (rejection === undefined) return { module, key, language, value, confidence }
    if (index === 0) reason = `the suggestion ${rejection}`
  }
  return skip(reason)
}
