import { isLoopbackUrl } from '@servicekit/core'
import { webhookPath, type WebhookOptions } from './webhook.ts'

export interface ListenToPlatformOptions {
  /** URL of the service. */
  readonly baseUrl: string | undefined
  readonly projectKey: string | undefined
  /** URL of the development server: `http://localhost:5173/`. */
  readonly serverUrl: string
  readonly secret: WebhookOptions['secret']
  /**
   * Called when the platform sends events again after an interruption. Events may have
   * been missed.
   */
  readonly onBack?: () => void
  /** Interval between checks of the registration, in milliseconds; 5,000 by default. */
  readonly everyMs?: number
}

/**
 * Registers this development server at a local platform for change events, so that no
 * webhook has to be configured. Registers again after a restart of the platform, or if it
 * starts later than this server. Other services are not contacted: they have no such
 * route and could not reach this machine.
 *
 * @returns a function that ends it.
 */
export async function listenToPlatform(options: ListenToPlatformOptions): Promise<() => void> {
  const { baseUrl, projectKey, onBack, everyMs = 5000 } = options
  if (baseUrl === undefined || projectKey === undefined || !isLoopbackUrl(baseUrl)) {
    return () => undefined
  }
  const listeners = new URL(
    `/_platform/projects/${encodeURIComponent(projectKey)}/listeners`,
    baseUrl,
  )
  let id = await register(listeners, options)
  let timer: NodeJS.Timeout
  let hasEnded = false
  const look = async (): Promise<void> => {
    if (id !== undefined && (await isKnown(listeners, id, options))) return
    id = await register(listeners, options)
    if (hasEnded) remove(listeners, id)
    else if (id !== undefined) onBack?.()
  }
  const schedule = (): void => {
    if (hasEnded) return
    timer = setTimeout(() => void look().then(schedule), everyMs)
    timer.unref()
  }
  schedule()
  return () => {
    hasEnded = true
    clearTimeout(timer)
    remove(listeners, id)
  }
}

const addressOf = ({ serverUrl }: ListenToPlatformOptions): string =>
  new URL(webhookPath.slice(1), serverUrl).href

/**
 * Returns the id of the listener; undefined if the platform is unreachable or has no such
 * route.
 */
async function register(
  listeners: URL,
  options: ListenToPlatformOptions,
): Promise<string | undefined> {
  const answer = await ask(listeners, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: addressOf(options), ...options.secret }),
  })
  return (answer as { readonly id?: string } | undefined)?.id
}

/**
 * Returns `false` if the platform was restarted. Returns `true` while it is unreachable,
 * because nothing can be done then.
 */
async function isKnown(
  listeners: URL,
  id: string,
  options: ListenToPlatformOptions,
): Promise<boolean> {
  const all = await ask(listeners)
  if (!Array.isArray(all)) return true
  // Ids restart with the platform.
  const url = addressOf(options)
  return (all as { id?: string; url?: string }[]).some((one) => one.id === id && one.url === url)
}

/**
 * Returns the response of the platform; undefined on any error. Polling still finds the
 * changes.
 */
async function ask(address: URL, init: RequestInit = {}): Promise<unknown> {
  try {
    const token = process.env['SERVICEKIT_CONTROL_TOKEN']
    const headers = new Headers(init.headers)
    if (token) headers.set('authorization', `Bearer ${token}`)
    const signal = AbortSignal.timeout(5000)
    // A redirect could lead to another origin, which must not get the token.
    const response = await fetch(address, { ...init, headers, signal, redirect: 'error' })
    const answer: unknown = await response.json()
    return response.ok ? answer : undefined
  } catch {
    return undefined
  }
}

function remove(listeners: URL, id: string | undefined): void {
  if (id !== undefined) void ask(new URL(`${listeners}/${id}`), { method: 'DELETE' })
}
