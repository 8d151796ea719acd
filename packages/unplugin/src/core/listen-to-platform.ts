import { webhookPath, type WebhookOptions } from './webhook.ts'

export interface ListenToPlatformOptions {
  /** Address of the instance. */
  readonly baseUrl: string | undefined
  readonly projectKey: string | undefined
  /** Address of the development server: `http://localhost:5173/`. */
  readonly serverUrl: string
  readonly secret: WebhookOptions['secret']
}

/**
 * Asks a local platform to tell this development server of changes, so that
 * nobody has to set a webhook up. Any other instance is left alone: it neither
 * has the route nor could it reach this machine.
 *
 * @returns a function that ends it.
 */
export async function listenToPlatform(options: ListenToPlatformOptions): Promise<() => void> {
  const { baseUrl, projectKey, serverUrl, secret } = options
  const nothing = (): void => undefined
  if (baseUrl === undefined || projectKey === undefined || !isLoopback(baseUrl)) return nothing
  const listeners = new URL(
    `/_platform/projects/${encodeURIComponent(projectKey)}/listeners`,
    baseUrl,
  )
  try {
    const response = await fetch(listeners, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: new URL(webhookPath.slice(1), serverUrl).href, ...secret }),
      signal: AbortSignal.timeout(5000),
    })
    const { id } = (await response.json()) as { id?: string }
    if (!response.ok || id === undefined) return nothing
    return () => void fetch(`${listeners}/${id}`, { method: 'DELETE' }).catch(nothing)
  } catch {
    // Polling finds the changes all the same.
    return nothing
  }
}

/** Whether an address is one of this machine, where only a local platform is. */
export const isLoopback = (address: string): boolean =>
  URL.canParse(address) && /^(?:localhost|127\..*|\[::1\])$/.test(new URL(address).hostname)
