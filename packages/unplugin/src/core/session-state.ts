import { formatProblem, inspect, type Model } from '@servicekit/catalog'
import { compareModels, type SessionChange } from './session-change.ts'
import type { Log, Session } from './session.ts'

/** Model of a session, and the subscribers to its changes. */
export interface SessionState extends Pick<Session, 'model' | 'subscribe'> {
  /** Sets the first model and prints its problems. */
  readonly begin: (model: Model, log: Log) => void
  /** Replaces the model and reports the changes. */
  readonly show: (after: Model) => SessionChange | undefined
}

export function createSessionState(): SessionState {
  const listeners = new Set<(change: SessionChange) => void>()
  let model: Model | undefined
  const current = (): Model => {
    if (!model) throw new TypeError('Start the session before reading its model')
    return model
  }
  return {
    model: current,
    begin(first, log) {
      model = first
      report(first, log)
    },
    show(after) {
      const change = compareModels(current(), after)
      model = after
      if (change) for (const listener of listeners) listener(change)
      return change
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/**
 * Prints the problems in a few lines: fixable problems individually, missing translations
 * counted by language.
 */
function report(model: Model, log: Log): void {
  const missing = new Map<string, number>()
  for (const problem of inspect(model)) {
    if (problem.severity === 'info') {
      if (problem.code === 'MISSING_TRANSLATION') {
        missing.set(problem.language!, (missing.get(problem.language!) ?? 0) + 1)
      }
    } else log.warn(formatProblem(problem))
  }
  if (missing.size > 0) {
    const counts = [...missing].map(([language, count]) => `${language} ${count}`)
    log.info(`missing translations: ${counts.join(', ')}`)
  }
}
