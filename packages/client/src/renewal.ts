import type { Core } from './core.ts'
import { isTransient } from './retry.ts'
import type { Renewed } from './send-input.ts'
import { refresh } from './session-requests.ts'
import type { SessionOptions } from './session.ts'
import type { Tabs } from './tabs.ts'

/** Options of {@link createRenewal}. */
export interface RenewalOptions extends SessionOptions {
  readonly core: Core
  readonly tabs: Tabs
}

/** Single-flight renewal of a session. */
export interface Renewal {
  /** Returns the number of renewals that this tab made or was notified of. */
  readonly renewalCount: () => number
  /**
   * Renews, unless there was a renewal since.
   *
   * @param countBefore `renewalCount` when the call that received 401 was sent.
   */
  readonly renew: (countBefore: number) => Promise<Renewed>
  /** Called when another tab has renewed: ends the cool-down and aborts a renewal in flight. */
  readonly skip: () => void
}

/** Creates a renewal that is shared by concurrent callers and pauses after a refusal. */
export function createRenewal({
  core,
  tabs,
  clientId,
  coolDownMs = 60_000,
  timeoutMs = 5_000,
  now = Date.now,
  onEnd,
}: RenewalOptions): Renewal {
  let renewals = 0
  let running: Promise<Renewed> | undefined
  let refusedAtMs = Infinity
  let current: AbortController | undefined

  const requestRenewal = async (): Promise<void> => {
    const end = (current = new AbortController())
    // A signal of AbortSignal.timeout may be garbage-collected before it fires.
    const timer = setTimeout(() => end.abort(), timeoutMs)
    await refresh(core, { clientId, signal: end.signal }).finally(() => clearTimeout(timer))
    renewals++
    tabs.notify('renewed')
  }
  return {
    renewalCount: () => renewals,
    skip: () => {
      renewals++
      refusedAtMs = Infinity
      // A tab that slept would repeat the renewal that another tab has made since.
      current?.abort()
    },
    renew: async (countBefore) => {
      // The clock may go backwards.
      if (Math.abs(now() - refusedAtMs) < coolDownMs) return 'failed'
      running ??= tabs
        .runExclusive(() => renewals !== countBefore, requestRenewal)
        .then((hasRun): Renewed => (hasRun ? 'renewed' : 'elsewhere'))
        .catch((error: { readonly status?: number } | undefined): Renewed => {
          // A service that is down or busy has not ended the session: allow the next
          // renewal.
          if (isRefusal(error?.status) && !isTransient(error?.status)) {
            refusedAtMs = now()
            onEnd?.()
          }
          return 'failed'
        })
        .finally(() => {
          running = undefined
        })
      return running
    },
  }
}

/** Checks for a redirect, which browsers report as 0, or a refusal. */
const isRefusal = (status: number | undefined): boolean =>
  status === 0 || (status !== undefined && status >= 300 && status < 500)
