import type { Database } from './database/database.ts'
import type { EventHub } from './control/event-hub.ts'
import type { Listeners } from './control/listeners.ts'
import type { Definitions } from './data/definitions.ts'
import type { Gateway } from './data/gateway.ts'
import type { Identity } from './identity/identity.ts'
import type { Localization } from './localization/localization.ts'
import type { ResolvedOptions } from './options.ts'
import type { ProjectDirectory } from './projects/project-directory.ts'
import type { ProjectSource } from './projects/project-source.ts'
import type { Queue } from './queue/queue.ts'
import type { Storage } from './storage/storage.ts'
import type { Suggest } from './suggestions/suggest.ts'

/** What handlers work with, once the database is open. */
export interface Services {
  readonly options: ResolvedOptions
  readonly database: Database
  readonly projects: ProjectDirectory
  readonly localization: Localization
  /** What is remembered of data schemas. */
  readonly definitions: Definitions
  /** Loaded with the first use: GraphQL is a tenth of the start. */
  readonly gateway: () => Promise<Gateway>
  /** Loaded with the first use. */
  readonly identity: () => Promise<Identity>
  /** Loaded with the first use. */
  readonly storage: () => Promise<Storage>
  /** Suggests translations; loaded with the first use. */
  readonly suggest: () => Promise<Suggest>
  /** What tokens of tools are encrypted with; undefined where there is nothing. */
  readonly secret: () => Promise<string | undefined>
  readonly events: EventHub
  /** Tells other instances that there are other fault rules. */
  readonly tellFaults: () => Promise<void>
  /** Ends telling other instances of events. */
  readonly stopSharing: () => Promise<void>
  readonly listeners: Listeners
  /** What projects were loaded from since the start, by key: what a reset makes of them. */
  readonly sources: Map<string, string | ProjectSource>
  readonly queue: Queue
}
