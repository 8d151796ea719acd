import { NO_RESPONSE } from '~uilm/shell'
import { ApiError } from '../state/api.ts'

/** Receiver of webhooks for tests, with what it received. */
export interface Receiver {
  readonly url: string
  /** Status with which it responds from now on. */
  readonly status: number
  readonly requests: readonly {
    readonly at: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly status: number
  }[]
}

/** Reads the test receiver of the console, or changes the status of its responses. @throws ApiError */
export async function callReceiver(init: RequestInit): Promise<Receiver> {
  const response = await fetch('/console/test-receiver', init).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause
    throw new ApiError(0, NO_RESPONSE(), { cause })
  })
  if (response.ok) return (await response.json()) as Receiver
  const { title } = (await response.json().catch(() => ({}))) as { title?: string }
  throw new ApiError(response.status, title ?? response.statusText)
}
