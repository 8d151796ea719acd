import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ChangedFile,
  formatProblem,
  type Model,
  type Project,
  updateModel,
} from '@servicekit/catalog'
import { ServicekitError } from '@servicekit/client'
import type { SessionChange } from './session-change.ts'
import { createSessionState } from './session-state.ts'
import type { Session } from './session.ts'

/** Creates the session of a project whose translations come from a service, by its snapshot. */
export function createSnapshotSession(project: Project): Session {
  const { model, subscribe, begin, show } = createSessionState()
  /** Lock file of the model. */
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
    if (!file || pulls !== before || !hasSameKeys(model(), file)) return undefined
    const change = show(updateModel(model(), [file]))
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
    const { modules } = model()
    const changed = report.changed.filter(({ module }) =>
      modules.some(({ name }) => name === module),
    )
    return changed.length > 0 ? replace(updateModel(model(), changed), lockText) : undefined
  }

  return {
    model,
    subscribe,
    async start(log) {
      if (project.hasSource && !existsSync(project.options.lockFile)) {
        const report = await project.pull()
        log.info(
          `${report.files} translation files of ${report.languages} languages, ${report.written} written`,
        )
        for (const problem of report.problems) log.warn(formatProblem(problem))
      }
      lock = await readLockFile(project)
      const first = await project.load()
      await project.writeTypes(first)
      begin(first, log)
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
    async reload() {
      // A pull writes the lock file before it ends.
      await pulling.catch(() => undefined)
      const lockText = await readLockFile(project)
      if (lockText !== undefined && lockText === lock) return undefined
      return replace(await loadWhole(project), lockText)
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
