import { type MessageModel, type ModuleModel, tagsOf } from '@servicekit/catalog'
import { ts } from 'ts-morph'

/** Functions of the tags in a message, by name: `(children) => <a href="/">{children}</a>`. */
export type TagFunctions = ReadonlyMap<string, string>

/** Elements that react-i18next creates without a component. */
const basicElements: ReadonlySet<string> = new Set(['br', 'strong', 'i', 'p'])

/**
 * Converts the elements of `<Trans>` to the functions of the tags in its message. Returns a
 * reason if an element cannot be converted.
 */
export function readTags(
  element: ts.JsxElement | ts.JsxSelfClosingElement,
  components: ts.Expression | undefined,
  module: ModuleModel,
  message: MessageModel,
  source: ts.SourceFile,
): TagFunctions | string {
  const tags = tagsOf(message)
  const given = components ? namedElements(components) : childElements(element, tags)
  if (typeof given === 'string') return given
  if (tags.size === 0) {
    if (given.size > 0 && !components) return '<Trans> contains elements'
    if (hasOtherMarkup(module, message)) {
      return "the translation contains tags, which need the option markup: 'react'"
    }
    return given.size === 0 ? new Map() : 'the message has no tags for its components'
  }
  if (hasOtherMarkup(module, message)) return 'the translation contains other tags or entities'
  const functions = new Map<string, string>()
  for (const [name, hasChildren] of tags) {
    const found = given.get(name)
    if (!found && !basicElements.has(name)) return `it has no component for the tag ${name}`
    if (found && containsCall(found)) return `its component for the tag ${name} contains a call`
    functions.set(name, functionOf(found, name, hasChildren, source))
  }
  const more = [...given.keys()].find((name) => !tags.has(name))
  return more === undefined ? functions : `the message has no tag ${more}`
}

type Elements = Map<string, ts.JsxElement | ts.JsxSelfClosingElement>

/** Elements in `components={{ link: <a /> }}` or `components={[<a />]}`. */
function namedElements(components: ts.Expression): Elements | string {
  const elements: Elements = new Map()
  const entries: (readonly [string | undefined, ts.Node])[] = ts.isArrayLiteralExpression(
    components,
  )
    ? components.elements.map((one, index) => [String(index), one])
    : ts.isObjectLiteralExpression(components)
      ? components.properties.map((one) =>
          ts.isPropertyAssignment(one) &&
          (ts.isIdentifier(one.name) ||
            ts.isStringLiteral(one.name) ||
            ts.isNumericLiteral(one.name))
            ? [one.name.text, one.initializer]
            : [undefined, one],
        )
      : [[undefined, components]]
  for (const [name, value] of entries) {
    if (name === undefined || !isJsx(value)) return 'its components are not written as elements'
    elements.set(name, value)
  }
  return elements
}

/** Elements in the default text: by position, or by name for basic ones without attributes. */
function childElements(
  element: ts.JsxElement | ts.JsxSelfClosingElement,
  tags: ReadonlyMap<string, boolean>,
): Elements | string {
  const elements: Elements = new Map()
  if (!ts.isJsxElement(element)) return elements
  const children = element.children.filter((one) => !isLayout(one))
  for (const [index, child] of children.entries()) {
    if (isText(child)) continue
    if (!isJsx(child)) return '<Trans> contains elements'
    // Their numbers begin again in each element.
    if (ts.isJsxElement(child) && child.children.some(isJsx)) return '<Trans> nests elements'
    const { tagName, attributes } = ts.isJsxElement(child) ? child.openingElement : child
    const name = tagName.getText()
    const isBasic = basicElements.has(name) && attributes.properties.length === 0
    elements.set(isBasic && tags.has(name) ? name : String(index), child)
  }
  return elements
}

const isJsx = (node: ts.Node): node is ts.JsxElement | ts.JsxSelfClosingElement =>
  ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node)

/** React drops text of only white space with a line break. */
const isLayout = (child: ts.JsxChild): boolean =>
  (ts.isJsxText(child) && child.text.includes('\n') && child.text.trim() === '') ||
  (ts.isJsxExpression(child) && !child.expression)

/** Default text. */
const isText = (child: ts.JsxChild): boolean =>
  ts.isJsxText(child) ||
  (ts.isJsxExpression(child) &&
    child.expression !== undefined &&
    ts.isStringLiteral(child.expression))

/** Edits within a moved element would be lost. */
function containsCall(node: ts.Node): boolean {
  return ts.isCallExpression(node) || ts.forEachChild(node, containsCall) === true
}

function functionOf(
  element: ts.JsxElement | ts.JsxSelfClosingElement | undefined,
  name: string,
  hasChildren: boolean,
  source: ts.SourceFile,
): string {
  const opening = element && (ts.isJsxElement(element) ? element.openingElement : element)
  const tag = opening?.tagName.getText(source) ?? name
  const attributes = opening?.attributes.getText(source).trim() ?? ''
  const head = attributes ? `${tag} ${attributes}` : tag
  return hasChildren ? `(children) => <${head}>{children}</${tag}>` : `() => <${head} />`
}

/** Markup that i18next would render, apart from the tags of the message. */
function hasOtherMarkup({ source }: ModuleModel, message: MessageModel): boolean {
  const tags = tagsOf(message)
  const keys = [message.key, ...(message.group.plural?.values() ?? [])]
  return [...source.translations.values()].some((translations) =>
    keys.some((key) =>
      /[<&]/.test(
        (translations.get(key) ?? '').replaceAll(/<\/?([\w-]+)\s*\/?>/g, (whole, name: string) =>
          tags.has(name) ? '' : whole,
        ),
      ),
    ),
  )
}
