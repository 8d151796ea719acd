import type { GenerateUilmFilesEvent, TranslateAllEvent } from '@servicekit/contract'
import { sql } from 'drizzle-orm'
import { EventEmitter } from 'node:events'
import type { Database, Tables } from '../database/database.ts'

/** Event of a project, in the shape that webhooks deliver (section 6). */
export type PlatformEvent = GenerateUilmFilesEvent | TranslateAllEvent

/** Events of the projects, of all instances that share the database. */
export type Events = ReturnType<typeof createEvents>

/** Channel of PostgreSQL on which instances send each other events. */
const channel = 'servicekit_events'
/** Maximum length of an event in bytes that PostgreSQL sends; larger ones stay on their instance. */
const maxBytes = 7000

export function createEvents({ subscribe }: Pick<Database, 'subscribe'>) {
  const emitter = new EventEmitter<{
    event: [projectKey: string, event: PlatformEvent]
    /** The streams end: the platform closes, or cannot receive the events of other instances. */
    end: []
  }>()
  // One listener for each open event stream.
  emitter.setMaxListeners(0)
  let subscription: Promise<() => Promise<void>> | undefined
  const end = (): void => {
    subscription = undefined
    emitter.emit('end')
  }
  return {
    emitter,
    /** Receives the events of other instances from now on, over a connection of its own. */
    subscribe: async (): Promise<void> => {
      const onMessage = (text: string): void => {
        emitter.emit('event', ...(JSON.parse(text) as [string, PlatformEvent]))
      }
      subscription ??= subscribe?.(channel, onMessage, end)
      await subscription?.catch((error: unknown) => {
        subscription = undefined
        throw error
      })
    },
    /**
     * Sends an event in the transaction of its change. @returns false if it is only for this
     * instance: then emit it after the commit.
     */
    send: async (tables: Tables, key: string, event: PlatformEvent): Promise<boolean> => {
      const text = JSON.stringify([key, event])
      if (!subscribe || Buffer.byteLength(text) > maxBytes) return false
      await tables.execute(sql`select pg_notify(${channel}, ${text})`)
      return true
    },
    close: async (): Promise<void> => {
      const closing = subscription
      end()
      const unsubscribe = await closing?.catch(() => undefined)
      await unsubscribe?.()
    },
  }
}
