import type { EventHub, PlatformEvent } from './event-hub.ts'

/** Time between two signs of life, so that no proxy takes a quiet stream for a dead one. */
const pulseMs = 15_000

/**
 * A project's events as server-sent events: the name of the event is the
 * top-level member of its body, as webhooks carry it.
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
      // Whoever reads this knows that no event is missed from here on.
      send(': listening\n\n')
    },
    cancel: () => end(),
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  })
}

const nameOf = (event: PlatformEvent): string => Object.keys(event)[0]!
