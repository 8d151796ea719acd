import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { EventHub, PlatformEvent } from './event-hub.ts'

const Message = z.union([
  z.object({ from: z.string(), projectKey: z.string(), event: z.looseObject({}) }),
  z.object({ from: z.string(), topic: z.literal('faults') }),
])

/** What instances tell each other. */
interface Sharing {
  /** The hub to emit to. */
  readonly events: EventHub
  /** Tells that there are other fault rules. */
  readonly tellFaults: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Tells the events of this process to every other instance on the same database,
 * and theirs here. On an embedded database there are no others.
 *
 * @param onFaults hears that another instance has other fault rules.
 */
export function shareEvents(
  events: EventHub,
  database: Database,
  onFault: (fault: Error) => void,
  onFaults: () => Promise<void>,
): Sharing {
  const nothing = async (): Promise<void> => {}
  if (!database.openChannel) return { events, tellFaults: nothing, close: nothing }
  // Not an id of the options: those are the same in every instance that has a seed.
  const self = crypto.randomUUID()
  const channel = database.openChannel(
    (text) => {
      const message = Message.parse(JSON.parse(text))
      if (message.from === self) return
      if ('topic' in message) onFaults().catch(onFault)
      else events.emit(message.projectKey, message.event as unknown as PlatformEvent)
    },
    () => void onFaults().catch(onFault),
  )
  const shared: EventHub = {
    ...events,
    emit: (projectKey, event) => {
      events.emit(projectKey, event)
      channel.send(JSON.stringify({ from: self, projectKey, event })).catch(onFault)
    },
  }
  const tellFaults = (): Promise<void> =>
    channel.send(JSON.stringify({ from: self, topic: 'faults' }))
  return { events: shared, tellFaults, close: channel.close }
}
