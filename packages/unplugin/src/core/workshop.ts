import { openProject, type Project } from '@servicekit/catalog'
import { loadConfig } from '@servicekit/catalog/config'
import { ConfigError } from '@servicekit/client'
import type { ResolvedUilmOptions } from '../options.ts'
import { projectRootOf } from './project-root.ts'
import { createSession, type Log, type Session } from './session.ts'
import { createUnknownKeys, type UnknownKeys } from './unknown-keys.ts'

/** Shared state of the hooks of a bundler. */
export interface Workshop {
  /** Settings of the bundler. Hooks set them before they open the project. */
  readonly settings: {
    root: string | undefined
    /** `true` if modules are served whole and can be replaced while the page runs. */
    dev: boolean
    /** `true` if the snapshot is used when a pull fails. */
    offline: boolean
    log: Log & { readonly error: (message: string) => void }
  }
  /** Unknown keys imported by served files. */
  readonly unknownKeys: UnknownKeys
  readonly options: ResolvedUilmOptions
  /** Opens the project and starts its session, once. */
  readonly open: () => Promise<Opened>
}

interface Opened {
  readonly project: Project
  readonly session: Session
  /** Path of the `servicekit.config.*`; undefined if there is none. */
  readonly configFile: string | undefined
}

/**
 * Creates the shared state of a bundler run. The project is opened on first use, and only
 * once.
 */
export function createWorkshop(options: ResolvedUilmOptions): Workshop {
  const settings: Workshop['settings'] = {
    root: options.catalog.root,
    dev: false,
    offline: false,
    log: { info: console.log, warn: console.warn, error: console.error },
  }
  let opened: Promise<Opened> | undefined
  const open = async (): Promise<Opened> => {
    const root = options.catalog.root ?? projectRootOf(settings.root ?? '.')
    const config = await loadConfig(root)
    const project = openProject({ ...config.localization, ...options.catalog, root })
    const session = createSession(project)
    await session.start(settings.log, { offline: settings.offline })
    checkInline(options.inline, session)
    return { project, session, configFile: config.file }
  }
  return { settings, options, unknownKeys: createUnknownKeys(), open: () => (opened ??= open()) }
}

function checkInline(inline: string | undefined, session: Session): void {
  const { languages } = session.model().catalog
  if (inline === undefined || languages.some(({ code }) => code === inline)) return
  throw new ConfigError(`The option inline names no language of the project: "${inline}"`, {
    help: `There are ${languages.map(({ code }) => code).join(', ')}.`,
  })
}
