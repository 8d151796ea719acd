import { describe, expect, it, vi } from 'vitest'
import { fetchTransport } from './transport-fetch.ts'

const request = {
  method: 'GET',
  url: 'http://platform.test/read',
  headers: {},
  signal: new AbortController().signal,
  maxBytes: 1000,
}

describe('fetchTransport', () => {
  it('sends cookies and follows no redirects', async () => {
    let sent: Request | undefined
    await fetchTransport((one) => {
      sent = one
      return new Response('')
    }).send(request)
    expect(sent).toMatchObject({ credentials: 'include', redirect: 'manual' })
  })

  it('omits the credentials option in runtimes that reject it', async () => {
    const given: RequestInit[] = []
    vi.stubGlobal('Request', function (_: string, init: RequestInit) {
      given.push(init)
    })
    await fetchTransport(() => new Response('')).send(request)
    expect(given[0]).not.toHaveProperty('credentials')
  })

  it('looks up the global fetch at each request', async () => {
    const transport = fetchTransport()
    vi.stubGlobal('fetch', async () => new Response('"now"', { headers: { 'X-A': '1' } }))
    expect(await transport.send(request)).toEqual({
      status: 200,
      headers: expect.objectContaining({ 'x-a': '1' }),
      text: '"now"',
    })
  })

  it('reports a body that was cut to nothing', async () => {
    const cut = fetchTransport(() => new Response('', { headers: { 'content-length': '7' } }))
    await expect(cut.send(request)).rejects.toThrow('the response is truncated')
    const head = { status: 304, headers: { 'content-length': '7' } }
    const unchanged = fetchTransport(() => new Response(null, head))
    expect(await unchanged.send(request)).toMatchObject({ status: 304, text: '' })
  })
})
