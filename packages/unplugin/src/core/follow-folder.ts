import { sep } from 'node:path'
import type { ServicekitError } from '@servicekit/client'
import { watch } from 'chokidar'
import type { PluginContext } from './plugin-context.ts'
import { createWarner } from './session.ts'

/** Watcher of files: that of a development server, or one of its own. */
interface FileWatcher {
  readonly add: (path: string) => unknown
  readonly on: (event: 'all', listener: (event: string, path: string) => void) => unknown
  readonly off: (event: 'all', listener: (event: string, path: string) => void) => unknown
}

/** Time in milliseconds without a change after which the files are read, all in one update. */
const quietMs = 60

/**
 * Updates the messages when files of the folder change that is the source of truth. A checkout
 * changes many files and a save may replace one; both are one update. A file that is not valid is
 * reported, and its last valid texts stay.
 *
 * @returns a function that stops it, and resolves when nothing is written any more.
 */
export async function followFolder(
  { open, settings }: PluginContext,
  {
    watcher,
    onInvalid,
  }: {
    /** Watcher of a development server; by default one of its own. */
    readonly watcher?: FileWatcher
    /** Called after each update with the files that are not valid now. */
    readonly onInvalid?: (errors: readonly ServicekitError[]) => void
  } = {},
): Promise<() => Promise<void>> {
  const { project, session } = await open()
  settings.watching = true
  const { path: folder } = project.folder!
  const warner = createWarner(settings.log)
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isUpdateNeeded = false
  const update = async (): Promise<void> => {
    // An earlier update began after this one was asked for, and has read all files.
    if (!isUpdateNeeded) return
    isUpdateNeeded = false
    const errors: ServicekitError[] = []
    try {
      await session.reload((error) => errors.push(error))
      if (errors.length === 0) warner.reset()
      for (const error of errors) warner.warn(error)
      onInvalid?.(errors)
    } catch (error) {
      warner.warn(error)
    }
  }
  const run = (): void => {
    isUpdateNeeded = true
    running = running.then(update)
  }
  const notice = (_event: string, path: string): void => {
    if (path !== folder && !path.startsWith(folder + sep)) return
    clearTimeout(timer)
    timer = setTimeout(run, quietMs).unref()
  }
  // A build that nobody watches can end.
  const own = watcher ? undefined : watch(folder, { ignoreInitial: true, persistent: false })
  const used: FileWatcher = watcher ?? own!
  used.add(folder)
  used.on('all', notice)
  // Files may have changed before they were watched.
  if (own) own.on('ready', run)
  else run()
  return async () => {
    clearTimeout(timer)
    used.off('all', notice)
    await own?.close()
    await running
  }
}
