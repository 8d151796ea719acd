import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { importFunction } from './import-writer.ts'

const received: (string | undefined)[][] = []
const server = createServer((request, response) => {
  const { headers } = request
  received.push([
    headers.authorization,
    String(headers['x-blocks-key']),
    headers['x-team'] as string,
  ])
  response.writeHead(request.url === '/refused' ? 401 : 200).end()
})
let port = 0

beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, done))
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())
beforeEach(() => {
  vi.stubEnv('SERVICEKIT_TOKEN', 'canary-token')
  received.length = 0
})

/** Sends one key to an import route of the service at 127.0.0.1. */
const push = (url: string) => {
  const service = {
    baseUrl: `http://127.0.0.1:${port}`,
    projectKey: 'P1',
    preset: 'deployed',
    keyHeader: undefined,
    headers: { 'X-Team': 'shop' },
  } as const
  const signal = new AbortController().signal
  return importFunction({ url }, service)([{ module: 'm', key: 'A', text: 'a' }], {
    language: 'en',
    signal,
  })
}

it('sends the credentials and headers of the service to its own import route', async () => {
  await push('{baseUrl}/import?key={projectKey}')
  expect(received).toEqual([['Bearer canary-token', 'P1', 'shop']])
})

it('sends neither to another origin', async () => {
  await push(`http://localhost:${port}/import`)
  expect(received).toEqual([[undefined, 'P1', undefined]])
})

it('names the variables if the import route refuses the caller', async () => {
  const failed = push('{baseUrl}/refused')
  await expect(failed).rejects.toThrow(/refused the credentials of SERVICEKIT_TOKEN/)
  await expect(failed).rejects.not.toThrow(/canary/)
})
