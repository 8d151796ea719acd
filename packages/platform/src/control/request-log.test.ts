import { expect, it } from 'vitest'
import { createRequestLog } from './request-log.ts'

const request = (requestId: string, project: string | null = null, durationMs = 30) => ({
  requestId,
  at: '2026-01-01T00:00:00.000Z',
  method: 'GET',
  path: '/',
  operation: 'a.b',
  project,
  status: 200,
  durationMs,
})

it('keeps the most recent requests, newest first', () => {
  const log = createRequestLog()
  for (let index = 0; index < 2500; index++) log.add(request(String(index), index % 2 ? 'P' : null))
  const ids = log.recent(3).map(({ requestId }) => requestId)
  expect(ids).toEqual(['2499', '2498', '2497'])
  expect(log.recent(2, 'P').map(({ requestId }) => requestId)).toEqual(['2499', '2497'])
  expect(log.recent(100_000).length).toBeLessThanOrEqual(500)
  log.clear()
  expect(log.recent(3)).toEqual([])
})

it('counts requests and durations by operation and status', () => {
  const log = createRequestLog()
  for (const time of [3, 30, 300]) log.add(request('x', null, time))
  log.add({ ...request('x'), status: 404 })
  const lines = log.metrics()
  expect(lines).toContain('servicekit_requests_total{operation="a.b",method="GET",status="200"} 3')
  expect(lines).toContain('servicekit_request_seconds_bucket{operation="a.b",le="0.005"} 1')
  expect(lines).toContain('servicekit_request_seconds_bucket{operation="a.b",le="0.05"} 3')
  expect(lines).toContain('servicekit_request_seconds_bucket{operation="a.b",le="+Inf"} 4')
  expect(lines).toContain('servicekit_request_seconds_sum{operation="a.b"} 0.363')
})
