import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ChangedFile,
  formatProblem,
  inspect,
  type Model,
  type OnInvalidFile,
  type Project,
  type ProjectFolder,
  updateModel,
} from '@servicekit/catalog'
import { ServicekitError } from '@servicekit/client'
import { writeFolderStamp } from './folder-stamp.ts'
import { compareModels, type SessionChange } from './session-change.ts'

/** Logger of a session. */
export interface Log {
  readonly info: (message: string) => void
  readonly warn: (message: string) => void
}

/**
 * Creates a function that logs errors as warnings, and a repeated one only once, such as
 * while a service is unavailable. After `reset` the same error is logged again.
 */
export function createWarner(log: Log) {
  let last: string | undefined
  return {
    warn(error: unknown): void {
      const message = error instanceof Error ? error.message : String(error)
      if (message !== last) log.warn(message)
      last = message
    },
    reset: (): void => void (last = undefined),
  }
}

/** Translations of one build or development server. */
export interface Session {
  /**
   * Returns the current model.
   *
   * @throws TypeError before {@link Session.start}.
   */
  readonly model: () => Model
  /**
   * Reads the committed translations, or the folder that is the source of truth, and writes the
   * declarations. Pulls only if there are none yet, so that a build has the same result everywhere.
   */
  readonly start: (log: Log) => Promise<void>
  /**
   * Pulls again and reports the changes. Calls during a running pull share the next one.
   *
   * @param moduleId Id of the module that changed, if known. A project may have hundreds
   * of files and a rate limit.
   * @param languages Languages that pages show. Their edits are reported before the pull, which
   * reads and stores the files of all languages.
   */
  readonly refresh: (
    moduleId?: string,
    languages?: readonly string[],
  ) => Promise<SessionChange | undefined>
  /**
   * Reads the snapshot again if its lock file has changed, e.g. after `git pull`, or the files of a
   * folder that is the source of truth.
   *
   * @param onInvalid Called for each file of the folder that is not valid. Its last valid texts stay.
   */
  readonly reload: (onInvalid?: OnInvalidFile) => Promise<SessionChange | undefined>
  /**
   * Calls a function for each change of a refresh or reload. Frameworks start several servers
   * with one plugin: each is notified, whichever of them noticed the change.
   *
   * @returns a function that ends the subscription.
   */
  readonly subscribe: (listener: (change: SessionChange) => void) => () => void
}

