import type { Core } from './core.ts'
import type { SessionOptions } from './session.ts'
import type { refresh } from './session-requests.ts'
import { aloneAmongTabs } from './tab-locks.ts'
import type { BrowserTabs, Tabs } from './tabs.ts'

/*
 * Loaded when there is something to renew. It imports nothing that the rest has, so that no
 * bundler makes a third file of what both have in common.
 */

/** What a renewal needs of the session. */
export interface RenewalOptions extends Omit<SessionOptions, 'tabs'> {
  readonly core: Core
  readonly refresh: typeof refresh
  readonly tabs: Tabs | BrowserTabs
  /** Of this tab, and those that it has heard of. */
  renewals: number
}

/** One renewal at a time. */
export interface Renewal {
  /** True for a renewal, false where another tab has renewed, undefined where it failed. */
  readonly renew: (before: number) => Promise<boolean | undefined>
  /** Another tab has renewed: nothing is in the way any more, and nothing has to be asked. */
  readonly skip: () => void
}

/** Renews once for all who ask meanwhile, and not again for a while after a refusal. */
export function createRenewal(shared: RenewalOptions): Renewal {
  const { coolDownMs = 60_000, timeoutMs = 5_000, now = Date.now, tabs, onEnd } = shared
  const alone =
    'alone' in tabs
      ? tabs.alone
      : aloneAmongTabs({ name: tabs.name, channel: tabs.channel(), timeoutMs })
  let running: Promise<boolean | undefined> | undefined
  let refusedMs = Infinity
  let asking: AbortController | undefined

  const ask = async (): Promise<void> => {
    const end = (asking = new AbortController())
    // A signal of AbortSignal.timeout may be collected before its time has come.
    const timer = setTimeout(() => end.abort(), timeoutMs)
    const { core, clientId } = shared
    await shared.refresh(core, { clientId, signal: end.signal }).finally(() => clearTimeout(timer))
    shared.renewals++
    tabs.tell('renewed')
  }
  return {
    skip: () => {
      refusedMs = Infinity
      // A tab that slept, and would ask again for what another has got meanwhile.
      asking?.abort()
    },
    renew: async (before) => {
      // A clock may step back.
      if (Math.abs(now() - refusedMs) < coolDownMs) return undefined
      running ??= alone(() => shared.renewals !== before, ask)
        .catch((error: { readonly status?: number } | undefined) => {
          // A service that is down or busy has not ended the session, and is asked again.
          if (!/^[034](?!08|2[59])/.test(String(error?.status))) return undefined
          refusedMs = now()
          onEnd?.()
          return undefined
        })
        .finally(() => {
          running = undefined
        })
      return running
    },
  }
}
