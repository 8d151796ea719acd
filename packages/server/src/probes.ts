/** Time in ms for which the result of a check of the storage is used again. */
const storageCacheMs = { ok: 30_000, failed: 5000 }
/** Time in ms that a check of the storage may take. */
const timeoutMs = 5000

/** Parts of a server that its probes check. */
export interface ProbedParts {
  /** Requests the readiness of the platform, which writes to the database. */
  readonly checkPlatform: () => Promise<PlatformReadiness>
  /** Writes to the storage. @throws Error if it is not available. */
  readonly checkStorage: () => Promise<void>
  readonly onFailure: (error: Error) => void
}

interface PlatformReadiness {
  readonly isReady: boolean
  /** Time in ms by which the clock of the machine is ahead of that of PostgreSQL. */
  readonly clockSkewMs?: number | undefined
}

/** Reason for which a server is not ready, if any, and the skew of its clock, if known. */
interface Checked {
  readonly reason?: Unready
  readonly clockSkewMs?: number | undefined
}

/** Reason for which a server is not ready. */
type Unready = 'starting' | 'stopping' | 'database' | 'storage'

/**
 * Creates the check of readiness: the platform has started and does not stop, and its database
 * and storage accept writes. Writes to storage cost money, so their results are cached; anyone
 * may send probes.
 */
export function createReadiness(now: () => number = () => performance.now()) {
  let parts: ProbedParts | undefined
  let isStopping = false
  let checked:
    | { readonly at: number; readonly isOk: Promise<boolean>; maxAgeMs: number }
    | undefined

  const checkStorage = ({ checkStorage: check, onFailure }: ProbedParts): Promise<boolean> => {
    if (checked && now() - checked.at < checked.maxAgeMs) return checked.isOk
    const isOk = withTimeout(check()).then(
      () => true,
      (error: Error) => {
        onFailure(error)
        return false
      },
    )
    const own = { at: now(), isOk, maxAgeMs: storageCacheMs.ok }
    checked = own
    void isOk.then((result) => {
      if (!result) own.maxAgeMs = storageCacheMs.failed
    })
    return isOk
  }
  return {
    /** Marks the platform as started. */
    started: (started: ProbedParts): void => {
      parts = started
    },
    /** Marks the server as stopping, so that balancers send no more requests. */
    stopping: (): void => {
      isStopping = true
    },
    isStopping: (): boolean => isStopping,
    /** Returns why the server is not ready, without a `reason` if it is. */
    check: async (): Promise<Checked> => {
      if (isStopping) return { reason: 'stopping' }
      if (!parts) return { reason: 'starting' }
      const [{ isReady, ...platform }, isStored] = await Promise.all([
        parts.checkPlatform(),
        checkStorage(parts),
      ])
      if (!isReady) return { reason: 'database' }
      return isStored ? platform : { reason: 'storage', ...platform }
    },
  }
}

export type Readiness = ReturnType<typeof createReadiness>

async function withTimeout(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const error = new Error(`The storage did not respond within ${timeoutMs} ms.`)
    timer = setTimeout(() => reject(error), timeoutMs)
  })
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

/** Responds to `/live` and `/ready`; undefined for other requests. */
export async function respondToProbe(
  { url }: Request,
  readiness: Readiness,
): Promise<Response | undefined> {
  const { pathname } = new URL(url)
  const headers = { 'cache-control': 'no-store' }
  if (pathname === '/live' || pathname === '/_platform/live') {
    return Response.json({ status: 'ok' }, { headers })
  }
  if (pathname !== '/ready' && pathname !== '/_platform/ready') return undefined
  const checked = await readiness.check()
  return checked.reason === undefined
    ? Response.json({ status: 'ok', ...checked }, { headers })
    : Response.json({ status: 'unavailable', ...checked }, { status: 503, headers })
}
