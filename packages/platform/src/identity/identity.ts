import type { Provider } from 'oidc-provider'
import QuickLRU from 'quick-lru'
import type { Database } from '../database/database.ts'
import { createRateLimiter } from '../http/rate-limiter.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Project, ProjectDirectory } from '../projects/project-directory.ts'
import { projectSecrets } from './settings.ts'
import { removeExpired } from './sessions.ts'

/** Authorization server of a project, for one origin. */
export interface AuthorizationServer {
  readonly provider: Provider
  readonly issuer: URL
}

export type Identity = ReturnType<typeof createIdentity>

/** Returns the path of a project's authorization server, which is not part of the interface. */
export const issuerPath = (projectKey: string): string =>
  `/iam/v4/oidc/projects/${encodeURIComponent(projectKey)}`

/** Interval between removals of expired state, in ms. */
const cleaningMs = 3_600_000

/** Creates the identity services of a database. All state in memory is a cache. */
export function createIdentity(
  database: Database,
  projects: ProjectDirectory,
  options: ResolvedOptions,
) {
  const servers = new QuickLRU<string, Promise<AuthorizationServer>>({ maxSize: 100 })
  const secrets = (project: Project) => projectSecrets(database, project.id)
  const create = async (project: Project, issuer: string): Promise<AuthorizationServer> => {
    const [{ createProvider }, own] = await Promise.all([import('./provider.ts'), secrets(project)])
    const { now, onError } = options
    const provider = createProvider({ database, project, issuer, secrets: own, now, onError })
    return { provider, issuer: new URL(issuer) }
  }
  const cleaned = new Map<number, number>()
  const clean = async ({ id }: Project): Promise<void> => {
    const now = options.now().getTime()
    if (now - (cleaned.get(id) ?? -Infinity) < cleaningMs) return
    cleaned.set(id, now)
    await database.scoped(id, (tables) => removeExpired(tables, options.now()))
  }
  return {
    rateLimiter: createRateLimiter(async () => database.unscoped, options.now),
    secrets,
    /** @param origin origin at which the browser reaches the platform. */
    server: async (project: Project, origin: string): Promise<AuthorizationServer> => {
      await clean(project)
      const issuer = `${origin}${issuerPath(project.key)}`
      const id = `${project.id} ${project.organizationId} ${issuer}`
      const known = servers.get(id)
      if (known) return known
      const created = create(project, issuer)
      servers.set(id, created)
      // Do not cache a failure, because the database may only be temporarily unavailable.
      created.catch(() => servers.delete(id))
      return created
    },
  }
}
