import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openProject, pathWarnings, type Project } from '@servicekit/catalog'
import { loadConfig } from '@servicekit/catalog/config'
import { ConfigError } from '@servicekit/client'
import { once } from '@servicekit/core'
import type { ResolvedUilmOptions } from '../options.ts'
import { projectRootOf } from './project-root.ts'
import { createSession, type Log, type Session } from './session.ts'
import type { UnknownKeyError } from './unknown-key.ts'

/** State that the hooks of a bundler share. */
export interface PluginContext {
  /** Settings of the bundler. Hooks set them before they open the project. */
  readonly settings: {
    root: string | undefined
    /** `true` if modules are served whole and can be replaced while the page runs. */
    dev: boolean
    /** `true` if the snapshot is used when a pull fails. */
    offline: boolean
    /** `true` if a server reads the language that a visitor selects. */
    cookie: boolean
    log: Log & { readonly error: (message: string) => void }
  }
  readonly options: ResolvedUilmOptions
  /** Errors of unknown keys in the files of a development server, by file. */
  readonly unknownKeys: Map<string, readonly UnknownKeyError[]>
  /** Opens the project and starts its session, once. */
  readonly open: () => Promise<OpenedProject>
  /**
   * Reloads the snapshot if its lock file has changed since the last call. Bundlers call
   * it before each build in watch mode.
   */
  readonly reloadIfChanged: () => Promise<void>
}

interface OpenedProject {
  readonly project: Project
  readonly session: Session
  /** Path of the `servicekit.config.*`; undefined if there is none. */
  readonly configFile: string | undefined
}

/** Creates the shared state of a bundler run. The project is opened on first use. */
export function createPluginContext(options: ResolvedUilmOptions): PluginContext {
  const settings: PluginContext['settings'] = {
    root: options.catalog.root,
    dev: false,
    offline: false,
    cookie: options.cookie ?? false,
    log: { info: console.log, warn: console.warn, error: console.error },
  }
  const open = once(async (): Promise<OpenedProject> => {
    const root = options.catalog.root ?? projectRootOf(settings.root ?? '.')
    const config = await loadConfig(root)
    const project = openProject({ ...config.localization, ...options.catalog, root })
    const session = createSession(project)
    await session.start(settings.log, { offline: settings.offline })
    for (const folder of new Set([root, settings.root ?? root].map((one) => resolve(one)))) {
      for (const warning of await pathWarnings(folder)) settings.log.warn(warning)
    }
    checkInline(options.inline, session)
    return { project, session, configFile: config.file }
  })
  let loadedMs: number | undefined
  const reloadIfChanged = async (): Promise<void> => {
    const { project, session } = await open()
    const lock = await stat(project.options.lockFile).catch(() => undefined)
    if (loadedMs !== undefined && lock?.mtimeMs !== loadedMs) await session.reload()
    loadedMs = lock?.mtimeMs
  }
  return { settings, options, unknownKeys: new Map(), open, reloadIfChanged }
}

function checkInline(inline: string | undefined, session: Session): void {
  const { languages } = session.model().catalog
  if (inline === undefined || languages.some(({ code }) => code === inline)) return
  throw new ConfigError(`Unknown language "${inline}" in the option inline`, {
    help: `Languages of the project: ${languages.map(({ code }) => code).join(', ')}.`,
  })
}
