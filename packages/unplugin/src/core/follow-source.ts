import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenToPlatform } from './listen-to-platform.ts'
import { poll } from './poll.ts'
import { receiveWebhook } from './webhook.ts'
import type { Workshop } from './workshop.ts'

/**
 * Keeps the snapshot in step with the service while a bundler watches: what
 * changes is written, and the bundler sees the files. A local platform tells of
 * changes; any instance is looked at now and then.
 *
 * @returns a function that ends it.
 */
export async function followSource(workshop: Workshop): Promise<() => void> {
  const { project, session } = await workshop.open()
  const { pollMs, webhook } = workshop.options
  const { log } = workshop.settings
  if (!project.hasSource || (await project.frozen())) return () => undefined

  const refresh = (moduleId?: string): Promise<void> =>
    session.refresh(moduleId).then(
      () => undefined,
      (error: unknown) => log.warn(error instanceof Error ? error.message : String(error)),
    )
  const server = createServer((request, response) => {
    const onEvent = (moduleId: string | undefined): void => void refresh(moduleId)
    receiveWebhook(request, response, { secret: webhook, onEvent }).catch(() => response.destroy())
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  server.unref()
  const { port } = server.address() as AddressInfo
  const listen = (): Promise<() => void> =>
    listenToPlatform({
      ...project.options,
      serverUrl: `http://127.0.0.1:${port}/`,
      secret: webhook,
    })
  const stopListening = await listen()
  const stopPolling =
    pollMs > 0
      ? poll(pollMs, async () => void (await Promise.all([listen(), refresh()])))
      : undefined
  return () => {
    stopPolling?.()
    stopListening()
    server.close()
    server.closeAllConnections()
  }
}
