import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core } from './core.ts'
import { operate } from './operate.ts'

/** Question with its answer. */
export interface QuestionAnswer {
  /** UUID of the agent to add it to. */
  readonly agentId: string
  /** Question as a user would ask it. */
  readonly question: string
  /** Answer that the agent should give. */
  readonly answer: string
}

/**
 * Adds a question and its answer to the knowledge of an agent. Retried only if it cannot
 * have been added (429, or never connected).
 *
 * @throws RequestError 422 for a missing member, OperationError
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

/** Result of {@link addAll}. */
export interface AddReport {
  /** Number of pairs that were added. */
  readonly added: number
  /** Failed pairs in input order; `index` is the position in the input. */
  readonly failed: readonly {
    readonly index: number
    readonly pair: QuestionAnswer
    readonly error: unknown
  }[]
}

/**
 * Adds many pairs, several at a time. A failure does not stop the others; after an abort,
 * pairs that were not started are reported as failed.
 *
 * ```ts
 * const { added, failed } = await addAll(core, pairs, { concurrency: 4 })
 * ```
 *
 * @returns A report; failures are in the report and not thrown.
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
    /** Number of requests at once. Default: 4. */
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
