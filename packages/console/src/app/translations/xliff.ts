import type { KeyRecord } from '../state/records.ts'
import type { ImportedTranslation } from './bulk-edits.ts'
import { ImportError } from './import-error.ts'
import { shownText, valueOf } from './key-values.ts'
import { textOfTarget } from './xliff-text.ts'

const namespace = 'urn:oasis:names:tc:xliff:document:1.2'

/** Formats keys as XLIFF 1.2 with a file for each module, which every translation tool reads. */
export function formatXliff(
  rows: readonly KeyRecord[],
  { source, target }: { readonly source: string; readonly target: string },
): string {
  const document = window.document.implementation.createDocument(namespace, 'xliff')
  const add = (parent: Element, name: string, attributes: Record<string, string>): Element => {
    const element = document.createElementNS(namespace, name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    parent.append(element)
    return element
  }
  document.documentElement.setAttribute('version', '1.2')
  const bodies = new Map<string, Element>()
  for (const row of rows) {
    const text = shownText(valueOf(row, source))
    if (text === '') continue
    let body = bodies.get(row.module)
    if (!body) {
      const languages = { 'source-language': source, 'target-language': target }
      const file = { original: row.module, datatype: 'plaintext', ...languages }
      body = add(add(document.documentElement, 'file', file), 'body', {})
      bodies.set(row.module, body)
    }
    const { context, maxLength } = row.details ?? {}
    const limit = maxLength && { maxwidth: String(maxLength), 'size-unit': 'char' }
    const unit = add(body, 'trans-unit', { id: row.key, 'xml:space': 'preserve', ...limit })
    add(unit, 'source', {}).textContent = printable(text)
    const translation = shownText(valueOf(row, target))
    if (translation !== '') {
      add(unit, 'target', { state: 'translated' }).textContent = printable(translation)
    }
    if (context) add(unit, 'note', {}).textContent = printable(context)
  }
  const xml = new XMLSerializer().serializeToString(document)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`
}

/** Removes the characters that XML 1.0 cannot contain. */
const printable = (text: string): string =>
  text.replaceAll(/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g, '')

/**
 * Reads the translations of XLIFF 1.2 and 2.x.
 *
 * @throws ImportError if it is not XML, not XLIFF, names no target language, or has an inline
 * element whose text it does not tell.
 */
export function parseXliff(text: string): readonly ImportedTranslation[] {
  const document = new DOMParser().parseFromString(text, 'application/xml')
  const failure = document.querySelector('parsererror')
  if (failure) throw new ImportError('notXml')
  const root = document.documentElement
  if (root.localName !== 'xliff') throw new ImportError('notXliff', root.localName)
  return [...root.getElementsByTagNameNS('*', 'file')].flatMap((file) => {
    const language = file.getAttribute('target-language') ?? root.getAttribute('trgLang')
    if (!language) throw new ImportError('noTargetLanguage')
    const module = file.getAttribute('original') ?? file.getAttribute('id') ?? ''
    return [...file.querySelectorAll('trans-unit, unit')].flatMap((unit) => {
      const key = unit.getAttribute('id')
      // Suggestions of a translation memory are not translations.
      const targets = [...unit.querySelectorAll('target')].filter(
        (target) => !target.closest('alt-trans, match'),
      )
      if (key === null || targets.length === 0) return []
      return [
        { module, key, language, value: targets.map((one) => textOfTarget(one, key)).join('') },
      ]
    })
  })
}
