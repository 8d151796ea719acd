import { AsyncLocalStorage } from 'node:async_hooks'

/** Request or job that the current statements run for, as the audit log records it. */
export interface Actor {
  /** `user:ID`, `client:ID`, or a kind: `control`, `anonymous`, `job` or `program`. */
  readonly actor: string
  readonly operation: string
  readonly requestId?: string
  /** Reason that a user gave for the change, as the history of translations records it. */
  readonly reason?: string
}

const actors = new AsyncLocalStorage<Actor>()

export const runAs = <T>(actor: Actor, run: () => T): T => actors.run(actor, run)

/** Completes the actor of the current request, once it is known. */
export const setActor = (known: Partial<Actor>): unknown =>
  Object.assign(actors.getStore() ?? {}, known)

export const currentActor = (): Actor =>
  actors.getStore() ?? { actor: 'program', operation: 'program' }

/** Returns the id of the user that acts; undefined for other actors. */
export function actingUserId(): string | undefined {
  const { actor } = currentActor()
  return actor.startsWith('user:') ? actor.slice('user:'.length) : undefined
}
