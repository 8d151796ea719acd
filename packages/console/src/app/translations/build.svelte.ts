import { readManifest, type ReadManifest } from './read-manifest.ts'
import { readReport, type UnusedMessages } from './read-report.ts'

/** Files that list the messages which the application uses. */
export interface Build {
  /** Messages of the build; undefined without a manifest. */
  readonly messages: ReadManifest['messages'] | undefined
  /** Options that the messages were compiled with; undefined without a manifest. */
  readonly options: ReadManifest['options'] | undefined
  /** Messages that no code uses; undefined without a report of `servicekit check`. */
  readonly unused: UnusedMessages | undefined
  /** Opens a manifest or a report. Returns whether it is one. */
  readonly open: (file: Blob) => Promise<boolean>
  readonly remove: () => void
}

/** Opens the file of an input. Returns its name if it is neither a manifest nor a report. */
export async function openSelected(
  build: Build,
  input: HTMLInputElement,
): Promise<string | undefined> {
  const file = input.files?.[0]
  // The same file can be chosen again after it has changed.
  input.value = ''
  return !file || (await build.open(file)) ? undefined : file.name
}

/** Creates the build of a project. Its files are kept in this browser. */
export function createBuild(project: string): Build {
  let manifest = $state.raw<ReadManifest>()
  let unused = $state.raw<UnusedMessages>()
  const reportKey = `${project}\ncheck`
  const read = (text: unknown): 'manifest' | 'report' | undefined => {
    if (typeof text !== 'string') return undefined
    const found = readManifest(text)
    const report = found ? undefined : readReport(text)
    if (found) manifest = found
    if (report) unused = report
    return found ? 'manifest' : report && 'report'
  }
  // A browser may refuse storage. The files are then lost with the page.
  const ignore = (): undefined => undefined
  for (const key of [project, reportKey]) {
    void onFiles('readonly', (store) => store.get(key))
      .then((text) => {
        if (key === project ? !manifest : !unused) read(text)
      })
      .catch(ignore)
  }
  return {
    get messages() {
      return manifest?.messages
    },
    get options() {
      return manifest?.options
    },
    get unused() {
      return unused
    },
    async open(file) {
      const text = await file.text()
      const kind = read(text)
      const key = kind === 'report' ? reportKey : project
      if (kind) await onFiles('readwrite', (store) => store.put(text, key)).catch(ignore)
      return kind !== undefined
    },
    remove() {
      manifest = unused = undefined
      for (const key of [project, reportKey]) {
        void onFiles('readwrite', (store) => store.delete(key)).catch(ignore)
      }
    },
  }
}

/** Runs a request on the stored files. */
async function onFiles(
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const opening = indexedDB.open('servicekit-console', 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('manifests'))
  const database = await resultOf(opening)
  try {
    return await resultOf(request(database.transaction('manifests', mode).objectStore('manifests')))
  } finally {
    database.close()
  }
}

const resultOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error!))
  })
