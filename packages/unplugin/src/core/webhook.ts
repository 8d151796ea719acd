import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface WebhookOptions {
  readonly secret: { readonly headerKey: string; readonly secret: string } | undefined
  /** Called once per accepted event with the id of the changed module. Not awaited. */
  readonly onEvent: (moduleId: string | undefined) => void
}

/** Path on the development server that the platform's webhook can call. */
export const webhookPath = '/__uilm/webhook'

/** Top-level properties of events after which translations may differ (section 6). */
const events = ['GenerateUilmFilesEvent', 'TranslateAllEvent', 'UilmImportEvent']

const maxBytes = 64 * 1024

/**
 * Handles a webhook request. Responds with 204 for an event, 401 for a wrong secret, 405
 * for a method other than POST, 413 for a body that is too large and 400 for any other
 * body. Events only trigger a refresh, so a duplicate is harmless.
 */
export async function receiveWebhook(
  request: IncomingMessage,
  response: ServerResponse,
  options: WebhookOptions,
): Promise<void> {
  const answer = (status: number): void => void response.writeHead(status).end()
  if (request.method !== 'POST') return answer(405)
  if (options.secret && !carriesSecret(request, options.secret)) return answer(401)
  const body = await readBody(request)
  if (body === undefined) return answer(413)
  const event = readEvent(body)
  if (!event) return answer(400)
  answer(204)
  options.onEvent(event.moduleId)
}

function carriesSecret(
  request: IncomingMessage,
  { headerKey, secret }: NonNullable<WebhookOptions['secret']>,
): boolean {
  // Node decodes header values as Latin-1. This restores the bytes that were sent.
  const given = Buffer.from(String(request.headers[headerKey.toLowerCase()] ?? ''), 'latin1')
  const expected = Buffer.from(secret)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readEvent(body: string): { readonly moduleId: string | undefined } | undefined {
  try {
    const event = JSON.parse(body) as Readonly<Record<string, unknown>> | null
    if (typeof event !== 'object' || event === null) return undefined
    const name = events.find((name) => name in event)
    if (name === undefined) return undefined
    const { ModuleId: id } = (event[name] ?? {}) as { readonly ModuleId?: unknown }
    return { moduleId: typeof id === 'string' && id !== '' ? id : undefined }
  } catch {
    return undefined
  }
}
