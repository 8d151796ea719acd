import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FormatName, formatNames } from '../src/index.ts'
import { controls, hostileParts, messagesOf, roundTrip, textsOf } from './hostile-messages.ts'

/** Formats in XML, which has no form for control characters. */
const withoutControls: ReadonlySet<FormatName> = new Set(['xliff', 'apple'])

describe('the round trip of 2,000 messages with hostile texts', () => {
  it.each(formatNames)('is equal in %s', { timeout: 120_000 }, async (format) => {
    const parts = withoutControls.has(format) ? hostileParts : [...hostileParts, ...controls]
    let count = 0
    await fc.assert(
      fc.asyncProperty(messagesOf(parts, 100), async (messages) => {
        count += messages.length
        const expected = textsOf(messages)
        expect(Object.fromEntries(await roundTrip(format, messages))).toEqual(
          Object.fromEntries(expected),
        )
      }),
      { numRuns: 20, seed: 39 },
    )
    expect(count).toBeGreaterThanOrEqual(2000)
  })
})
