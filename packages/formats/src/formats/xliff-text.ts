import { attribute, descendantsOf, localName, XmlElement, type XmlFile, XmlText } from '../xml.ts'

/** Elements of XLIFF 1.2 for formatting, by the value of `ctype`. */
const tags: ReadonlyMap<string, string> = new Map([
  ['bold', 'b'],
  ['italic', 'i'],
  ['underlined', 'u'],
  ['link', 'a'],
])

/** Elements that annotate text, and are no part of it. */
const annotations: ReadonlySet<string> = new Set(['mrk', 'sm', 'em'])

/** Elements whose content is code of the original file. */
const codes: ReadonlySet<string> = new Set(['ph', 'it', 'bpt', 'ept'])

/** Unit that a text is in, and its file. */
export interface TextPlace {
  readonly file: XmlFile
  readonly unit: XmlElement
  readonly key: string
}

/**
 * Returns the text of a `source` or `target` with the placeholders and the markup of its inline
 * elements.
 *
 * @throws ServicekitError CATALOG_INVALID for an element whose text is not in the file.
 */
export function textOfTarget(target: XmlElement, place: TextPlace): string {
  return target.children
    .map((child) => {
      if (child instanceof XmlText) return child.text
      return child instanceof XmlElement ? textOfElement(child, place) : ''
    })
    .join('')
}

function textOfElement(element: XmlElement, place: TextPlace): string {
  const inner = (): string => textOfTarget(element, place)
  const refuse = (): never => {
    const attributes = Object.entries(element.attributes)
    const shown = attributes.map(([key, value]) => ` ${key}="${value}"`).join('')
    throw place.file.error(
      element,
      `the text of the inline element <${element.name}${shown}/> in ${JSON.stringify(place.key)} is not in the file`,
      'Export with equiv-text, equiv or originalData, which tell what the element stands for.',
    )
  }
  const codeOf = (reference: string, ...names: readonly string[]): string => {
    const id = attribute(element, reference)
    const data = id === undefined ? [] : descendantsOf(place.unit, 'data')
    const found = data.find((one) => attribute(one, 'id') === id)
    const given = [
      found && textOfTarget(found, place),
      ...names.map((one) => attribute(element, one)),
    ]
    return given.find((text) => text !== undefined && text !== '') ?? refuse()
  }
  const name = localName(element)
  if (annotations.has(name)) return inner()
  if (name === 'cp') {
    const code = Number.parseInt(attribute(element, 'hex') ?? '', 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : refuse()
  }
  if (name === 'g') {
    const ctype = attribute(element, 'ctype') ?? ''
    const tag = tags.get(ctype) ?? /^x-(?:html-)?([a-z][a-z\d]*)$/i.exec(ctype)?.[1]?.toLowerCase()
    return tag === undefined ? refuse() : `<${tag}>${inner()}</${tag}>`
  }
  if (name === 'pc') {
    const start = codeOf('dataRefStart', 'equivStart', 'dispStart')
    const end = codeOf('dataRefEnd', 'equivEnd', 'dispEnd')
    return `${start}${inner()}${end}`
  }
  if (codes.has(name) && element.text !== '') {
    return element.children.some((child) => child instanceof XmlElement) ? refuse() : element.text
  }
  return codeOf('dataRef', 'equiv-text', 'equiv', 'disp')
}
