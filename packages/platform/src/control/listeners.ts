import { isLoopbackHost } from '@servicekit/core'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Events, PlatformEvent } from './events.ts'

/** Loopback URL that receives a project's events during development. */
export interface Listener {
  /** URL such as `http://localhost:5173/__uilm`; always a loopback address. */
  readonly url: string
  /** Name of the header that carries the secret. */
  readonly headerKey?: string | undefined
  readonly secret?: string | undefined
}

/** Schema of a listener in a control request. */
export const ListenerBody = z
  .strictObject({
    url: z.string(),
    headerKey: z.string().optional(),
    secret: z.string().optional(),
  })
  .superRefine((listener, context) => {
    const problem = listenerProblem(listener)
    if (problem) context.addIssue(problem)
  })

/** Timeout of a delivery, and pauses before each attempt, in ms. */
const timeoutMs = 5000
const pausesMs = [0, 250, 1000]

interface Entry extends Listener {
  readonly id: string
  readonly projectKey: string | undefined
  /** Last delivery; deliveries to one URL stay in order. */
  last: Promise<void>
}

/**
 * Sends every event to the registered listeners, in the format of webhooks: a
 * POST with the event as JSON, and the secret in the header that the listener named.
 * Retries twice, then calls `onError`. Listeners are not stored in the database.
 */
export function createListeners(events: Events, onError: (error: Error) => void) {
  let entries: Entry[] = []
  let count = 0
  const closing = new AbortController()
  const { signal } = closing

  const deliver = async (entry: Entry, event: PlatformEvent): Promise<void> => {
    let reason = ''
    for (const pauseMs of pausesMs) {
      await sleep(pauseMs, undefined, { signal, ref: false })
      if (!entries.includes(entry)) return
      try {
        return await post(entry, event, signal)
      } catch (error) {
        reason = (error as Error).message
      }
    }
    throw new Error(`The listener ${entry.url} did not receive an event: ${reason}`)
  }
  events.on('event', (projectKey, event) => {
    for (const entry of entries.filter((one) => isOf(one, projectKey))) {
      entry.last = entry.last
        .then(() => deliver(entry, event))
        .catch((error: Error) => {
          if (!signal.aborted) onError(error)
        })
    }
  })

  return {
    /** Adds a listener, replacing one with the same URL; without a key, for every project. */
    add: (projectKey: string | undefined, listener: Listener) => {
      entries = entries.filter(
        (entry) => entry.projectKey !== projectKey || entry.url !== listener.url,
      )
      const entry = { ...listener, id: String(++count), projectKey, last: Promise.resolve() }
      entries.push(entry)
      return withoutSecret(entry)
    },
    list: (projectKey: string) =>
      entries.filter((entry) => isOf(entry, projectKey)).map(withoutSecret),
    /** Removes one or all listeners of a project. @returns true if any was removed. */
    remove: (projectKey: string, id?: string): boolean => {
      const before = entries.length
      entries = entries.filter(
        (entry) => entry.projectKey !== projectKey || (id !== undefined && entry.id !== id),
      )
      return entries.length < before
    },
    /** Aborts deliveries in flight. */
    close: async (): Promise<void> => {
      const open = entries
      entries = []
      closing.abort()
      await Promise.all(open.map(({ last }) => last))
    },
  }
}

const isOf = (entry: Entry, projectKey: string): boolean =>
  entry.projectKey === undefined || entry.projectKey === projectKey

const withoutSecret = ({ id, url, headerKey }: Entry) => ({ id, url, headerKey })

async function post(
  { url, headerKey, secret }: Listener,
  event: PlatformEvent,
  closing: AbortSignal,
): Promise<void> {
  const headers = new Headers({ 'content-type': 'application/json' })
  if (headerKey !== undefined && secret !== undefined) headers.set(headerKey, secret)
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify(event),
    // A loopback URL must not redirect to another host.
    redirect: 'error',
    signal: AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`status ${response.status}`)
}

/** Returns why a listener is invalid, or undefined if it is valid. */
export function listenerProblem({ url, headerKey, secret }: Listener): string | undefined {
  if (!URL.canParse(url)) return `${url} is not a valid URL.`
  const { protocol, hostname, username, password } = new URL(url)
  if (!/^https?:$/.test(protocol)) return `${url} is not an http or https URL.`
  if (username || password) {
    return 'A listener URL cannot contain credentials. Use headerKey and secret.'
  }
  if (!isLoopbackHost(hostname)) {
    return `${url} is not a loopback address. Configure a webhook to notify other machines.`
  }
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
