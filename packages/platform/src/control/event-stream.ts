import type { EventHub, PlatformEvent } from './event-hub.ts'

/** Interval between keep-alive comments, so that no proxy closes an idle stream. */
const pulseMs = 15_000

/**
 * Streams a project's events as server-sent events. The event name is the top-level
 * member of the body that webhooks deliver.
 */
export function eventStream(events: EventHub, projectKey: string): Response {
  const encoder = new TextEncoder()
  let end = (): void => {}
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (text: string): void => controller.enqueue(encoder.encode(text))
      const pulse = setInterval(() => send(':\n\n'), pulseMs)
      pulse.unref()
      const stop = events.listen(projectKey, {
        onEvent: (event) => send(`event: ${nameOf(event)}\ndata: ${JSON.stringify(event)}\n\n`),
        onClose: () => {
          clearInterval(pulse)
          controller.close()
        },
      })
      end = () => {
        clearInterval(pulse)
        stop()
      }
      // Signals to the client that no event is missed from here on.
      send(': listening\n\n')
    },
    cancel: () => end(),
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  })
}

const nameOf = (event: PlatformEvent): string => Object.keys(event)[0]!
