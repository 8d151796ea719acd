import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { senderTo } from '../outgoing/send.ts'
import { libreTranslateProvider } from './libretranslate-provider.ts'
import { openAiProvider } from './openai-provider.ts'
import type { SuggestionRequest } from './provider.ts'

let server: Server
let baseUrl = ''
let received: { url: string; authorization: string | undefined; body: Record<string, unknown> }[] =
  []
let response: { status: number; body: unknown }
beforeAll(async () => {
  server = createServer((request, outgoing) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      const { url = '', headers } = request
      const body = JSON.parse(text) as Record<string, unknown>
      received.push({ url, authorization: headers.authorization, body })
      outgoing.writeHead(response.status).end(JSON.stringify(response.body))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
})
afterAll(() => server.close())

const send = senderTo(new Set(['loopback']))
const request: SuggestionRequest = {
  elementType: 'button',
  elementApplicationContext: 'a shop',
  elementDetailContext: 'saves',
  temperature: 0.2,
  maxCharacterLength: 12,
  sourceText: 'Save {{name}}',
  destinationLanguage: 'de-DE',
  currentLanguage: 'en-US',
}

it('sends the request to an OpenAI-compatible service and parses its suggestions', async () => {
  const content = '```json\n{"suggestions": [{"translation": "{{name}} sichern"}]}\n```'
  response = { status: 200, body: { choices: [{ message: { role: 'assistant', content } }] } }
  received = []
  const provider = openAiProvider({ kind: 'openai', baseUrl, model: 'm', apiKey: 'k' }, send)
  expect(await provider.propose(request, {} as never)).toEqual([
    { translation: '{{name}} sichern', confidence: 0.5, explanation: '', alternatives: [] },
  ])
  expect(received[0]).toMatchObject({
    url: '/v1/chat/completions',
    authorization: 'Bearer k',
    body: { model: 'm', temperature: 0.2, response_format: { type: 'json_object' } },
  })
  const body = JSON.stringify(received[0]!.body)
  for (const part of ['Save {{name}}', 'de-DE', 'a shop', 'maxCharacterLength']) {
    expect(body).toContain(part)
  }
})

it('sends base languages to LibreTranslate', async () => {
  response = { status: 200, body: { translatedText: 'Sichern', alternatives: ['Speichern'] } }
  received = []
  const provider = libreTranslateProvider({ kind: 'libretranslate', baseUrl, apiKey: 'k' }, send)
  expect(await provider.propose(request, {} as never)).toMatchObject([
    { translation: 'Sichern', alternatives: ['Speichern'] },
  ])
  expect(received[0]).toMatchObject({
    url: '/v1/translate',
    body: { q: 'Save {{name}}', source: 'en', target: 'de', api_key: 'k' },
  })
})

it('rejects when a service responds with an error', async () => {
  response = { status: 500, body: {} }
  const openAi = openAiProvider({ kind: 'openai', baseUrl, model: 'm' }, send)
  await expect(openAi.propose(request, {} as never)).rejects.toThrow(
    'The OpenAI-compatible service responded with 500.',
  )
  response = { status: 200, body: { error: 'no' } }
  const libre = libreTranslateProvider({ kind: 'libretranslate', baseUrl }, send)
  await expect(libre.propose(request, {} as never)).rejects.toThrow('translatedText')
})
