import type { GenerateUilmFilesEvent, TranslateAllEvent } from '@servicekit/contract'
import { sql } from 'drizzle-orm'
import { EventEmitter } from 'node:events'
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
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

/** Interval between keep-alive comments, so that no proxy closes an idle stream. */
const keepAliveMs = 15_000

/**
 * Streams a project's events as server-sent events. The event name is the top-level
 * member of the body that webhooks deliver.
 */
export async function streamEvents(
  c: Context,
  { emitter, subscribe }: Events,
  projectKey: string,
): Promise<Response> {
  await subscribe()
  return streamSSE(c, async (stream) => {
    const send = (key: string, event: PlatformEvent): void => {
      const [name] = Object.keys(event)
      if (key === projectKey) void stream.writeSSE({ event: name!, data: JSON.stringify(event) })
    }
    emitter.on('event', send)
    const keepAlive = setInterval(() => void stream.write(':\n\n'), keepAliveMs).unref()
    await new Promise<void>((resolve) => {
      emitter.once('end', resolve)
      stream.onAbort(resolve)
      // Signals to the client that no event is missed from here on.
      void stream.write(': listening\n\n')
    })
    clearInterval(keepAlive)
    emitter.off('event', send)
  })
}
