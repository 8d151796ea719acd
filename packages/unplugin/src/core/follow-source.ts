import { createComplaint } from './complaint.ts'
import { listenToPlatform } from './listen-to-platform.ts'
import { poll } from './poll.ts'
import { receiveEvents } from './receive-events.ts'
import type { SessionChange } from './session.ts'
import type { Workshop } from './workshop.ts'

/**
 * Keeps the snapshot in step with the service while a bundler watches: what
 * changes is written, and the bundler sees the files. A local platform tells of
 * changes; any instance is looked at now and then.
 *
 * @param apply what is to be done with a change beyond the files.
 * @returns a function that ends it.
 */
export async function followSource(
  workshop: Workshop,
  apply: (change: SessionChange) => void = () => undefined,
): Promise<() => void> {
  const { project, session } = await workshop.open()
  const { pollMs, webhook: secret } = workshop.options
  if (!project.hasSource || (await project.frozen())) return () => undefined

  const complaint = createComplaint(workshop.settings.log)
  const refresh = async (moduleId?: string): Promise<void> => {
    try {
      const change = await session.refresh(moduleId)
      complaint.forget()
      if (change) apply(change)
    } catch (error) {
      complaint.say(error)
    }
  }
  const { serverUrl, close } = await receiveEvents({
    secret,
    onEvent: (moduleId) => void refresh(moduleId),
  })
  const stopListening = await listenToPlatform({
    ...project.options,
    serverUrl,
    secret,
    onBack: () => void refresh(),
  })
  const stopPolling = pollMs > 0 ? poll(pollMs, refresh) : undefined
  return () => {
    stopPolling?.()
    stopListening()
    close()
  }
}
