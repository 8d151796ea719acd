import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openProject, pathWarnings, type Project } from '@servicekit/catalog'
import { loadConfig } from '@servicekit/catalog/config'
import { ConfigError } from '@servicekit/client'
import { readServiceVariables } from '@servicekit/client/environment'
import { reasonOf } from '@servicekit/core'
import type { ResolvedUilmOptions } from '../options.ts'
import type { ModuleUses } from '../source/module-uses.ts'
import { type ConfigChanges, createConfigChanges } from './config-changes.ts'
import { folderStamp } from './folder-stamp.ts'
import { createSession, createWarner, type Log, type Session } from './session.ts'
import type { UnknownKeyError } from './unknown-key.ts'
import { addExplainLine } from './add-explain-line.ts'

/** State that the hooks of a bundler share. */
export interface PluginContext {
  /** Settings of the bundler. Hooks set them before they open the project. */
  readonly settings: {
    root: string | undefined
    /** `true` if modules are served whole and can be replaced while the page runs. */
    dev: boolean
    /** `true` if a server reads the language that a visitor selects. */
    cookie: boolean
    /** `true` if pages may create unknown keys. */
    canAddKeys: boolean
    /** `true` once the bundler watches for changes. */
    watching: boolean
    log: Log & { readonly error: (message: string) => void }
  }
  readonly options: ResolvedUilmOptions
  /** Errors of unknown keys in the files of a development server, by file. */
  readonly unknownKeys: Map<string, readonly UnknownKeyError[]>
  /** Uses of key modules in files that the plugin parsed, so that each version is parsed once. */
  readonly parsedFiles: Map<string, ParsedFile>
  /** Token that pages send to create keys, which other pages do not know. */
  readonly keyToken: string
  /** Opens the project and starts its session, once. */
  readonly open: () => Promise<OpenedProject>
  /** Makes the next call of `open` read the config file again. */
  readonly reset: () => void
  /**
   * Reloads the snapshot if its lock file has changed since the last call, and warns about
   * a changed config file. Bundlers call it before each build in watch mode.
   */
  readonly reloadIfChanged: () => Promise<void>
  /**
   * Returns the files outside of the bundler's module graph that it watches: the lock file, or the
   * file that changes with a folder, and config files.
   */
  readonly watchFiles: () => Promise<readonly string[]>
}

/** File that the plugin parsed; the uses are undefined if it could not. */
interface ParsedFile {
  readonly source: string
  readonly uses: ModuleUses | undefined
}

interface OpenedProject {
  readonly project: Project
  readonly session: Session
  readonly config: ConfigChanges
}

/** Creates the shared state of a bundler run. The project is opened on first use. */
export function createPluginContext(options: ResolvedUilmOptions): PluginContext {
  const settings: PluginContext['settings'] = {
    root: options.catalog.root,
    dev: false,
    cookie: options.cookie ?? false,
    canAddKeys: false,
    watching: false,
    log: { info: console.log, warn: console.warn, error: console.error },
  }
  const openProjectOf = async (): Promise<OpenedProject> => {
    const given = options.catalog.root
    const config = await loadConfig(given ?? settings.root, { upwards: given === undefined })
    const { root } = config
    // Each developer may use another platform, whichever file names one.
    const variables = readServiceVariables(process.env)
    const project = openProject(
      { ...config.localization, ...options.catalog, ...variables, root },
      { config },
    )
    const session = createSession(project)
    await session.start(settings.log)
    for (const folder of new Set([root, resolve(settings.root ?? root)])) {
      for (const warning of await pathWarnings(folder)) settings.log.warn(warning)
    }
    checkInline(options.inline, session)
    return { project, session, config: createConfigChanges(config) }
  }
  let opened: Promise<OpenedProject> | undefined
  let loadedMs: number | undefined
  const open = (): Promise<OpenedProject> =>
    (opened ??= openProjectOf().catch((error: unknown) => {
      throw addExplainLine(error)
    }))
  return {
    settings,
    options,
    unknownKeys: new Map(),
    parsedFiles: new Map(),
    keyToken: randomUUID(),
    open,
    reset: () => void (opened = undefined),
    async reloadIfChanged() {
      const { project, session, config } = await open()
      const lock = await stat(watchedFile(project)).catch(() => undefined)
      const isFirst = loadedMs === undefined
      if (!isFirst && project.folder) {
        const { warn } = createWarner(settings.log)
        await session.reload(warn).catch(warn)
      } else if (!isFirst && lock?.mtimeMs !== loadedMs) await session.reload()
      loadedMs = lock?.mtimeMs
      if (!settings.watching) return
      const change = await config.read().catch(reasonOf)
      if (change !== undefined) settings.log.warn(`${change}. Restart the build to apply it.`)
    },
    async watchFiles() {
      const { project, config } = await open()
      const { file } = config
      const files = settings.watching ? await config.files() : file === undefined ? [] : [file]
      return [watchedFile(project), ...files]
    },
  }
}

/** Returns the file that changes with the translations. */
const watchedFile = (project: Project): string =>
  project.folder ? folderStamp(project) : project.options.lockFile

function checkInline(inline: string | undefined, session: Session): void {
  const { languages } = session.model().catalog
  if (inline === undefined || languages.some(({ code }) => code === inline)) return
  throw new ConfigError(`Unknown language "${inline}" in the option inline`, {
    help: `Languages of the project: ${languages.map(({ code }) => code).join(', ')}.`,
  })
}
