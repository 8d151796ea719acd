import { formatProblem, type Project, type ProjectFolder } from '@servicekit/catalog'
import { writeFolderStamp } from './folder-stamp.ts'
import type { SessionChange } from './session-change.ts'
import { createSessionState } from './session-state.ts'
import type { Session } from './session.ts'

/** Creates the session of a project whose translations are the files of a folder. */
export function createFolderSession(project: Project, folder: ProjectFolder): Session {
  const { model, subscribe, begin, show } = createSessionState()
  /** Hash of the files of the model. */
  let hash: string | undefined
  let reading: Promise<unknown> = Promise.resolve()

  const reload: Session['reload'] = (onInvalid = () => undefined) => {
    const read = async (): Promise<SessionChange | undefined> => {
      const read = await folder.read(onInvalid)
      if (read.hash === hash) return undefined
      hash = read.hash
      const change = show(read.model)
      if (change) await project.writeTypes(read.model)
      await writeFolderStamp(project, read.hash)
      return change
    }
    const change = reading.catch(() => undefined).then(read)
    reading = change
    return change
  }

  return {
    model,
    subscribe,
    async start(log) {
      const read = await folder.read()
      hash = read.hash
      for (const problem of read.problems) log.warn(formatProblem(problem))
      await project.writeTypes(read.model)
      await writeFolderStamp(project, read.hash)
      begin(read.model, log)
    },
    refresh: () => reload(),
    reload,
  }
}
