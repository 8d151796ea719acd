import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FileEntry, readTranslations } from '../src/index.ts'

const fixtures = join(import.meta.dirname, 'fixtures')

async function read(path: string) {
  const bytes = readFileSync(join(fixtures, path))
  const [file] = await readTranslations({ path, bytes }, { languages: ['en-US', 'de-DE'] })
  return file!
}

const rowsOf = (entries: readonly FileEntry[]) =>
  entries.map(({ module, language, key, value, state, isSource }) =>
    [
      module ?? '-',
      language ?? '-',
      `${key}${isSource ? ' (source)' : ''}${state ? ` (${state})` : ''}`,
      value,
    ].join(' | '),
  )

describe('files of other tools', () => {
  it('reads nested JSON of Tolgee with plural suffixes', async () => {
    const { entries } = await read('tolgee/de.json')
    expect(rowsOf(entries)).toEqual([
      'tolgee | de | cart.checkout | Zur Kasse',
      'tolgee | de | cart.empty | Ihr Warenkorb ist leer.',
      'tolgee | de | greeting | Hallo {{nmae}}!',
      'tolgee | de | items_one | {{count}} Artikel',
      'tolgee | de | items_other | {{count}} Artikel',
    ])
    expect(entries.map(({ line }) => line)).toEqual([3, 4, 6, 7, 8])
  })

  it('reads XLIFF of Tolgee', async () => {
    const { entries } = await read('tolgee/de.xliff')
    expect(rowsOf(entries)).toEqual([
      'tolgee | en | cart.checkout (source) | Check out',
      'tolgee | de | cart.checkout | Zur Kasse',
      'tolgee | en | greeting (source) | Hello {{name}}!',
      'tolgee | de | greeting | Hallo {{name}}!',
    ])
    expect(entries[0]?.context).toBe('Button in the cart')
  })

  it('reads names, states, limits and inline elements in XLIFF of Crowdin', async () => {
    const { entries } = await read('crowdin/shop-de.xliff')
    expect(rowsOf(entries).filter((row) => !row.includes('(source)'))).toEqual([
      '/main/shop.json | de | cart.checkout (reviewed) | Zur Kasse',
      '/main/shop.json | de | cart.empty (needs-review) | Ihr Warenkorb ist leer.',
      '/main/shop.json | de | cart.total (untranslated) | Total: {{amount}}',
      '/main/shop.json | de | cart.note (needs-review) | <b>Freie</b> Lieferung',
    ])
    expect(entries.at(-1)?.maxLength).toBe(20)
  })

  it('reads strings, plurals, lists and tags of Android, and says what it leaves out', async () => {
    const { entries, skipped } = await read('android/values/strings.xml')
    expect(rowsOf(entries)).toEqual([
      '- | - | app_name | Shop',
      '- | - | cart_checkout | Check out',
      '- | - | cart_hint | It\'s "free"\nand fast',
      '- | - | cart_quoted |   kept  ',
      '- | - | cart_terms | Read the <b>terms</b> of %1$s',
      '- | - | sizes.0 | Small',
      '- | - | sizes.1 | Large',
      '- | - | items_one | %d item',
      '- | - | items_other | %d items',
    ])
    expect(entries[1]?.context).toBe('Button in the cart')
    expect(skipped).toEqual([
      { key: 'cart_alias', line: 9, reason: 'refers to another resource' },
      { key: 'red', line: 18, reason: 'is a resource of the kind color' },
    ])
    const german = await read('android/values-de/strings.xml')
    expect(german.entries[0]?.language).toBe('de')
  })

  it('reads contexts, plurals and fuzzy texts in PO that msgmerge wrote', async () => {
    const { entries } = await read('gettext/locale/de/LC_MESSAGES/shop.po')
    expect(rowsOf(entries).filter((row) => !row.includes('(source)'))).toEqual([
      'shop | de | Check out | Zur Kasse',
      'shop | de | %d item_one | %d Artikel',
      'shop | de | %d item_other | %d Artikel (alle)',
      'shop | de | menu.Open | Öffnen',
      'shop | de | Older text (needs-review) | Alter Text',
    ])
    expect(rowsOf(entries)).toContain('shop | - | %d item_other (source) | %d items')
    expect(entries[0]).toMatchObject({ line: 22, context: 'TRANSLATORS: Button in the cart' })
  })

  it('reads .strings, .stringsdict and string catalogs of Apple', async () => {
    const strings = await read('apple/de.lproj/Shop.strings')
    expect(rowsOf(strings.entries)).toEqual([
      'Shop | de | cart.checkout | Zur Kasse',
      'Shop | de | greeting | Hallo "%@"!\nä',
    ])
    const plurals = await read('apple/de.lproj/Shop.stringsdict')
    expect(rowsOf(plurals.entries)).toEqual([
      'Shop | de | items_one | Noch %d Artikel.',
      'Shop | de | items_other | Noch %d Artikel.',
    ])
    const catalog = await read('apple/Shop.xcstrings')
    expect(rowsOf(catalog.entries)).toEqual([
      'Shop | de | Check out | Zur Kasse',
      'Shop | fr | Check out (needs-review) | Payer',
      'Shop | en | Check out (source) | Check out',
      'Shop | en | items_one | %lld item',
      'Shop | en | items_other | %lld items',
    ])
  })

  it('reads plural forms of Rails, and says that it leaves out a list', async () => {
    const { entries, skipped } = await read('rails/de.yml')
    expect(rowsOf(entries)).toEqual([
      'rails | de | cart.checkout | Zur Kasse',
      'rails | de | cart.items_one | ein Artikel',
      'rails | de | cart.items_other | %{count} Artikel',
    ])
    expect(skipped).toEqual([
      { key: 'date.order', line: 8, reason: 'is a list, which has no key for each text' },
    ])
  })

  it('reads tables with a separator line, any case, and names of languages', async () => {
    const table =
      'sep=;\r\nModule;Key;German (de-DE);en_US;Notes;Owner\r\nshop;A;"Größe\r\n""L""";Size;Label;Kim\r\nshop;B;;-;;\r\n'
    const bytes = Buffer.from(table, 'latin1')
    const [file] = await readTranslations({ path: 'texts.csv', bytes }, { languages: ['de-DE'] })
    expect(rowsOf(file!.entries)).toEqual([
      'shop | de-DE | A | Größe\r\n"L"',
      'shop | en_US | A | Size',
      'shop | de-DE | B | ',
      'shop | en_US | B | -',
    ])
    expect(file!.encoding).toBe('windows-1252')
    expect(file!.entries.map(({ line }) => line)).toEqual([3, 3, 5, 5])
    expect(file!.skipped).toEqual([
      { key: 'Owner', line: 2, reason: 'is a column that is not known' },
    ])
  })
})
