import type { Core } from '@servicekit/client/core'
import { getDownloadUrl, upload, type UploadState } from '@servicekit/client/storage'
import { toApiError } from '../state/api-error.ts'
import type { Unsaved } from '../state/unsaved.svelte.ts'

/** Upload of one file. */
export interface FileUpload {
  readonly id: number
  readonly name: string
  readonly totalBytes: number
  readonly sentBytes: number
  readonly status: 'running' | 'paused' | 'failed' | 'done'
  /** Reason of the failure. */
  readonly reason: string
}

interface Entry {
  readonly file: File
  readonly accessModifier: string
  state: UploadState | undefined
  controller: AbortController
}

interface UploadsOptions {
  readonly unsaved: Unsaved
  /** Key of the project that the files are uploaded to. */
  readonly project: string | null
  readonly ondone: () => unknown
}

/** Creates the list of uploads, which leaving its page ends. Call it while a component is initialised. */
export function createUploads(core: Core, { unsaved, project, ondone }: UploadsOptions) {
  let list = $state.raw<readonly FileUpload[]>([])
  const entries = new Map<number, Entry>()
  let count = 0

  const update = (id: number, values: Partial<FileUpload>): void => {
    list = list.map((one) => (one.id === id ? { ...one, ...values } : one))
  }

  /** Sends the file, or the parts of it that the storage lacks. */
  const send = async (id: number): Promise<void> => {
    const entry = entries.get(id)!
    entry.controller = new AbortController()
    const { signal } = entry.controller
    update(id, { status: 'running', reason: '' })
    try {
      const { fileId } = await upload(core, entry.file, {
        accessModifier: entry.accessModifier,
        signal,
        ...(entry.state && { resume: entry.state }),
        onState: (state) => (entry.state = state),
        onProgress: ({ sentBytes }) => update(id, { sentBytes }),
      })
      // Makes the platform look for the bytes now; without it, lists show the file a little later.
      await getDownloadUrl(core, { fileId }, { signal }).catch(() => undefined)
      update(id, { status: 'done', sentBytes: entry.file.size })
      await ondone()
    } catch (error) {
      if (signal.aborted) update(id, { status: 'paused' })
      else update(id, { status: 'failed', reason: toApiError(error).message })
    }
  }
  const abort = (): void => {
    for (const { controller } of entries.values()) controller.abort()
  }
  $effect(() => {
    const remove = unsaved.add({
      get isChanged() {
        return list.some(({ status }) => status === 'running' || status === 'paused')
      },
      discard: abort,
      isKeptBy: ({ pathname, searchParams }) =>
        /^\/console\/files(?:\/|$)/.test(pathname) && searchParams.get('project') === project,
    })
    return () => {
      remove()
      abort()
    }
  })
  return {
    get list() {
      return list
    },
    add: (files: Iterable<File>, accessModifier: string) => {
      for (const file of files) {
        const id = ++count
        entries.set(id, {
          file,
          accessModifier,
          state: undefined,
          controller: new AbortController(),
        })
        const { name, size: totalBytes } = file
        list = [...list, { id, name, totalBytes, sentBytes: 0, status: 'running', reason: '' }]
        void send(id)
      }
    },
    pause: (id: number) => entries.get(id)?.controller.abort(),
    resume: (id: number) => void send(id),
    remove: (id: number) => {
      entries.get(id)?.controller.abort()
      entries.delete(id)
      list = list.filter((one) => one.id !== id)
    },
  }
}

export type Uploads = ReturnType<typeof createUploads>
