import { type BuiltMessages, readManifest } from './read-manifest.ts'

/** Build of the application whose manifest was opened. */
export interface Build {
  /** Messages of the build; undefined without a manifest. */
  readonly messages: BuiltMessages | undefined
  /** Opens a manifest. Returns whether it is one. */
  readonly open: (file: Blob) => Promise<boolean>
  readonly remove: () => void
}

/** Creates the build of a project. Its manifest is kept in this browser. */
export function createBuild(project: string): Build {
  let messages = $state.raw<BuiltMessages>()
  // A browser may refuse storage. The manifest is then lost with the page.
  const ignore = (): undefined => undefined
  void onManifests('readonly', (store) => store.get(project))
    .then((text) => {
      if (typeof text === 'string') messages ??= readManifest(text)
    })
    .catch(ignore)
  return {
    get messages() {
      return messages
    },
    async open(file) {
      const text = await file.text()
      const read = readManifest(text)
      if (!read) return false
      messages = read
      await onManifests('readwrite', (store) => store.put(text, project)).catch(ignore)
      return true
    },
    remove() {
      messages = undefined
      void onManifests('readwrite', (store) => store.delete(project)).catch(ignore)
    },
  }
}

/** Runs a request on the stored manifests. */
async function onManifests(
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
