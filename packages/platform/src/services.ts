import type { Database } from './database/database.ts'
import type { Events } from './control/events.ts'
import type { Listeners } from './control/listeners.ts'
import type { Gateway } from './data/gateway.ts'
import type { Identity } from './identity/identity.ts'
import type { Localization } from './localization/localization.ts'
import type { ResolvedOptions } from './options.ts'
import type { ProjectDirectory } from './projects/project-directory.ts'
import type { ProjectSource } from './projects/project-source.ts'
import type { Queue } from './queue/queue.ts'
import type { Storage } from './storage/storage.ts'
import type { Suggest } from './suggestions/suggest.ts'

/** Services for handlers, available once the database is open. */
export interface Services {
  readonly options: ResolvedOptions
  readonly database: Database
  readonly projects: ProjectDirectory
  readonly localization: Localization
  /** Loaded on first use, because GraphQL would take a tenth of the startup time. */
  readonly gateway: () => Promise<Gateway>
  /** Loaded on first use. */
  readonly identity: () => Promise<Identity>
  /** Loaded on first use. */
  readonly storage: () => Promise<Storage>
  /** Suggests translations; loaded on first use. */
  readonly suggest: () => Promise<Suggest>
  /** Returns the secret for encrypting tokens of tools; undefined if there is none. */
  readonly secret: () => Promise<string | undefined>
  readonly events: Events
  readonly listeners: Listeners
  /** Sources of projects loaded since startup, by key; used by a reset. */
  readonly sources: Map<string, string | ProjectSource>
  readonly queue: Queue
}
