import { openProject, type Project } from '@servicekit/catalog'
import { loadConfig } from '@servicekit/catalog/config'
import { ConfigError } from '@servicekit/client'
import type { ResolvedUilmOptions } from '../options.ts'
import { projectRootOf } from './project-root.ts'
import { createSession, type Log, type Session } from './session.ts'
import { createUnknownKeys, type UnknownKeys } from './unknown-keys.ts'

/** What the hooks of any bundler work with. */
export interface Workshop {
  /** What the bundler has said of itself so far; its hooks write it before they ask for a session. */
  readonly settings: {
    root: string | undefined
    /** Modules are served whole and can be replaced while the page runs. */
    dev: boolean
    /** Whether a failed pull may be made up for by the snapshot. */
    offline: boolean
    log: Log & { readonly error: (message: string) => void }
  }
  /** Keys that served files import and that do not exist. */
  readonly unknownKeys: UnknownKeys
  readonly options: ResolvedUilmOptions
  /** The project and its session, started once. */
  readonly open: () => Promise<Opened>
}

interface Opened {
  readonly project: Project
  readonly session: Session
  /** The `servicekit.config.*` that was read; undefined where there is none. */
  readonly configFile: string | undefined
}

/** Opens the project of a bundler's run when it is first asked for, and only once. */
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
