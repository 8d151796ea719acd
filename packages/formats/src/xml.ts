import { parseXml, XmlElement, XmlError, XmlText } from '@rgrove/parse-xml'
import { invalidFile, parseFile } from './format-errors.ts'
import { createLines } from '@servicekit/core'

export { XmlElement, XmlText }

/** Parsed XML file. */
export interface XmlFile {
  readonly root: XmlElement
  /** Returns the one-based line of an element. */
  readonly lineOf: (element: XmlElement) => number
  /** Returns the error for an element that cannot be read. */
  readonly error: (element: XmlElement, problem: string, help?: string) => Error
}

/**
 * Parses an XML file. Entities other than the five of XML are an error, so that nothing expands and
 * nothing is loaded.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export function parseXmlFile(path: string, text: string): XmlFile {
  const source = text.replace(/^\uFEFF/, '')
  const document = parseFile(path, source, () => {
    try {
      return parseXml(source, { includeOffsets: true, preserveComments: true })
    } catch (error) {
      if (!(error instanceof XmlError)) throw error
      const { line, column, message } = error
      const [summary = ''] = message.split('\n', 1)
      const problem = summary.replace(/ \(line \d+, column \d+\)$/, '')
      const isEntity = problem.startsWith('Named entity')
      throw invalidFile(path, `it is not valid XML: ${problem}`, {
        line,
        column,
        help: isEntity
          ? 'Write the character itself: entities of a DTD are not expanded.'
          : 'Correct this place, or export the file again.',
        cause: error,
      })
    }
  })
  // The parser counts in a text whose line ends are single line feeds.
  const lineAt = createLines(source.replaceAll(/\r\n?/g, '\n'))
  const lineOf = (element: XmlElement): number => lineAt(element.start)
  return {
    root: document.root!,
    lineOf,
    error: (element, problem, help) => invalidFile(path, problem, { line: lineOf(element), help }),
  }
}

/** Returns the name of an element without its namespace prefix. */
export const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(':') + 1)

/** Returns the child elements, or those with one of the given names. */
export const childrenOf = (parent: XmlElement, ...names: readonly string[]): XmlElement[] =>
  parent.children.filter(
    (child): child is XmlElement =>
      child instanceof XmlElement && (names.length === 0 || names.includes(localName(child))),
  )

/** Returns the elements with one of the given names below an element, in order. */
export function descendantsOf(parent: XmlElement, ...names: readonly string[]): XmlElement[] {
  const found: XmlElement[] = []
  const visit = (element: XmlElement): void => {
    for (const child of childrenOf(element)) {
      if (names.includes(localName(child))) found.push(child)
      visit(child)
    }
  }
  visit(parent)
  return found
}

/** Returns an attribute by its local name. */
export function attribute({ attributes }: XmlElement, name: string): string | undefined {
  const found = Object.keys(attributes).find((one) => one === name || one.endsWith(`:${name}`))
  return found === undefined ? undefined : attributes[found]
}

const forbidden = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/

/** Returns the first character that XML 1.0 cannot contain, such as `U+0007`. */
export function unprintableIn(text: string): string | undefined {
  const found = forbidden.exec(text)?.[0]
  return found && `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Escapes text for the content of an element, so that a parser returns the same characters. */
export const escapeText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')

/** Escapes text for an attribute in double quotes. */
export const escapeAttribute = (text: string): string =>
  escapeText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
