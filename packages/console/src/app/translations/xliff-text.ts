import { ImportError } from './import-error.ts'

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

/**
 * Returns the text of a `target` with the placeholders and the markup of its inline elements.
 *
 * @param unit name of the unit in an error.
 * @throws ImportError `xliffInline` for an element whose text is not in the file.
 */
export function textOfTarget(target: Element, unit: string): string {
  return [...target.childNodes].map((node) => textOfNode(node, unit)).join('')
}

function textOfNode(node: Node, unit: string): string {
  if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE) {
    return node.nodeValue ?? ''
  }
  if (!(node instanceof Element)) return ''
  const { localName } = node
  const inner = () => textOfTarget(node, unit)
  const refuse = (): never => {
    const { outerHTML } = node.cloneNode(false) as Element
    throw new ImportError('xliffInline', `${unit}: ${outerHTML.replace(/ xmlns="[^"]*"/, '')}`)
  }
  if (annotations.has(localName)) return inner()
  if (localName === 'cp') {
    const code = Number.parseInt(node.getAttribute('hex') ?? '', 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : refuse()
  }
  if (localName === 'g') {
    const ctype = node.getAttribute('ctype') ?? ''
    const tag = tags.get(ctype) ?? /^x-(?:html-)?([a-z][a-z\d]*)$/i.exec(ctype)?.[1]?.toLowerCase()
    return tag === undefined ? refuse() : `<${tag}>${inner()}</${tag}>`
  }
  if (localName === 'pc') {
    const start = codeOf(node, 'dataRefStart', 'equivStart', 'dispStart') ?? refuse()
    const end = codeOf(node, 'dataRefEnd', 'equivEnd', 'dispEnd') ?? refuse()
    return `${start}${inner()}${end}`
  }
  if (codes.has(localName) && node.textContent !== '') {
    return node.children.length > 0 ? refuse() : node.textContent
  }
  return codeOf(node, 'dataRef', 'equiv-text', 'equiv', 'disp') ?? refuse()
}

/** Returns the code that an element stands for, from the unit's `originalData` or an attribute. */
function codeOf(element: Element, reference: string, ...names: readonly string[]) {
  const id = element.getAttribute(reference)
  const data = id === null ? [] : [...(element.closest('unit')?.querySelectorAll('data') ?? [])]
  const found = data.find((one) => one.getAttribute('id') === id)?.textContent
  const given = [found, ...names.map((name) => element.getAttribute(name))]
  return given.find((text) => typeof text === 'string' && text !== '') ?? undefined
}
