import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isObject, parseJson } from '@servicekit/core'
import type { UilmOptions } from '../options.ts'

export interface WebhookOptions {
  readonly secret: UilmOptions['webhook']
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
  const respond = (status: number): void => void response.writeHead(status).end()
  if (request.method !== 'POST') return respond(405)
  if (options.secret && !hasSecret(request, options.secret)) return respond(401)
  const body = await readBody(request)
  if (body === undefined) return respond(413)
  const event = readEvent(body)
  if (!event) return respond(400)
  respond(204)
  options.onEvent(event.moduleId)
}

function hasSecret(
  request: IncomingMessage,
  { headerKey, secret }: NonNullable<UilmOptions['webhook']>,
): boolean {
  // Node decodes header values as Latin-1. This restores the bytes that were sent.
  const given = Buffer.from(String(request.headers[headerKey.toLowerCase()] ?? ''), 'latin1')
  const expected = Buffer.from(secret)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Reads the body of a request; undefined if it is too large. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Reads a change event of the service; undefined if the text is none. */
export function readEvent(body: string): { readonly moduleId: string | undefined } | undefined {
  const event = parseJson(body)
  const name = isObject(event) ? events.find((one) => one in event) : undefined
  if (!isObject(event) || name === undefined) return undefined
  const { [name]: content } = event
  const id = isObject(content) ? content['ModuleId'] : undefined
  return { moduleId: typeof id === 'string' && id !== '' ? id : undefined }
}
