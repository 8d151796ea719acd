import { watch } from 'chokidar'

/** Debounce time in ms: editors write in several steps. */
const debounceMs = 40

/** Reloads after changes in a folder, one at a time; `onError` receives failures. */
export async function watchFolder(
  folder: string,
  reload: () => Promise<unknown>,
  onError: (error: Error) => void,
) {
  const watcher = watch(folder, {
    ignoreInitial: true,
    ignored: (path, stats) => stats?.isFile() === true && !path.endsWith('.json'),
  })
  let timer: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  watcher.on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      last = last.then(reload).catch(onError)
    }, debounceMs)
  })
  watcher.on('error', (error) => onError(error as Error))
  await new Promise<void>((resolve) => {
    watcher.once('ready', resolve)
  })
  return {
    close: async () => {
      clearTimeout(timer)
      await watcher.close()
      await last
    },
  }
}
