import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSame, receive, recentEvents } from './webhook-receiver.ts'

describe('isSame', () => {
  it('compares any two strings', () => {
    const strings = fc.string({ minLength: 1 })
    fc.assert(
      fc.property(fc.string(), strings, (a, b) => {
        expect(isSame(b, b)).toBe(true)
        expect(isSame(a, b)).toBe(a === b)
      }),
    )
  })

  it('distinguishes a string from its repetition and its prefix', () => {
    for (const given of ['', 'a', 'ab', 'abcabc', 'abcabcabc', 'abd', 'bbc']) {
      expect(isSame(given, 'abc')).toBe(false)
    }
  })
})

describe('recentEvents', () => {
  it('keeps the last events, the oldest first', () => {
    const seen = recentEvents(3)
    for (const id of ['a', 'b', 'b', 'c', 'd']) seen.add(id)
    expect(['a', 'b', 'c', 'd', 'e'].map((id) => seen.has(id))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
  })
})

describe('receive', () => {
  const event = { TranslateAllEvent: { MessageCoRelationId: 'm1' } }
  const secret = 'secret'
  /** Sends bodies to one receiver, like a framework that has parsed them. */
  const receiver = (options: Partial<Parameters<typeof receive>[0]> = {}) => {
    const handled: unknown[] = []
    const hook = receive(
      { secret, headerKey: 'X-Hook', ...options },
      {
        TranslateAllEvent: (one) => void handled.push(one),
        other: (one) => void handled.push(one),
      },
    )
    const send = async (
      body: unknown,
      headers: Record<string, string | string[]> = { 'content-length': '2' },
    ): Promise<number> => {
      const response = { statusCode: 0, end: () => undefined }
      const request = { method: 'POST', headers: { 'x-hook': secret, ...headers }, body }
      await hook(request as never, response)
      return response.statusCode
    }
    return { send, handled, hook }
  }

  it('accepts a parsed body, text and bytes', async () => {
    const { send, handled } = receiver()
    const bodies = ['m1', 'm2', 'm3'].map((id) => ({
      TranslateAllEvent: { MessageCoRelationId: id },
    }))
    const [parsed, text, bytes] = bodies
    expect(await send(parsed)).toBe(200)
    expect(await send(JSON.stringify(text))).toBe(200)
    expect(await send(new TextEncoder().encode(JSON.stringify(bytes)))).toBe(200)
    expect(handled).toEqual(bodies)
    for (const body of ['{', new Uint8Array([123]), 7, true]) expect(await send(body)).toBe(400)
  })

  it('responds with 400 to a request without a body', async () => {
    const { hook } = receiver()
    const request = new Request('http://receiver.test/', {
      method: 'POST',
      headers: { 'x-hook': secret },
    })
    expect((await hook(request)).status).toBe(400)
  })

  it('reads the first value of a header that was sent several times', async () => {
    const { send } = receiver()
    expect(await send(event, { 'x-hook': [secret, 'other'] })).toBe(200)
    expect(await send(event, { 'x-hook': ['other', secret] })).toBe(401)
  })

  it('accepts maxBytes, and rejects more by header or by length', async () => {
    const maxBytes = JSON.stringify(event).length
    const { send } = receiver({ maxBytes })
    expect(await send(event, { 'content-length': String(maxBytes) })).toBe(200)
    expect(await send(event, { 'content-length': String(maxBytes + 1) })).toBe(413)
    // Without the header, the framework has read what it allows.
    expect(await send(event, {})).toBe(200)
    expect(await send({ ...event, more: 1 }, {})).toBe(413)
    // With it, the body was not longer as it was sent, such as with shorter escapes.
    expect(await send({ ...event, more: 1 }, { 'content-length': String(maxBytes) })).toBe(200)
  })

  it('handles an id once, whatever the content, and unknown events each time', async () => {
    const { send, handled } = receiver()
    await send(event)
    await send({ ...event, Response: true })
    expect(handled).toEqual([event])
    const unknown = { NewEvent: {} }
    await send(unknown)
    await send(unknown)
    expect(handled).toEqual([event, unknown, unknown])
  })

  it('responds with 500 without onError, and handles the event when it comes again', async () => {
    let calls = 0
    const { send } = receiver()
    const failing = receive(
      { secret, headerKey: 'x-hook' },
      {
        TranslateAllEvent: () => {
          if (calls++ === 0) throw new Error('the disk is full')
        },
      },
    )
    const request = () =>
      new Request('http://receiver.test/', {
        method: 'POST',
        headers: { 'x-hook': secret },
        body: JSON.stringify(event),
      })
    expect((await failing(request())).status).toBe(500)
    expect((await failing(request())).status).toBe(200)
    expect(calls).toBe(2)
    const seen = {
      has: () => Promise.reject(new Error('the store is down')),
      add: () => undefined,
    }
    expect(await receiver({ seen }).send(event)).toBe(500)
    expect(await send(event)).toBe(200)
  })
})
