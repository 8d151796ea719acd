import { ServicekitError } from '@servicekit/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatNames } from '../src/index.ts'
import { controls, hostileParts, nameOf, roundTrip, textOf, textsOf } from './hostile-messages.ts'

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
      // An error for every case would prove nothing.
      expect(refused).toBeLessThan(60)
    },
  )
})
