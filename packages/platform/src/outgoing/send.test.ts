import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BlockedAddressError, senderTo } from './send.ts'

let server: Server
let port = 0
let requests: string[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (request.url === '/slow') return
    if (request.url === '/moved') return void response.writeHead(302, { location: '/' }).end()
    if (request.url === '/large') return void response.end('x'.repeat(2_000_000))
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => response.end(`${request.headers['x-name'] ?? ''} ${text}`))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const post = {
  method: 'POST',
  headers: { 'x-name': 'n' },
  body: 'täxt',
  timeoutMs: 20_000,
} as const
const sendHere = senderTo(new Set(['loopback']))

it.each(['127.0.0.1', 'localhost'])(
  'sends to %s when loopback addresses are allowed',
  async (host) => {
    const response = await sendHere({ ...post, url: `http://${host}:${port}/` })
    expect(response).toMatchObject({
      status: 200,
      headers: { connection: 'close' },
      text: 'n täxt',
    })
  },
)

it.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])(
  'sends nothing to %s by default',
  async (host) => {
    requests = []
    const sent = senderTo(new Set())({ ...post, url: `http://${host}:${port}/` })
    await expect(sent).rejects.toThrow(BlockedAddressError)
    expect(requests).toEqual([])
  },
)

it('does not follow a redirect', async () => {
  expect(await sendHere({ ...post, url: `http://127.0.0.1:${port}/moved` })).toMatchObject({
    status: 302,
  })
})

it('stops at its time limit and at the maximum response size', async () => {
  const slow = sendHere({ ...post, url: `http://127.0.0.1:${port}/slow`, timeoutMs: 50 })
  await expect(slow).rejects.toThrow('There was no response within 50 ms.')
  const large = sendHere({ ...post, url: `http://127.0.0.1:${port}/large` })
  await expect(large).rejects.toThrow('exceeds 1000000 bytes')
})

it('sends only HTTP and HTTPS', async () => {
  await expect(sendHere({ ...post, url: 'file:///etc/passwd' })).rejects.toThrow(
    BlockedAddressError,
  )
})
