import type { GenerateUilmFilesEvent, TranslateAllEvent } from '@servicekit/contract'
import { EventEmitter } from 'node:events'
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'

/** Event of a project, in the shape that webhooks deliver (section 6). */
export type PlatformEvent = GenerateUilmFilesEvent | TranslateAllEvent

/** Emitter of the events of this process; `close` is emitted when the platform closes. */
export type Events = EventEmitter<{
  event: [projectKey: string, event: PlatformEvent]
  close: []
}>

export function createEvents(): Events {
  const events: Events = new EventEmitter()
  // One listener for each open event stream.
  events.setMaxListeners(0)
  return events
}

/** Interval between keep-alive comments, so that no proxy closes an idle stream. */
const keepAliveMs = 15_000

/**
 * Streams a project's events as server-sent events. The event name is the top-level
 * member of the body that webhooks deliver.
 */
export const streamEvents = (c: Context, events: Events, projectKey: string): Response =>
  streamSSE(c, async (stream) => {
    const send = (key: string, event: PlatformEvent): void => {
      const [name] = Object.keys(event)
      if (key === projectKey) void stream.writeSSE({ event: name!, data: JSON.stringify(event) })
    }
    events.on('event', send)
    const keepAlive = setInterval(() => void stream.write(':\n\n'), keepAliveMs).unref()
    await new Promise<void>((resolve) => {
      events.once('close', resolve)
      stream.onAbort(resolve)
      // Signals to the client that no event is missed from here on.
      void stream.write(': listening\n\n')
    })
    clearInterval(keepAlive)
    events.off('event', send)
  })