export function createSession(project: Project): Session {
  const listeners = new Set<(change: SessionChange) => void>()
  let model: Model | undefined
  /** Lock file of the model, or the hash of the folder. */
  let lock: string | undefined
  /** `true` if subscribers know edits that are not stored yet. */
  let isAhead = false
  let pulling: Promise<unknown> = Promise.resolve()
  /** Number of pulls that have started. */
  let pulls = 0
  let isPulling = false
  /** Pull that has not started yet: what it refreshes. */
  let next:
    | {
        readonly wanted: Map<string | undefined, readonly string[]>
        readonly change: Promise<SessionChange | undefined>
      }
    | undefined

  const current = (): Model => {
    if (!model) throw new TypeError('Start the session before reading its model')
    return model
  }
  const replace = async (
    after: Model,
    lockText: string | undefined,
  ): Promise<SessionChange | undefined> => {
    lock = lockText
    const change = show(after)
    if (!change && !isAhead) return undefined
    await project.writeTypes(after)
    isAhead = false
    return change
  }
  /** Replaces the model and reports the changes. */
  const show = (after: Model): SessionChange | undefined => {
    const change = compareModels(current(), after)
    model = after
    if (change) for (const listener of listeners) listener(change)
    return change
  }
  /**
   * Shows the edits of one file before a pull. A pull reports errors, adds and removes keys, and
   * has newer translations than a request that was sent before it.
   */
  const preview = async (
    moduleId: string,
    language: string,
  ): Promise<SessionChange | undefined> => {
    if (isPulling) return undefined
    const before = pulls
    const file = await project.readFile({ moduleId, language }).catch(() => undefined)
    if (!file || pulls !== before || !hasSameKeys(current(), file)) return undefined
    const change = show(updateModel(current(), [file]))
    isAhead ||= change !== undefined
    return change
  }
  const previewAll = async (
    wanted: ReadonlyMap<string | undefined, readonly string[]>,
  ): Promise<SessionChange | undefined> => {
    const changes = await Promise.all(
      [...wanted].flatMap(([moduleId, languages]) =>
        moduleId === undefined ? [] : languages.map((language) => preview(moduleId, language)),
      ),
    )
    return changes.find((change) => change !== undefined)
  }
  const pull = async (moduleId: string | undefined): Promise<SessionChange | undefined> => {
    const report = await project.pull(moduleId === undefined ? {} : { moduleId })
    const { lockText } = report
    if (report.reshaped) return replace(await project.load(), lockText)
    const { modules } = current()
    const changed = report.changed.filter(({ module }) =>
      modules.some(({ name }) => name === module),
    )
    return changed.length > 0 ? replace(updateModel(current(), changed), lockText) : undefined
  }

  const readFolder = async (
    folder: ProjectFolder,
    onInvalid: OnInvalidFile,
  ): Promise<SessionChange | undefined> => {
    const read = await folder.read(onInvalid)
    if (read.hash === lock) return undefined
    const change = await replace(read.model, read.hash)
    await writeFolderStamp(project, read.hash)
    return change
  }

  return {
    model: current,
    async start(log) {
      if (project.folder) {
        const read = await project.folder.read()
        lock = read.hash
        model = read.model
        for (const problem of read.problems) log.warn(formatProblem(problem))
        await project.writeTypes(model)
        await writeFolderStamp(project, read.hash)
        report(model, log)
        return
      }
      if (project.hasSource && !existsSync(project.options.lockFile)) {
        const report = await project.pull()
        log.info(
          `${report.files} translation files of ${report.languages} languages, ${report.written} written`,
        )
        for (const problem of report.problems) log.warn(formatProblem(problem))
      }
      lock = await readLockFile(project)
      model = await project.load()
      await project.writeTypes(model)
      report(model, log)
    },
    refresh(moduleId, languages = []) {
      // The change may have happened after the running pull started. One more pull covers
      // all pending calls.
      if (next) {
        next.wanted.set(moduleId, languages)
        void previewAll(new Map([[moduleId, languages]]))
        return next.change
      }
      const wanted = new Map([[moduleId, languages]])
      const change = pulling
        .catch(() => undefined)
        .then(async () => {
          const shown = await previewAll(wanted)
          if (shown) await sleep(pauseMs)
          next = undefined
          isPulling = true
          pulls++
          const [only] = wanted.size === 1 ? wanted.keys() : []
          return (await pull(only).finally(() => (isPulling = false))) ?? shown
        })
      next = { wanted, change }
      pulling = change
      return change
    },
    async reload(onInvalid = () => undefined) {
      const { folder } = project
      if (folder) {
        const change = pulling.catch(() => undefined).then(() => readFolder(folder, onInvalid))
        pulling = change
        return change
      }
      // A pull writes the lock file before it ends.
      await pulling.catch(() => undefined)
      const lockText = await readLockFile(project)
      if (lockText !== undefined && lockText === lock) return undefined
      return replace(await loadWhole(project), lockText)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/**
 * Pause in milliseconds between an edit that pages show and its pull, which would delay their
 * requests. Further edits in this time need no pull of their own.
 */
const pauseMs = 250

const readLockFile = (project: Project): Promise<string | undefined> =>
  readFile(project.options.lockFile, 'utf8').catch(() => undefined)

/**
 * Pauses in milliseconds between attempts to read a snapshot that another program is
 * writing.
 */
const pausesMs = [50, 100, 200, 400, 800]

/** Loads the snapshot. Retries while a checkout may have written only part of its files. */
async function loadWhole(project: Project): Promise<Model> {
  for (const pauseMs of pausesMs) {
    try {
      return await project.load()
    } catch (error) {
      if (!(error instanceof ServicekitError) || !error.code.startsWith('SNAPSHOT_')) throw error
    }
    await sleep(pauseMs)
  }
  return project.load()
}

/** Returns whether a file has the keys that its module has in the model. */
function hasSameKeys({ catalog }: Model, { language, module, translations }: ChangedFile): boolean {
  const known = catalog.modules.find(({ name }) => name === module)?.translations.get(language)
  return (
    known?.size === translations.size && [...known.keys()].every((key) => translations.has(key))
  )
}

/**
 * Prints the problems in a few lines: fixable problems individually, missing translations
 * counted by language.
 */
function report(model: Model, log: Log): void {
  const missing = new Map<string, number>()
  for (const problem of inspect(model)) {
    if (problem.severity === 'info') {
      if (problem.code === 'MISSING_TRANSLATION') {
        missing.set(problem.language!, (missing.get(problem.language!) ?? 0) + 1)
      }
    } else log.warn(formatProblem(problem))
  }
  if (missing.size > 0) {
    const counts = [...missing].map(([language, count]) => `${language} ${count}`)
    log.info(`missing translations: ${counts.join(', ')}`)
  }
}
