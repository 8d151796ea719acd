import { onceResolved } from '@servicekit/core'
import { createEvents } from './webhooks/events.ts'
import { createClockSkew } from './database/clock-skew.ts'
import type { Database } from './database/database.ts'
import { mailDelivery } from './identity/deliver-mail.ts'
import { createIdentity } from './identity/identity.ts'
import { createFileTags } from './localization/file-tags.ts'
import { autoTranslation } from './localization/translation-jobs.ts'
import type { ResolvedOptions } from './options.ts'
import { projectExporter } from './projects/export-project.ts'
import { createProjectDirectory } from './database/project-directory.ts'
import type { ProjectSource } from './project-source.ts'
import { type Queue, queueOf } from './queue/queue.ts'
import { uploadSettling } from './storage/settle-uploads.ts'
import { storageOf } from './storage/storage.ts'
import { suggestFrom } from './suggestions/suggest.ts'
import { tokenSecret } from './tools/token-secret.ts'
import { webhookDelivery } from './webhooks/deliver.ts'

/** Services for handlers, available once the database is open. */
export type Services = ReturnType<typeof createServices>

export function createServices(options: ResolvedOptions, database: Database) {
  const projects = createProjectDirectory(database, options.now)
  const identity = createIdentity(database, options)
  const events = createEvents(database)
  const queue: Queue = queueOf(database, options, {
    webhook: () => webhookDelivery(services),
    translate: () => autoTranslation(services),
    mail: () => mailDelivery(services),
    upload: () => uploadSettling(services),
  })
  const secret = onceResolved(() => tokenSecret(options))
  const services = {
    options,
    database,
    clockSkew: createClockSkew(database, options),
    projects,
    /** Loaded on first use, because GraphQL would take a tenth of the startup time. */
    gateway: onceResolved(async () => {
      const { gatewayOf } = await import('./data/gateway.ts')
      return gatewayOf(database, options)
    }),
    identity,
    storage: storageOf(options, projects, identity),
    suggest: suggestFrom(database, options),
    /** Returns the secret for encrypting tokens of tools; undefined if there is none. */
    secret,
    exportProject: projectExporter(database, secret),
    events,
    /** Sources of projects loaded since startup, by key; used by a reset. */
    sources: new Map<string, string | ProjectSource>(),
    queue,
    fileTags: createFileTags(),
  }
  return services
}
