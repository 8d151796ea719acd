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

/** Removes the project of a test, so that the next one needs no new platform. */
export async function removeProject(
  platform: Platform,
  key: string,
  controlToken?: string,
): Promise<void> {
  const { status } = await platform.fetch(
    new Request(`http://platform.local/_platform/projects/${key}`, {
      method: 'DELETE',
      headers: controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` },
    }),
  )
  if (status >= 300 && status !== 404) throw new Error(`The project was not removed: ${status}`)
}
