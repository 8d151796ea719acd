import { ServicekitError } from '@servicekit/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FormatName, formatNames } from '../src/index.ts'
import { controls, hostileParts, nameOf, roundTrip, textOf, textsOf } from './hostile-messages.ts'

/**
 * Cases of the 60 below that a format refuses: XML has no control characters, and names of Android
 * and ARB are identifiers.
 */
const refusedCases: Partial<Record<FormatName, number>> = {
  arb: 2,
  xliff: 24,
  xliff2: 9,
  android: 50,
}

describe('the round trip of messages with any names and texts', () => {
  const anyMessages = fc.uniqueArray(
    fc.record({
      module: fc.constantFrom('common', 'Shop/Cart', 'a.b', 'übersicht'),
      key: fc
        .oneof(textOf([...hostileParts, ...controls, '.', '_other', '_one']), nameOf)
        .filter((key) => key.trim() !== ''),
      texts: textOf([...hostileParts, ...controls]).map(
        (text) =>
          new Map([
            ['en-US', text],
            ['de-DE', `${text}.`],
          ]),
      ),
    }),
    { selector: ({ module, key }) => `${module}\n${key}`, maxLength: 8 },
  )

  it.each(formatNames)(
    'is equal in %s, or an error names the message',
    { timeout: 120_000 },
    async (format) => {
      let refused = 0
      await fc.assert(
        fc.asyncProperty(anyMessages, async (messages) => {
          const expected = Object.fromEntries(textsOf(messages))
          const keys = messages.map(({ key }) => key)
          const found = await roundTrip(format, messages).catch((error: unknown) => error)
          const isRefused =
            found instanceof ServicekitError &&
            found.code === 'EMIT_FAILED' &&
            keys.some((key) => key.includes(String(found.details['key'])))
          if (isRefused) refused++
          expect(isRefused || Object.fromEntries(found as Map<string, string>)).toEqual(
            isRefused || expected,
          )
        }),
        { numRuns: 60, seed: 39 },
      )
      expect(refused).toBe(refusedCases[format] ?? 0)
    },
  )
})
