import { attempts } from './0408-attempts.ts'
import { heartbeats } from './0409-heartbeats.ts'
import { rateLimits } from './0410-rate-limits.ts'
import { data } from './0003-data.ts'
import { epochs } from './0401-epochs.ts'
import { clientRoles } from './0406-client-roles.ts'
import { dropEpochs } from './0405-drop-epochs.ts'
import { sealedTokens } from './0402-sealed-tokens.ts'
import { sharedState } from './0403-shared-state.ts'
import { renewedTokens } from './0404-renewed-tokens.ts'
import { projectOrigins } from './0407-project-origins.ts'
import { identity } from './0101-identity.ts'
import { localization } from './0002-localization.ts'
import type { Migration } from './migration.ts'
import { projects } from './0001-projects.ts'
import { sharedProject } from './0004-shared-project.ts'
import { tools } from './0304-tools.ts'
import { storage } from './0201-storage.ts'
import { webhooks } from './0301-webhooks.ts'
import { dropFileVersions } from './0411-drop-file-versions.ts'
import { drafts } from './0302-drafts.ts'
import { schemaDrafts } from './0303-schema-drafts.ts'

export type { Migration } from './migration.ts'

/** All migrations, in the order in which they are applied. */
export const migrations: readonly Migration[] = [
  projects,
  localization,
  data,
  sharedProject,
  identity,
  storage,
  webhooks,
  drafts,
  schemaDrafts,
  tools,
  epochs,
  sealedTokens,
  sharedState,
  renewedTokens,
  dropEpochs,
  clientRoles,
  projectOrigins,
  attempts,
  heartbeats,
  rateLimits,
  dropFileVersions,
]
