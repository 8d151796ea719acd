import { describe, expect, it } from 'vitest'
import { callNodeHandler } from './call-node-handler.ts'

const at = { url: new URL('https://out.example/base/path?q=1'), mountPath: '/base' }

describe('a Node handler', () => {
  it('receives a Node request, and its response becomes a Fetch response', async () => {
    const request = new Request('http://in.example/x', {
      method: 'POST',
      headers: { cookie: 'a=b', 'x-one': '1' },
    })
    const response = await callNodeHandler(
      async (incoming, outgoing) => {
        const chunks: Buffer[] = []
        for await (const chunk of incoming) chunks.push(chunk as Buffer)
        outgoing.statusCode = 201
        outgoing.setHeader('set-cookie', ['a=1', 'b=2'])
        outgoing.write('got ')
        outgoing.end(
          JSON.stringify({
            body: Buffer.concat(chunks).toString(),
            url: incoming.url,
            host: incoming.headers.host,
            cookie: incoming.headers.cookie,
            isSecure: (incoming.socket as { encrypted?: boolean }).encrypted,
          }),
        )
      },
      request,
      at,
      'büdy',
    )
    expect(response.status).toBe(201)
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    const text = await response.text()
    expect(JSON.parse(text.slice(4))).toEqual({
      body: 'büdy',
      url: '/path?q=1',
      host: 'out.example',
      cookie: 'a=b',
      isSecure: true,
    })
  })

  it('rejects with the error of the handler, and responds without a body', async () => {
    const request = new Request('http://in.example/')
    const failing = callNodeHandler(() => Promise.reject(new Error('broken')), request, at)
    await expect(failing).rejects.toThrow('broken')
    const empty = await callNodeHandler((_, response) => response.writeHead(204).end(), request, at)
    expect([empty.status, empty.body]).toEqual([204, null])
  })
})
