import { createComplaint } from './complaint.ts'
import { listenToPlatform } from './listen-to-platform.ts'
import { poll } from './poll.ts'
import { receiveEvents } from './receive-events.ts'
import type { SessionChange } from './session.ts'
import type { Workshop } from './workshop.ts'

/**
 * Updates the snapshot from the service while a bundler watches. Changes are written to
 * disk, where the bundler detects them. A local platform sends events; other services are
 * polled.
 *
 * @param apply Called with each change in addition to writing the files.
 * @returns a function that stops it.
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
