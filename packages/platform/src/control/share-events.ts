import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { EventHub, PlatformEvent } from './event-hub.ts'

const Message = z.object({ from: z.string(), projectKey: z.string(), event: z.looseObject({}) })

/**
 * Tells the events of this process to every other instance on the same database,
 * and theirs here. On an embedded database there are no others.
 *
 * @returns the hub to emit to, and what ends the sharing.
 */
export function shareEvents(
  events: EventHub,
  database: Database,
  onFault: (fault: Error) => void,
): { readonly events: EventHub; readonly close: () => Promise<void> } {
  if (!database.openChannel) return { events, close: async () => {} }
  // Not an id of the options: those are the same in every instance that has a seed.
  const self = crypto.randomUUID()
  const channel = database.openChannel((text) => {
    const { from, projectKey, event } = Message.parse(JSON.parse(text))
    if (from !== self) events.emit(projectKey, event as unknown as PlatformEvent)
  })
  const shared: EventHub = {
    ...events,
    emit: (projectKey, event) => {
      events.emit(projectKey, event)
      channel.send(JSON.stringify({ from: self, projectKey, event })).catch(onFault)
    },
  }
  return { events: shared, close: channel.close }
}
