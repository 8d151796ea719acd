import type { Core } from './core.ts'
import type { SessionOptions } from './session.ts'
import type { isTransient } from './retry.ts'
import type { Renewed } from './send-input.ts'
import type { refresh } from './session-requests.ts'
import { createTabLock } from './tab-lock.ts'
import type { BrowserTabs, Tabs } from './tabs.ts'

/*
 * Loaded beside the page. Imports no module of the main chunk, so that bundlers do not
 * create a third chunk of shared modules.
 */

/** Session state that a renewal needs. */
export interface RenewalOptions extends Omit<SessionOptions, 'tabs'> {
  readonly core: Core
  readonly refresh: typeof refresh
  readonly isTransient: typeof isTransient
  readonly tabs: Tabs | BrowserTabs
  /** Number of renewals by this tab and by others that it was notified of. */
  renewals: number
}

/** Single-flight renewal of a session. */
export interface Renewal {
  /** @param countBefore Number of renewals when the call that received 401 was sent. */
  readonly renew: (countBefore: number) => Promise<Renewed>
  /** Called when another tab has renewed: ends the cool-down and aborts a renewal in flight. */
  readonly skip: () => void
}

/** Creates a renewal that is shared by concurrent callers and pauses after a refusal. */
export function createRenewal(shared: RenewalOptions): Renewal {
  const { coolDownMs = 60_000, timeoutMs = 5_000, now = Date.now, tabs, onEnd } = shared
  const runExclusive =
    'runExclusive' in tabs ? tabs.runExclusive : createTabLock({ name: tabs.name, timeoutMs })
  let running: Promise<Renewed> | undefined
  let refusedAtMs = Infinity
  let current: AbortController | undefined

  const requestRenewal = async (): Promise<void> => {
    const end = (current = new AbortController())
    // A signal of AbortSignal.timeout may be garbage-collected before it fires.
    const timer = setTimeout(() => end.abort(), timeoutMs)
    const { core, clientId } = shared
    await shared.refresh(core, { clientId, signal: end.signal }).finally(() => clearTimeout(timer))
    shared.renewals++
    tabs.notify('renewed')
  }
  return {
    skip: () => {
      refusedAtMs = Infinity
      // A tab that slept would repeat the renewal that another tab has made since.
      current?.abort()
    },
    renew: async (countBefore) => {
      // The clock may go backwards.
      if (Math.abs(now() - refusedAtMs) < coolDownMs) return 'failed'
      running ??= runExclusive(() => shared.renewals !== countBefore, requestRenewal)
        .then((hasRun): Renewed => (hasRun ? 'renewed' : 'elsewhere'))
        .catch((error: { readonly status?: number } | undefined): Renewed => {
          // A service that is down or busy has not ended the session: allow the next
          // renewal.
          if (isRefusal(error?.status) && !shared.isTransient(error?.status)) {
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
