import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toInstant } from './instant.ts'

it.each([
  ['2025-03-19T06:00:00.000Z', '2025-03-19T06:00:00.000Z'],
  ['2025-03-19T06:00:00Z', '2025-03-19T06:00:00.000Z'],
  ['2025-03-19T06:00Z', '2025-03-19T06:00:00.000Z'],
  ['2025-03-19', '2025-03-19T00:00:00.000Z'],
  ['2025-03-19T06:00:00', '2025-03-19T06:00:00.000Z'],
  ['2025-03-19 06:00:00+02:00', '2025-03-19T04:00:00.000Z'],
  ['2025-03-19T06:00:00-0530', '2025-03-19T11:30:00.000Z'],
  ['2025-03-19T06:00:00.1Z', '2025-03-19T06:00:00.100Z'],
  ['2025-03-19T06:00:00.1234567Z', '2025-03-19T06:00:00.123Z'],
  ['2024-02-29T23:59:59.999+00:00', '2024-02-29T23:59:59.999Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
])('reads %s', (text, instant) => {
  expect(toInstant(text)).toBe(instant)
})

it.each([
  '',
  'today',
  '2025-02-29',
  '2025-13-01',
  '2025-00-01',
  '2025-01-32',
  '2025-01-01T24:00:00Z',
  '2025-01-01T00:60:00Z',
  '2025-01-01T00:00:60Z',
  '2025-01-01T00:00:00+24:00',
  '2025-01-01T00:00:00+01:60',
  '2025-01-01T00:00:00-9999',
  '2025-1-1',
  '20250101',
  '12025-01-01',
  '9999-12-31T23:00:00-02:00',
  '0000-12-31',
  '0001-01-01T00:00:00+14:00',
  '2025-01-01T00:00:00Z; drop table',
])('rejects %s', (text) => {
  expect(toInstant(text)).toBeUndefined()
})

it('agrees with Date on every instant, and keeps their order', () => {
  const instant = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      expect(toInstant(a.toISOString())).toBe(a.toISOString())
      expect(toInstant(a.toISOString())! < toInstant(b.toISOString())!).toBe(a < b)
    }),
  )
})
