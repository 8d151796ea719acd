import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddReport, KeyDraft } from '@servicekit/catalog'
import { isLoopbackHost, isObject, parseJson } from '@servicekit/core'
import { readBody } from './webhook.ts'

/** Path on the development server that creates keys. */
export const keyPath = '/__uilm/keys'

/** New key that a page sends. */
interface SentKey extends KeyDraft {
  readonly newModules: boolean
}

export interface ReceiveKeyOptions {
  /** Token of this start of the server, which its pages have. */
  readonly token: string
  readonly add: (key: SentKey) => Promise<AddReport>
}

/**
 * Handles a request of a page to create a key. Any web page can send requests to this machine, so
 * only pages of this server are accepted: the request comes from this machine, its `Origin` is
 * the server's own loopback address, and it has the token of this start.
 *
 * Responds with 204 if the key exists afterwards, 403 to other pages, 409 if it exists with
 * another text, 400 for an invalid body and 422 if the key cannot be created.
 */
export async function receiveKey(
  request: IncomingMessage,
  response: ServerResponse,
  { token, add }: ReceiveKeyOptions,
): Promise<void> {
  const respond = (status: number, message = ''): void =>
    void response
      .writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
      .end(status === 204 ? undefined : message)
  if (request.method !== 'POST') return respond(405, 'Use POST.')
  if (!isOwnPage(request) || !hasToken(request, token)) {
    return respond(403, 'Keys can be added only by pages of this server, on this machine.')
  }
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return respond(415, 'Send JSON.')
  }
  const body = await readBody(request)
  if (body === undefined) return respond(413, 'The request is too large.')
  const key = readKey(body)
  if (!key) return respond(400, 'The request is not a key with its text.')
  try {
    const { conflicts } = await add(key)
    if (!conflicts[0]) return respond(204)
    return respond(409, `The key exists with the text ${JSON.stringify(conflicts[0].existing)}.`)
  } catch (error) {
    respond(422, error instanceof Error ? error.message : String(error))
  }
}

/** Returns whether a request is sent by a page of this server on this machine. */
function isOwnPage({ headers, socket }: IncomingMessage): boolean {
  const { host = '', origin = '' } = headers
  const site = headers['sec-fetch-site'] ?? 'same-origin'
  if (site !== 'same-origin' || !isLoopbackHost(socket.remoteAddress ?? '')) return false
  // The host is checked too: a name of another site may resolve to this machine.
  if (!URL.canParse(origin) || !isLoopbackHost(new URL(origin).hostname)) return false
  return new URL(origin).host === host
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(String(headers['x-uilm-token'] ?? ''))
  const expected = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function readKey(body: string): SentKey | undefined {
  const sent = parseJson(body)
  if (!isObject(sent)) return undefined
  const { module, key, text, context, maxLength, newModules = false } = sent
  if (typeof module !== 'string' || typeof key !== 'string' || typeof text !== 'string') {
    return undefined
  }
  if (context !== undefined && typeof context !== 'string') return undefined
  if (maxLength !== undefined && typeof maxLength !== 'number') return undefined
  return {
    module,
    key,
    text,
    ...(context === undefined ? {} : { context }),
    ...(maxLength === undefined ? {} : { maxLength }),
    newModules: newModules === true,
  }
}
