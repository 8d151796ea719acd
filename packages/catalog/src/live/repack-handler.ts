import type { Problem } from '../model/problem.ts'
import type { CacheStorage } from '../config/cache-storage.ts'
import type { BuildManifest } from './build-manifest.ts'
import { memoryStorage, packsOf } from './pack-storage.ts'
import { pointerName } from './repack.ts'
import { createTenant, type Tenant, type TenantProject } from './tenant.ts'

/** Options of {@link repackHandler}. */
export interface RepackHandlerOptions {
  /** Parsed `uilm-manifest.json` of the build. */
  readonly manifest: BuildManifest
  /**
   * Project of the translations; or a function that returns the project of a tenant, and
   * undefined for an unknown one.
   */
  readonly source:
    | TenantProject
    | ((tenant: string) => TenantProject | undefined | Promise<TenantProject | undefined>)
  /**
   * Storage of packs that several instances share, and that outlives them: one of `unstorage`.
   * By default the last 64 MB in memory.
   */
  readonly cache?: CacheStorage
  /**
   * Time in milliseconds after which a request looks for changes that no webhook reported, and
   * calls `source` again; 60,000 by default.
   */
  readonly maxAgeMs?: number
  /** Called with the problems of each compilation that has some. */
  readonly onProblems?: (problems: readonly Problem[], tenant: string) => void
  /**
   * Called with errors of the service, of `cache` and of `source`. Pages keep their messages
   * in the meantime.
   */
  readonly onError?: (error: unknown, tenant: string) => void
}

/**
 * Creates a Fetch handler that compiles the packs of an existing build on demand:
 *
 * | request | response |
 * |---|---|
 * | `GET …/acme/uilm-current.json` | pointer at the newest packs of the tenant `acme`, with an ETag |
 * | `GET …/acme/uilm-1f3a9c0d.de-DE.js` | pack, immutable |
 * | `POST …/acme/webhook` | event of the project; the next pointer has its changes |
 *
 * If `source` is one project, the paths have no tenant.
 *
 * ```ts
 * const handler = repackHandler({ manifest, source: (tenant) => projects.get(tenant) })
 * serve({ fetch: handler })
 * ```
 */
export function repackHandler(
  options: RepackHandlerOptions,
): (request: Request) => Promise<Response> {
  const { source } = options
  const hasTenants = typeof source === 'function'
  const findTenant = tenantFinder(options)
  return async (request) => {
    const path = readPath(new URL(request.url).pathname, hasTenants)
    if (!path) return plain(404, 'Not found')
    const { name, file } = path
    const methods = file === 'webhook' ? ['POST'] : ['GET', 'HEAD']
    if (!methods.includes(request.method)) {
      return plain(405, 'Method not allowed', { allow: methods.join(', ') })
    }
    try {
      const tenant = await findTenant(name)
      if (!tenant) return plain(404, 'Not found')
      if (file === 'webhook') {
        return (await tenant.receive?.(request)) ?? plain(404, 'Not found')
      }
      const response =
        file === pointerName
          ? await respondPointer(request, tenant)
          : await respondPack(tenant, file)
      return request.method === 'HEAD' ? new Response(null, response) : response
    } catch (error) {
      options.onError?.(error, name)
      return plain(503, 'The translations are unavailable')
    }
  }
}

/** Returns a function that finds the tenant of a name; each is created once. */
function tenantFinder(options: RepackHandlerOptions) {
  const { manifest, source, maxAgeMs = 60_000, onError, onProblems } = options
  const storage = options.cache ?? memoryStorage(64_000_000)
  const tenants = new Map<
    string,
    { readonly tenant: Tenant; readonly settings: string; untilMs: number }
  >()
  return async (name: string): Promise<Tenant | undefined> => {
    const before = tenants.get(name)
    if (before && Date.now() < before.untilMs) return before.tenant
    const project = typeof source === 'function' ? await source(name) : source
    // A lookup in an object also finds inherited members, such as `constructor`.
    if (typeof project?.projectKey !== 'string') {
      tenants.delete(name)
      return undefined
    }
    const settings = JSON.stringify(project)
    const untilMs = Date.now() + maxAgeMs
    // Another request may have created it in the meantime.
    const known = tenants.get(name)
    if (known?.settings === settings) {
      known.untilMs = untilMs
      return known.tenant
    }
    const tenant = createTenant(project, {
      manifest,
      maxAgeMs,
      storage: packsOf(storage, name),
      onProblems: (problems) => onProblems?.(problems, name),
      onError: (error) => onError?.(error, name),
    })
    tenants.set(name, { tenant, settings, untilMs })
    return tenant
  }
}

const filePattern = /^(?:uilm-current\.json|webhook|uilm-[\da-f]{8}\.[A-Za-z0-9_-]{1,64}\.js)$/
const tenantPattern = /^[\w~-][\w.~-]{0,127}$/

/** Reads the tenant and the file of a path; undefined if it has none. */
function readPath(
  pathname: string,
  hasTenants: boolean,
): { readonly name: string; readonly file: string } | undefined {
  const [parent = '', file = ''] = `/${pathname}`.split('/').slice(-2)
  if (!filePattern.test(file) || (hasTenants && !tenantPattern.test(parent))) return undefined
  return { name: hasTenants ? parent : '', file }
}

/** Packs are loaded by pages of other origins, as modules. */
const crossOrigin = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

async function respondPointer(request: Request, tenant: Tenant): Promise<Response> {
  const { pointer, etag } = await tenant.newest()
  const headers = { ...crossOrigin, etag, 'cache-control': 'no-cache' }
  const known = request.headers.get('if-none-match')?.split(/\s*,\s*/) ?? []
  // A proxy that compresses makes the ETag a weak one.
  if (known.some((one) => one.replace(/^W\//, '') === etag)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(pointer, {
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
  })
}

async function respondPack(tenant: Tenant, file: string): Promise<Response> {
  const source = await tenant.pack(file)
  if (source === undefined) return plain(404, 'Not found')
  return new Response(source, {
    headers: {
      ...crossOrigin,
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    },
  })
}

const plain = (
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(`${text}\n`, {
    status,
    headers: {
      ...crossOrigin,
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...headers,
    },
  })
