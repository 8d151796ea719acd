import { isLoopbackUrl } from '@servicekit/catalog'
import { webhookPath, type WebhookOptions } from './webhook.ts'

export interface ListenToPlatformOptions {
  /** Address of the instance. */
  readonly baseUrl: string | undefined
  readonly projectKey: string | undefined
  /** Address of the development server: `http://localhost:5173/`. */
  readonly serverUrl: string
  readonly secret: WebhookOptions['secret']
  /** Called when the platform, having been away, tells of changes again: some may have been missed. */
  readonly onBack?: () => void
  /** Pause between two looks whether the platform still tells, in milliseconds; 5,000 by default. */
  readonly everyMs?: number
}

/**
 * Asks a local platform to tell this development server of changes, so that
 * nobody has to set a webhook up. A platform that was started again, or later
 * than this server, is asked again. Any other instance is left alone: it neither
 * has the route nor could it reach this machine.
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

/** The id of the listener; undefined where nobody answers, or has no such route. */
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

/** False of a platform that was started again; true while it is away, since then there is nothing to do. */
async function isKnown(
  listeners: URL,
  id: string,
  options: ListenToPlatformOptions,
): Promise<boolean> {
  const all = await ask(listeners)
  if (!Array.isArray(all)) return true
  // Ids begin anew with the platform.
  const url = addressOf(options)
  return (all as { id?: string; url?: string }[]).some((one) => one.id === id && one.url === url)
}

/** What the platform answers; undefined where it does not. Polling finds the changes all the same. */
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
