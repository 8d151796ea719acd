import { collectGarbage, startStallingServer } from '@servicekit/testing/stalling-server'
import { expect, it } from 'vitest'
import { senderTo } from './send.ts'

const post = { method: 'POST', headers: {}, body: '', timeoutMs: 500 } as const
const sendHere = senderTo(new Set(['loopback']))

it.each([
  ['its time limit', post, undefined, 'There was no response within 500 ms.'],
  ['the end of the platform', { ...post, timeoutMs: 20_000 }, 500, 'aborted'],
] as const)(
  'ends a stalled body with %s, despite garbage collection',
  async (_, request, endMs, message) => {
    collectGarbage()
    const end = new AbortController()
    if (endMs !== undefined) setTimeout(() => end.abort(), endMs)
    const url = await startStallingServer()
    await expect(sendHere({ ...request, url }, end.signal)).rejects.toThrow(message)
  },
)
