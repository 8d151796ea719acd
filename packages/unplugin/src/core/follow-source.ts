import { RequestError } from '@servicekit/client'
import { followFolder } from './follow-folder.ts'
import type { PluginContext } from './plugin-context.ts'
import { subscribeToPlatform } from './platform-events.ts'
import { createWarner } from './session.ts'

/** Updates of the snapshot from the service. */
export interface SourceFollower {
  /** Pulls all translations, or those of one module. Errors are logged. */
  readonly refresh: (moduleId?: string) => void
  readonly stop: () => void | Promise<void>
}

/**
 * Updates the snapshot from the service while a bundler watches, first at once, in the background,
 * or the messages from the folder that is the source of truth. Changes are written to disk, where the bundler detects them. A local platform
 * sends events; other services are polled. One line says whether the service responds.
 *
 * @param shownLanguages Returns the languages that pages show, whose edits come first.
 * @returns undefined if the project has neither.
 */
export async function followSource(
  context: PluginContext,
  shownLanguages: () => readonly string[] = () => [],
): Promise<SourceFollower | undefined> {
  const { open, options, settings } = context
  const { pollMs } = options
  const { project, session } = await open()
  if (project.folder) return { refresh: () => undefined, stop: await followFolder(context) }
  settings.watching = true
  if (!project.hasSource) return undefined

  const { baseUrl } = project.options
  const warner = createWarner(settings.log)
  let responds = false
  let isStopped = false
  const refresh = (moduleId?: string): void => {
    session.refresh(moduleId, shownLanguages()).then(
      () => {
        if (isStopped) return
        if (!responds) settings.log.info(`Following the translations of ${baseUrl}`)
        responds = true
        warner.reset()
      },
      (error: unknown) => {
        if (isStopped) return
        responds = false
        const isOffline = error instanceof RequestError
        warner.warn(
          isOffline
            ? `${error.message}\nUsing the committed translations until it responds.`
            : error,
        )
      },
    )
  }
  refresh()
  const unsubscribe = subscribeToPlatform({
    ...project.options,
    onConnect: refresh,
    onEvent: refresh,
  })
  const timer = pollMs > 0 ? setInterval(refresh, pollMs).unref() : undefined
  return {
    refresh,
    stop() {
      isStopped = true
      clearInterval(timer)
      unsubscribe()
    },
  }
}
