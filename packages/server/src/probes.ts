/** Time in ms for which the result of a check of the storage is used again. */
const storageCacheMs = { ok: 30_000, failed: 5000 }
/** Time in ms that a check of the storage may take. */
const timeoutMs = 5000

/** Parts of a server that its probes check. */
export interface ProbedServer {
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

/** State of a part of the server; `unknown` until the first check has ended. */
type PartState = 'ok' | 'failed' | 'unknown'

/** Readiness of a server, which its database alone decides once it has started. */
interface Checked {
  /** Reason for which the server is not ready, if any. */
  readonly reason?: 'starting' | 'stopping' | 'database'
  readonly parts?: { readonly database: PartState; readonly storage: PartState }
  readonly clockSkewMs?: number | undefined
}

/**
 * Creates the check of readiness: the platform has started and does not stop, and its database
 * accepts writes. The storage is checked too and named, but does not decide: all instances share
 * it, and most requests do not need it. Writes to storage cost money, so their results are
 * cached; anyone may send probes.
 */
export function createReadiness(now: () => number = () => performance.now()) {
  let parts: ProbedServer | undefined
  let isStopping = false
  let storage: PartState = 'unknown'
  let checkAgainAt = -Infinity

  /** Checks the storage if its state is old. No probe waits for it. */
  const refreshStorage = ({ checkStorage, onFailure }: ProbedServer): void => {
    if (now() < checkAgainAt) return
    checkAgainAt = Infinity
    const finish = (state: 'ok' | 'failed'): void => {
      storage = state
      checkAgainAt = now() + storageCacheMs[state]
    }
    withTimeout(checkStorage()).then(
      () => finish('ok'),
      (error: Error) => {
        finish('failed')
        onFailure(error)
      },
    )
  }
  return {
    /** Marks the platform as started. */
    started: (started: ProbedServer): void => {
      parts = started
      refreshStorage(started)
    },
    /** Marks the server as stopping, so that balancers send no more requests. */
    stopping: (): void => {
      isStopping = true
    },
    isStopping: (): boolean => isStopping,
    /** Returns the state of the parts, and why the server is not ready, if it is not. */
    check: async (): Promise<Checked> => {
      if (isStopping) return { reason: 'stopping' }
      if (!parts) return { reason: 'starting' }
      refreshStorage(parts)
      const { isReady, ...platform } = await parts.checkPlatform()
      return isReady
        ? { parts: { database: 'ok', storage }, ...platform }
        : { reason: 'database', parts: { database: 'failed', storage } }
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
