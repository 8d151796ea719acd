import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { isLoopbackUrl } from '@servicekit/core'
import { readEvent } from './webhook.ts'

export interface SubscribeOptions {
  /** URL of the service. */
  readonly baseUrl: string | undefined
  readonly projectKey: string | undefined
  /** Called for each connection. Events before it may have been missed. */
  readonly onConnect: () => void
  /** Called for each event with the id of the changed module, if it is only one. */
  readonly onEvent: (moduleId: string | undefined) => void
  /** Pause before each reconnection, in milliseconds; 2,000 by default. */
  readonly retryMs?: number
}

/**
 * Subscribes to the change events of a local platform, so that no webhook has to be
 * configured. Reconnects after a restart of the platform, or if it starts later. Other
 * services are not contacted, because they have no such route. Does not keep the process
 * alive.
 *
 * @returns a function that ends the subscription.
 */
export function subscribeToPlatform(options: SubscribeOptions): () => void {
  const { baseUrl, projectKey, retryMs = 2000 } = options
  if (baseUrl === undefined || projectKey === undefined || !isLoopbackUrl(baseUrl)) {
    return () => undefined
  }
  const url = new URL(`/_platform/projects/${encodeURIComponent(projectKey)}/events`, baseUrl)
  const ending = new AbortController()
  const { signal } = ending
  const subscribe = async (): Promise<void> => {
    while (!signal.aborted) {
      // Polling finds the changes too, so errors are not reported.
      await receiveEvents(url, options, signal).catch(() => undefined)
      await sleep(retryMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  void subscribe()
  return () => ending.abort()
}

/** Receives server-sent events until the connection ends. */
async function receiveEvents(
  url: URL,
  { onConnect, onEvent }: SubscribeOptions,
  signal: AbortSignal,
): Promise<void> {
  const token = process.env['SERVICEKIT_CONTROL_TOKEN']
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  // Follows no redirect, which could lead the token to another origin.
  const { get } = url.protocol === 'https:' ? https : http
  const request = get(url, { headers, signal })
  request.on('socket', (socket) => socket.unref()).on('error', () => undefined)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) {
    response.destroy()
    return
  }
  onConnect()
  let rest = ''
  for await (const text of response.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const event = line.startsWith('data:') ? readEvent(line.slice('data:'.length)) : undefined
      if (event) onEvent(event.moduleId)
    }
  }
}
