import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { EventHub, PlatformEvent } from './event-hub.ts'

const Message = z.union([
  z.object({ from: z.string(), projectKey: z.string(), event: z.looseObject({}) }),
  z.object({ from: z.string(), topic: z.literal('faults') }),
])

/** Event sharing between instances. */
interface Sharing {
  /** Hub to emit to. */
  readonly events: EventHub
  /** Notifies other instances that the fault rules changed. */
  readonly tellFaults: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Forwards events of this process to all other instances on the same database, and emits
 * theirs here. An embedded database has no other instances.
 *
 * @param onFaults called when another instance changed the fault rules.
 */
export function shareEvents(
  events: EventHub,
  database: Database,
  onFault: (fault: Error) => void,
  onFaults: () => Promise<void>,
): Sharing {
  const nothing = async (): Promise<void> => {}
  if (!database.openChannel) return { events, tellFaults: nothing, close: nothing }
  // Not an id from the options: with a seed, those are the same in every instance.
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
