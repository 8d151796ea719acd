import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Events, PlatformEvent } from '../webhooks/events.ts'

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
