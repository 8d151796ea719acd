import { onEachEngine } from '@servicekit/testing/engines'
import { project } from '@servicekit/testing/projects'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Platform, PlatformOptions } from '../src/index.ts'

type Trace = NonNullable<PlatformOptions['trace']>

const total = 20_000
const numbers = Array.from({ length: total }, (_, n) => String(n))
const textOf = (n: string) => `The item with the number ${n} is not available in the shop right now`
/** Text whose trigrams do not fit into a row of an index. */
const longText = Array.from({ length: 20_000 }, (_, n) => (n * 7919).toString(36)).join(' ')
const textsOf = (text: (n: string) => string) =>
  Object.fromEntries(numbers.map((n) => [`K${n}`, text(n)]))

onEachEngine((engine) => {
  describe('suggestions among 20,000 similar texts', () => {
    let platform: Platform
    let readRows = 0
    /** Counts the rows that statements return. */
    const trace: Trace = async (_kind, _attributes, run) => {
      const result = await run()
      readRows += (result as { readonly rows?: readonly unknown[] } | undefined)?.rows?.length ?? 0
      return result
    }
    beforeAll(async () => {
      const texts = {
        en: { m: { ...textsOf(textOf), SAVE: '変更を保存', DOTS: '…', LONG: longText } },
        de: {
          m: {
            ...textsOf((n) => `Artikel ${n} fehlt`),
            SAVE: 'Änderungen speichern',
            DOTS: '...',
            LONG: 'lang',
          },
        },
      }
      platform = await engine.open({ trace, projects: [project('P', texts)] })
    }, 120_000)

    const suggest = async (sourceText: string) => {
      readRows = 0
      const body = {
        elementType: 'label',
        elementApplicationContext: 'a shop',
        elementDetailContext: 'explains',
        temperature: 1,
        sourceText,
        currentLanguage: 'en',
        destinationLanguage: 'de',
      }
      const response = await platform.fetch(
        new Request('http://local/uilm/v1/Assistant/GetTranslationSuggestion', {
          method: 'POST',
          headers: { 'x-service-key': 'P' },
          body: JSON.stringify(body),
        }),
      )
      const { suggestions } = (await response.json()) as {
        readonly suggestions: readonly {
          readonly translation: string
          readonly confidence: number
        }[]
      }
      return suggestions
    }

    it.each([
      ['an equal text', textOf('777'), 'Artikel 777 fehlt', 1],
      ['a similar text', `${textOf('777')}!`, 'Artikel 777 fehlt', 0.98],
      ['a text of a language without spaces', '変更を保存。', 'Änderungen speichern', 0.92],
      ['a text without letters', '…', '...', 1],
      ['an equal text of 100,000 characters', longText, 'lang', 1],
    ])('finds %s, and reads at most 100 rows', async (_, text, translation, confidence) => {
      expect((await suggest(text))[0]).toMatchObject({ translation, confidence })
      expect(readRows).toBeGreaterThan(0)
      expect(readRows).toBeLessThanOrEqual(100)
    })

    it('reads at most 100 rows if no text is similar', async () => {
      expect(await suggest('Recalibrate')).toEqual([])
      expect(readRows).toBeLessThanOrEqual(100)
    })
  })
})
