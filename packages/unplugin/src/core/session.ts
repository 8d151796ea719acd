import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ChangedFile,
  formatProblem,
  inspect,
  type Model,
  type Project,
  type PullReport,
  updateModel,
  writeFiles,
} from '@servicekit/catalog'
import { RequestError, ServicekitError } from '@servicekit/client'
import { adapterTypes } from './adapter-code.ts'

/** Logger of a session. */
export interface Log {
  readonly info: (message: string) => void
  readonly warn: (message: string) => void
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
   * Pulls the translations unless the build is frozen, and writes the declarations.
   *
   * @param options `offline`: falls back to the snapshot if the source is unreachable.
   */
  readonly start: (log: Log, options?: { readonly offline?: boolean }) => Promise<void>
  /**
   * Pulls again and reports the changes. Calls during a running pull share the next one.
   *
   * @param moduleId Id of the module that changed, if known. A project may have hundreds
   * of files and a rate limit.
   */
  readonly refresh: (moduleId?: string) => Promise<SessionChange | undefined>
  /** Reads the snapshot again, e.g. after `git pull`. */
  readonly reload: () => Promise<SessionChange | undefined>
}

/** Changes of a session. */
export interface SessionChange {
  /** Modules with changed translations in any language. */
  readonly texts: ReadonlySet<string>
  /** Modules with exports that were added, removed or have other parameters. */
  readonly keys: ReadonlySet<string>
  /** Modules with removed exports. Existing calls of them show nothing. */
  readonly gone: ReadonlySet<string>
  /**
   * `true` if languages or modules were added or removed, so that the page must be
   * reloaded.
   */
  readonly reshaped: boolean
}

export function createSession(project: Project): Session {
  let model: Model | undefined
  let running: Promise<SessionChange | undefined> | undefined
  let queued: Promise<SessionChange | undefined> | undefined

  const writeTypes = async (model: Model): Promise<void> => {
    await project.writeTypes(model)
    const folder = join(project.options.outDir, 'uilm')
    await writeFiles(
      Object.entries(adapterTypes).map(([name, text]) => ({ path: join(folder, name), text })),
    )
  }
  const current = (): Model => {
    if (!model) throw new TypeError('The translations are not loaded yet')
    return model
  }
  const replace = async (next: Model, reshaped: boolean): Promise<SessionChange | undefined> => {
    const before = current()
    model = next
    const change = compare(before, next, reshaped)
    if (change) await writeTypes(next)
    return change
  }
  let wanted: string | undefined
  const pullOnce = async (moduleId: string | undefined): Promise<SessionChange | undefined> => {
    const report: PullReport = await project.pull(moduleId === undefined ? {} : { moduleId })
    if (report.reshaped) return replace(await project.load(), true)
    return report.changed.length === 0
      ? undefined
      : replace(updateModel(current(), ownModules(report.changed, current())), false)
  }

  return {
    model: current,
    async start(log, { offline = false } = {}) {
      if (!(await project.frozen()) && project.hasSource) {
        try {
          const report = await project.pull()
          log.info(
            `${report.files} translation files of ${report.languages} languages, ${report.written} written`,
          )
          for (const problem of report.problems) log.warn(formatProblem(problem))
        } catch (error) {
          if (!(error instanceof RequestError) || !existsSync(project.options.lockFile)) throw error
          if (!offline) throw withWayOut(error)
          log.warn(`${error.message}\nThe committed texts are shown until then.`)
        }
      }
      model = await project.load()
      await writeTypes(model)
      report(model, log)
    },
    refresh(moduleId) {
      if (!running) {
        running = pullOnce(moduleId).finally(() => (running = undefined))
        return running
      }
      // The change may have happened after the running pull started. One more pull covers
      // all pending calls.
      wanted = queued && wanted !== moduleId ? undefined : moduleId
      queued ??= running
        .catch(() => undefined)
        .then(() => {
          queued = undefined
          running = pullOnce(wanted).finally(() => (running = undefined))
          return running
        })
      return queued
    },
    async reload() {
      const next = await loadWhole(project)
      return replace(next, shape(next) !== shape(current()))
    },
  }
}

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
    await new Promise((done) => setTimeout(done, pauseMs))
  }
  return project.load()
}

const withWayOut = (cause: RequestError): ServicekitError =>
  new ServicekitError('The translations could not be brought up to date', {
    code: cause.code,
    details: { ...cause.details, reason: cause.message.split('\n')[0] },
    help: `${cause.help ?? ''}\nTo build from the committed texts, set the option frozen: true.`.trim(),
    cause,
  })

const ownModules = (changed: readonly ChangedFile[], model: Model): readonly ChangedFile[] =>
  changed.filter(({ module }) => model.modules.some(({ name }) => name === module))

const shape = ({ catalog }: Model): string =>
  JSON.stringify([catalog.languages, catalog.modules.map(({ name }) => name)])

function compare(before: Model, after: Model, reshaped: boolean): SessionChange | undefined {
  const texts = new Set<string>()
  const keys = new Set<string>()
  const gone = new Set<string>()
  for (const module of after.modules) {
    const old = before.modules.find(({ name }) => name === module.name)
    if (old === module) continue
    if (!old || signature(old) !== signature(module)) keys.add(module.name)
    if (old && !includesAll(module, old)) gone.add(module.name)
    if (
      !old ||
      [...module.source.translations].some(
        ([code, now]) => !same(old.source.translations.get(code), now),
      )
    ) {
      texts.add(module.name)
    }
  }
  return reshaped || texts.size > 0 || keys.size > 0 ? { texts, keys, gone, reshaped } : undefined
}

const includesAll = (after: Model['modules'][number], before: Model['modules'][number]) => {
  const names = new Set(after.messages.map(({ name }) => name))
  return before.messages.every(({ name }) => names.has(name))
}

const signature = (module: Model['modules'][number]): string =>
  JSON.stringify(module.messages.map(({ name, params, plural }) => [name, params, plural]))

function same(
  before: ReadonlyMap<string, string | null> | undefined,
  after: ReadonlyMap<string, string | null>,
): boolean {
  if (before === after) return true
  if (before?.size !== after.size) return false
  for (const [key, text] of after) if (before.get(key) !== text) return false
  return true
}

/**
 * Prints the problems in a few lines: fixable problems individually, missing translations
 * counted by language.
 */
function report(model: Model, log: Log): void {
  const gaps = new Map<string, number>()
  for (const problem of inspect(model)) {
    if (problem.severity === 'info') {
      if (problem.code === 'MISSING_TRANSLATION') {
        gaps.set(problem.language!, (gaps.get(problem.language!) ?? 0) + 1)
      }
    } else log.warn(formatProblem(problem))
  }
  if (gaps.size > 0) {
    const counts = [...gaps].map(([language, count]) => `${language} ${count}`)
    log.info(`texts not translated: ${counts.join(', ')}`)
  }
}
