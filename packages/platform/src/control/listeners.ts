import { isLoopbackHost } from '@servicekit/core'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Events, PlatformEvent } from './events.ts'

/** Loopback URL that receives a project's events during development. */
export interface Listener {
  /**
   * URL to send events to, such as `http://localhost:5173/__uilm`; always a loopback
   * address.
   */
  readonly url: string
  /** Name of the header that carries the secret. */
  readonly headerKey?: string | undefined
  readonly secret?: string | undefined
}

/** Registered listener, without its secret. */
interface RegisteredListener {
  readonly id: string
  readonly url: string
  readonly headerKey?: string
}

/** Listeners of this process. They are not stored in the database. */
export interface Listeners {
  /**
   * Adds a listener, replacing one with the same URL. Without a key it receives events of
   * every project.
   */
  readonly add: (projectKey: string | undefined, listener: Listener) => RegisteredListener
  readonly list: (projectKey: string) => readonly RegisteredListener[]
  /**
   * Removes one listener of a project, or all of its listeners. @returns true if any was
   * removed.
   */
  readonly remove: (projectKey: string, id?: string) => boolean
  /** Aborts deliveries in flight. */
  readonly close: () => Promise<void>
}

/** Timeout of a delivery, and pauses before its retries. */
const timeoutMs = 5000
const pausesMs = [250, 1000]

interface Entry extends Listener {
  readonly id: string
  readonly projectKey: string | undefined
  /** Tail of the delivery chain; deliveries to one URL stay in order. */
  last: Promise<void>
}

/**
 * Sends every event to the registered listeners, in the format of webhooks: a
 * POST with the event as JSON, and the secret in the header that the listener named.
 * Retries twice, then calls `onError`.
 */
export function createListeners(events: Events, onError: (error: Error) => void): Listeners {
  let entries: Entry[] = []
  let count = 0
  const ending = new AbortController()

  const deliver = async (entry: Entry, event: PlatformEvent): Promise<void> => {
    let failure: unknown
    for (const pause of [0, ...pausesMs]) {
      if (pause > 0) await sleep(pause, undefined, { signal: ending.signal, ref: false })
      if (!entries.includes(entry)) return
      try {
        await post(entry, event, ending.signal)
        return
      } catch (error) {
        failure = error
      }
    }
    const reason = failure instanceof Error ? failure.message : String(failure)
    throw new Error(`The listener ${entry.url} did not receive an event: ${reason}`)
  }
  events.on('event', (projectKey, event) => {
    for (const entry of entries) {
      if (entry.projectKey !== undefined && entry.projectKey !== projectKey) continue
      entry.last = entry.last
        .then(() => deliver(entry, event))
        .catch((error: Error) => {
          if (!ending.signal.aborted) onError(error)
        })
    }
  })

  return {
    add: (projectKey, { url, headerKey, secret }) => {
      entries = entries.filter((entry) => entry.projectKey !== projectKey || entry.url !== url)
      const entry = { id: String(++count), projectKey, url, headerKey, secret }
      entries.push({ ...entry, last: Promise.resolve() })
      return shown(entry)
    },
    list: (projectKey) =>
      entries
        .filter((entry) => entry.projectKey === undefined || entry.projectKey === projectKey)
        .map(shown),
    remove: (projectKey, id) => {
      const before = entries.length
      entries = entries.filter(
        (entry) => entry.projectKey !== projectKey || (id !== undefined && entry.id !== id),
      )
      return entries.length < before
    },
    close: async () => {
      const open = entries
      entries = []
      ending.abort()
      await Promise.all(open.map(({ last }) => last))
    },
  }
}

const shown = ({ id, url, headerKey }: Pick<Entry, 'id' | 'url' | 'headerKey'>) => ({
  id,
  url,
  ...(headerKey === undefined ? {} : { headerKey }),
})

async function post(
  { url, headerKey, secret }: Listener,
  event: PlatformEvent,
  ending: AbortSignal,
): Promise<void> {
  const headers = new Headers({ 'content-type': 'application/json' })
  if (headerKey !== undefined && secret !== undefined) headers.set(headerKey, secret)
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify(event),
    // A loopback URL must not redirect to another host.
    redirect: 'error',
    signal: AbortSignal.any([ending, AbortSignal.timeout(timeoutMs)]),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`status ${response.status}`)
}

/** Returns why a listener is invalid, or undefined if it is valid. */
export function listenerProblem({ url, headerKey, secret }: Listener): string | undefined {
  if (!URL.canParse(url)) return `${url} is not a valid URL.`
  const { protocol, hostname, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return `${url} is not an http or https URL.`
  if (username || password)
    return 'A listener URL cannot contain credentials. Use headerKey and secret.'
  if (!isLoopbackHost(hostname))
    return `${url} is not a loopback address. Configure a webhook to notify other machines.`
  if ((headerKey === undefined) !== (secret === undefined)) {
    return 'headerKey and secret must be set together.'
  }
  if (headerKey !== undefined && !isHeader(headerKey, secret ?? '')) {
    return 'headerKey or secret is not valid in a header.'
  }
  return undefined
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name)
  } catch {
    return false
  }
}
