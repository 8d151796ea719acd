import type { Platform } from '../src/index.ts'

/** Response with its body, parsed if it is JSON. */
export interface Answered {
  readonly status: number
  readonly body: unknown
}

/** Sends a request to a control route. */
export async function control(
  platform: Platform,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answered> {
  const response = await platform.fetch(
    new Request(`http://platform.local/_platform${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
}
