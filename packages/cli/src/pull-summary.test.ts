import { type Catalog, modelOf } from '@servicekit/catalog'
import { describe, expect, it } from 'vitest'
import { formatPullSummary } from './pull-summary.ts'

const catalogOf = (texts: Readonly<Record<string, Readonly<Record<string, string>>>>): Catalog => ({
  defaultLanguage: 'en-US',
  languages: Object.keys(texts).map((code) => ({ code, name: code })),
  modules: [
    {
      name: 'cart',
      translations: new Map(
        Object.entries(texts).map(([code, one]) => [code, new Map(Object.entries(one))]),
      ),
    },
  ],
})

const summary = (before: Catalog | undefined, after: Catalog): string =>
  formatPullSummary(before, modelOf(after, { syntax: 'double-brace', fallback: {} }))

describe('formatPullSummary', () => {
  it('counts and lists what was added, changed, removed and is missing', () => {
    const before = catalogOf({
      'en-US': { BUY: 'Buy', OLD: 'Old' },
      'de-DE': { BUY: 'Kaufen' },
      'fr-FR': { BUY: 'Acheter' },
    })
    const after = catalogOf({ 'en-US': { BUY: 'Buy now', NEW: 'New' }, 'de-DE': { BUY: 'Kaufen' } })
    expect(summary(before, after)).toBe(`## Translations

3 translations changed.

| language | added | changed | removed | missing | translated |
| --- | --- | --- | --- | --- | --- |
| en-US | 1 | 1 | 1 | 0 | 100 % |
| de-DE | 0 | 0 | 0 | 1 | 50 % |

Removed languages: fr-FR.

<details><summary>Changes (3)</summary>

| language | module | key | before | after |
| --- | --- | --- | --- | --- |
| en-US | \`cart\` | \`BUY\` | \`Buy\` | \`Buy now\` |
| en-US | \`cart\` | \`NEW\` |  | \`New\` |
| en-US | \`cart\` | \`OLD\` | \`Old\` |  |

</details>

<details><summary>Missing translations (1)</summary>

| language | module | key |
| --- | --- | --- |
| de-DE | \`cart\` | \`NEW\` |

</details>
`)
  })

  it('states that nothing changed', () => {
    const same = catalogOf({ 'en-US': { BUY: 'Buy' } })
    expect(summary(same, same)).toContain('No translation changed.')
    expect(summary(same, same)).not.toContain('<details>')
  })

  it('shows texts as code, so that they mention nobody and break no table', () => {
    const text = summary(undefined, catalogOf({ 'en-US': { A: '@team a|b\n<b>`x`' } }))
    expect(text).toContain('| `` @team a\\|b <b>`x` `` |')
  })

  it('stays below the size of a pull request', () => {
    const many = Array.from({ length: 3000 }, (_, index) => [`KEY_${index}`, 'x'.repeat(5000)])
    const text = summary(undefined, catalogOf({ 'en-US': Object.fromEntries(many), 'de-DE': {} }))
    expect(text.length).toBeLessThan(65_536)
    expect(text).toContain('<summary>Changes (3000)</summary>')
    expect(text).toContain('And 2900 more.')
  })
})
