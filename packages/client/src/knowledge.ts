import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core } from './core.ts'
import { operate } from './shapes.ts'

/** A question with its answer. */
export interface QuestionAnswer {
  /** UUID of the agent that is to know it. */
  readonly agentId: string
  /** As somebody would ask. */
  readonly question: string
  /** What the agent is to answer. */
  readonly answer: string
}

/**
 * Adds a question and its answer to what an agent knows. It is never sent twice.
 *
 * @throws RequestError 422 for a member that is missing, OperationError
 * @see section 4.8
 */
export async function add(
  core: Core,
  { agentId, question, answer }: QuestionAnswer,
  call: CallOptions = {},
): Promise<void> {
  const json = { project_key: core.projectKey, agent_id: agentId, question, answer }
  await operate(core, routes.knowledgeAdd, { ...call, json, intent: 'add the answer' })
}

/** What became of many. */
export interface AddReport {
  /** How many the service took. */
  readonly added: number
  /** In the order given; `index` is the place in it. */
  readonly failed: readonly {
    readonly index: number
    readonly pair: QuestionAnswer
    readonly error: unknown
  }[]
}

/**
 * Adds many, some at a time. One that fails stops none of the others; an abort
 * leaves those that were not begun among the failures.
 *
 * ```ts
 * const { added, failed } = await addAll(core, pairs, { concurrency: 4 })
 * ```
 *
 * @returns What failed is in the report, and not thrown.
 * @see section 4.8
 */
export async function addAll(
  core: Core,
  pairs: Iterable<QuestionAnswer>,
  {
    concurrency = 4,
    onProgress,
    ...call
  }: CallOptions & {
    /** How many at once; 4 by default. */
    readonly concurrency?: number
    readonly onProgress?: (done: number) => void
  } = {},
): Promise<AddReport> {
  const failed: { index: number; pair: QuestionAnswer; error: unknown }[] = []
  const rest = [...pairs].entries()
  let done = 0
  const work = async (): Promise<void> => {
    // All workers draw from one iterator.
    for (const [index, pair] of rest) {
      try {
        call.signal?.throwIfAborted()
        await add(core, pair, call)
      } catch (error) {
        failed.push({ index, pair, error })
      }
      done++
      onProgress?.(done)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work))
  return { added: done - failed.length, failed: failed.sort((a, b) => a.index - b.index) }
}
