import type { EntryState, FileContent, FileEntry } from '../entry.ts'
import {
  attribute,
  childrenOf,
  descendantsOf,
  localName,
  parseXmlFile,
  type XmlElement,
  type XmlFile,
} from '../xml.ts'
import { textOfTarget } from './xliff-text.ts'

/**
 * Reads XLIFF 1.2 and 2.x: sources, translations with their states, and notes. The key is `resname`
 * or the name of a unit, and its id otherwise.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export function readXliff(text: string, path: string): FileContent {
  const file = parseXmlFile(path, text)
  const { root } = file
  if (localName(root) !== 'xliff') {
    throw file.error(root, `its root is ${root.name}, and not xliff`, 'Choose an XLIFF file.')
  }
  const entries = childrenOf(root, 'file').flatMap((part) => {
    const read = attribute(root, 'srcLang') === undefined ? entriesOfUnit1 : entriesOfUnit2
    const languages = {
      source: attribute(part, 'source-language') ?? attribute(root, 'srcLang'),
      target: attribute(part, 'target-language') ?? attribute(root, 'trgLang'),
    }
    const module = attribute(part, 'original') || attribute(part, 'id') || undefined
    return descendantsOf(part, 'trans-unit', 'unit').flatMap((unit) => {
      const key = attribute(unit, 'resname') ?? attribute(unit, 'name') ?? attribute(unit, 'id')
      if (!key) throw file.error(unit, 'a unit has no id', 'Add the attribute id or name.')
      return read({ file, unit, key, module, languages })
    })
  })
  return { entries, skipped: [] }
}

interface Unit {
  readonly file: XmlFile
  readonly unit: XmlElement
  readonly key: string
  readonly module: string | undefined
  readonly languages: { readonly source: string | undefined; readonly target: string | undefined }
}

function entriesOfUnit1(given: Unit): readonly FileEntry[] {
  const { unit } = given
  const [source] = childrenOf(unit, 'source')
  const [target] = childrenOf(unit, 'target')
  const approved = attribute(unit, 'approved')
  const segments = segmentsOf(childrenOf(unit, 'seg-source')[0])
  const translated = segmentsOf(target)
  const isPartial =
    translated.size > 0 && [...segments].some(([id, text]) => text !== '' && !translated.get(id))
  const stated = isPartial ? 'untranslated' : stateOf(attribute(target ?? unit, 'state'))
  return entriesOf(given, {
    sources: source ? [source] : [],
    targets: target ? [target] : [],
    state: stated ?? (approved === undefined ? undefined : approvals[approved]),
    notes: childrenOf(unit, 'note'),
    limit: attribute(unit, 'size-unit') === 'char' ? attribute(unit, 'maxwidth') : undefined,
  })
}

/** States of XLIFF 1.2 by the value of `approved`. */
const approvals: Readonly<Record<string, EntryState>> = { yes: 'reviewed', no: 'needs-review' }

/** Returns the texts of the segments of an element of XLIFF 1.2, by their ids. */
const segmentsOf = (element: XmlElement | undefined): ReadonlyMap<string | undefined, string> =>
  new Map(
    (element ? descendantsOf(element, 'mrk') : [])
      .filter((one) => attribute(one, 'mtype') === 'seg')
      .map((one) => [attribute(one, 'mid'), one.children.length === 0 ? '' : 'text']),
  )

function entriesOfUnit2(given: Unit): readonly FileEntry[] {
  const { unit } = given
  // Ignorable parts are the white space between segments.
  const parts = descendantsOf(unit, 'segment', 'ignorable')
  const segments = parts.filter((part) => localName(part) === 'segment')
  const states = segments.map((part) => attribute(part, 'state'))
  const isTranslated = (part: XmlElement): boolean =>
    childrenOf(part, 'target').some(({ children }) => children.length > 0)
  // A text that lacks a segment is not one.
  const isPartial = segments.some(
    (part) =>
      !isTranslated(part) && childrenOf(part, 'source').some(({ children }) => children.length > 0),
  )
  const targets = parts.map((part, index) => {
    const [target = localName(part) === 'ignorable' ? childrenOf(part, 'source')[0] : undefined] =
      childrenOf(part, 'target')
    return { target, order: Number((target && attribute(target, 'order')) ?? index + 1) }
  })
  return entriesOf(given, {
    sources: parts.flatMap((part) => childrenOf(part, 'source')),
    targets: segments.some(isTranslated)
      ? targets.sort((one, other) => one.order - other.order).flatMap(({ target }) => target ?? [])
      : [],
    state: isPartial ? 'untranslated' : stateOfSegments(states),
    notes: descendantsOf(unit, 'note'),
    limit: attribute(unit, 'sizeRestriction'),
  })
}

interface UnitParts {
  readonly sources: readonly XmlElement[]
  readonly targets: readonly XmlElement[]
  readonly state: EntryState | undefined
  readonly notes: readonly XmlElement[]
  readonly limit: string | undefined
}

function entriesOf(
  { file, unit, key, module, languages }: Unit,
  { sources, targets, state, notes, limit }: UnitParts,
): readonly FileEntry[] {
  const place = { file, unit, key }
  const textOf = (elements: readonly XmlElement[]): string =>
    elements.map((one) => textOfTarget(one, place)).join('')
  const maxLength = Number(limit)
  const shared = {
    key,
    module,
    line: file.lineOf(unit),
    context: notes.map((note) => note.text.trim()).join('\n') || undefined,
    ...(Number.isInteger(maxLength) && maxLength > 0 && { maxLength }),
  }
  const source: FileEntry = {
    ...shared,
    value: textOf(sources),
    isSource: true,
    language: languages.source,
  }
  if (targets.length === 0) return [source]
  const target: FileEntry = { ...shared, value: textOf(targets), language: languages.target, state }
  return [source, target]
}

/** Returns the state of a translation of XLIFF 2.x, which is that of all of its segments. */
function stateOfSegments(states: readonly (string | undefined)[]): EntryState | undefined {
  if (states.includes('initial')) return 'needs-review'
  const isReviewed = states.every((state) => state === 'reviewed' || state === 'final')
  return isReviewed && states.length > 0 ? 'reviewed' : undefined
}

/** Returns the state of a translation of XLIFF 1.2. */
function stateOf(state: string | undefined): EntryState | undefined {
  if (state === undefined) return undefined
  if (/^(?:new|needs-translation)$/.test(state)) return 'untranslated'
  if (/^(?:signed-off|final)$/.test(state)) return 'reviewed'
  return state.startsWith('needs-') ? 'needs-review' : undefined
}
