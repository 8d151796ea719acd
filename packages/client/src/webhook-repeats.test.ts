import { describe, expect, it } from 'vitest'
import { receive } from './webhooks.ts'

const headers = { 'x-hook': 'secret', 'content-type': 'application/json' }
const request = (body: unknown): Request =>
  new Request('http://receiver.test/', { method: 'POST', headers, body: JSON.stringify(body) })

const imported = { UilmImportEvent: { ProjectKey: 'P1' }, IsSuccess: true }

describe('an event without an id', () => {
  const receiver = (now: () => number) => {
    const handled: unknown[] = []
    const options = { secret: 'secret', headerKey: 'x-hook', now }
    return {
      handled,
      hook: receive(options, { UilmImportEvent: (event) => void handled.push(event) }),
    }
  }

  it('is handled once if it is delivered again', async () => {
    const { handled, hook } = receiver(() => 1_000_000)
    for (let n = 0; n < 3; n++) expect((await hook(request(imported))).status).toBe(200)
    expect(handled).toEqual([imported])
  })

  it('is handled again when its content differs, or an hour has passed', async () => {
    let nowMs = 1_000_000
    const { handled, hook } = receiver(() => nowMs)
    await hook(request(imported))
    await hook(request({ ...imported, IsSuccess: false }))
    expect(handled).toHaveLength(2)
    nowMs += 3_600_000
    await hook(request(imported))
    expect(handled).toHaveLength(3)
  })

  it('is handled once when the deliveries are a minute apart, whatever the time', async () => {
    for (let startMs = 0; startMs < 3_600_000; startMs += 60_000) {
      let nowMs = startMs
      const { handled, hook } = receiver(() => nowMs)
      await hook(request(imported))
      nowMs += 60_000
      await hook(request(imported))
      expect(handled).toHaveLength(1)
    }
  })

  it('is not suppressed forever by repeated deliveries', async () => {
    let nowMs = 1_000_000
    const { handled, hook } = receiver(() => nowMs)
    for (let n = 0; n <= 12; n++, nowMs += 300_000) await hook(request(imported))
    expect(handled.length).toBeGreaterThan(2)
  })

  it('is handled again after its handler failed', async () => {
    let calls = 0
    const hook = receive(
      { secret: 'secret', headerKey: 'x-hook' },
      {
        UilmImportEvent: () => {
          if (calls++ === 0) throw new Error('the disk is full')
        },
      },
    )
    expect((await hook(request(imported))).status).toBe(500)
    expect((await hook(request(imported))).status).toBe(200)
    expect(calls).toBe(2)
  })
})

it('accepts a Request of another implementation, with a context next to it', async () => {
  const own = request(imported)
  // A Request of a polyfill or another realm is not an instance of the global one.
  const foreign = { method: own.method, headers: own.headers, body: own.body } as Request
  const hook = receive({ secret: 'secret', headerKey: 'x-hook' }, {})
  const withContext = hook as unknown as (request: Request, context: object) => Promise<Response>
  expect((await withContext(foreign, { waitUntil: () => undefined })).status).toBe(200)
})
