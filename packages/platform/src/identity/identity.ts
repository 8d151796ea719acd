import type { Provider } from 'oidc-provider'
import QuickLRU from 'quick-lru'
import type { Database } from '../database/database.ts'
import { cookieSuffix } from './cookies.ts'
import { createRateLimiter } from '../http/rate-limiter.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../database/project-directory.ts'
import { currentSecrets, projectSecrets, type ProjectSecrets } from './settings.ts'
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
export function createIdentity(database: Database, options: ResolvedOptions) {
  const { now, onError } = options
  const servers = new QuickLRU<string, Promise<AuthorizationServer>>({ maxSize: 100 })
  const secrets = new QuickLRU<string, ProjectSecrets>({ maxSize: 1000 })
  const secretsOf = async ({ id, secretsVersion }: Project): Promise<ProjectSecrets> => {
    // Another instance may replace the signing key, with which the version changes.
    const version = `${id} ${secretsVersion}`
    const known = secrets.get(version) ?? (await projectSecrets(database, id))
    secrets.set(version, known)
    return currentSecrets(known, now())
  }
  const create = async (project: Project, issuer: string, secrets: ProjectSecrets) => {
    const { createProvider } = await import('./provider.ts')
    const suffix = cookieSuffix(options, project.key)
    const provider = createProvider({ database, project, issuer, secrets, suffix, now, onError })
    return { provider, issuer: new URL(issuer) }
  }
  const cleaned = new Map<number, number>()
  const clean = async ({ id }: Project): Promise<void> => {
    const time = now().getTime()
    if (time - (cleaned.get(id) ?? -Infinity) < cleaningMs) return
    cleaned.set(id, time)
    await database.scoped(id, (tables) => removeExpired(tables, now()))
  }
  return {
    rateLimiter: createRateLimiter(async () => database.unscoped, now),
    secrets: secretsOf,
    /** @param origin origin at which the browser reaches the platform. */
    server: async (project: Project, origin: string): Promise<AuthorizationServer> => {
      await clean(project)
      const issuer = `${origin}${issuerPath(project.key)}`
      const own = await secretsOf(project)
      const keys = own.jwks.keys.map(({ n }) => n).join(' ')
      const id = `${project.id} ${project.organizationId} ${issuer} ${keys}`
      const server = servers.get(id) ?? create(project, issuer, own)
      servers.set(id, server)
      return server
    },
  }
}
