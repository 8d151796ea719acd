import type { MessageModel, ModuleModel } from '@servicekit/catalog'
import { ts } from 'ts-morph'
import { argumentNames } from '../usage/i18next-references.ts'
import type { ResolvedReference } from '../usage/usage.ts'

/** `<Trans>` element that renders only a message. */
export interface TransElement {
  readonly element: ts.JsxElement | ts.JsxSelfClosingElement
  readonly tagName: ts.Identifier
  /** Value of its `t` property. */
  readonly t: ts.Identifier | undefined
  /** Names of the given values. */
  readonly given: readonly string[]
  /** Value of `values={…}`. */
  readonly values: ts.ObjectLiteralExpression | undefined
  /** Value of `count={…}`. */
  readonly count: ts.Expression | undefined
  /** Body of the component, if no hook re-renders it yet. */
  readonly follow: ts.Block | undefined
}

const supportedAttributes = new Set(['i18nKey', 'ns', 't', 'values', 'count'])

/** Returns the element if it renders only its message, or the reason why it is kept. */
export function readTrans(
  { reference, read }: ResolvedReference,
  module: ModuleModel,
  message: MessageModel,
): TransElement | string {
  const head = openingOf(reference.node)
  if (!head) return 'it is not an element'
  const { tagName } = head
  const binding = ts.isIdentifier(tagName) ? read.scopeOf(tagName).find(tagName.text) : undefined
  if (
    !ts.isIdentifier(tagName) ||
    binding?.kind !== 'import' ||
    binding.name !== 'Trans' ||
    !/^(?:react-i18next|next-i18next)$/.test(binding.specifier)
  ) {
    return 'it is not the <Trans> of react-i18next'
  }
  const element = ts.isJsxOpeningElement(head) ? head.parent : head
  if (ts.isJsxElement(element) && element.children.some(isElement)) {
    return '<Trans> contains elements'
  }
  if (hasMarkup(module, message)) return 'the translation contains tags'

  const attributes = new Map<string, ts.Expression | undefined>()
  for (const one of head.attributes.properties) {
    if (!ts.isJsxAttribute(one)) return 'it spreads attributes'
    const name = one.name.getText(read.source)
    if (!supportedAttributes.has(name)) return `it uses ${name}`
    const { initializer } = one
    attributes.set(
      name,
      initializer && ts.isJsxExpression(initializer) ? initializer.expression : initializer,
    )
  }
  const [values, count, t] = ['values', 'count', 't'].map((name) => attributes.get(name))
  const names = argumentNames(values)
  if (!names || (values && !ts.isObjectLiteralExpression(values))) {
    return 'its arguments are not an object literal'
  }
  if (count && values) return 'it has both values and count'
  const follow = followed(element, read)
  if (follow === undefined) return 'it is not in the body of a component'
  return {
    element,
    tagName,
    t: t && ts.isIdentifier(t) ? t : undefined,
    given: count ? [...names, 'count'] : names,
    values: values as ts.ObjectLiteralExpression | undefined,
    count,
    follow: follow === true ? undefined : follow,
  }
}

function openingOf(node: ts.Node): ts.JsxOpeningElement | ts.JsxSelfClosingElement | undefined {
  for (let at = node; at; at = at.parent) {
    if (ts.isJsxOpeningElement(at) || ts.isJsxSelfClosingElement(at)) return at
  }
  return undefined
}

/** Any child other than text and string literals, which are only the default text. */
const isElement = (child: ts.JsxChild): boolean =>
  !ts.isJsxText(child) &&
  !(ts.isJsxExpression(child) && (!child.expression || ts.isStringLiteral(child.expression)))

const hasMarkup = ({ source }: ModuleModel, { key, group }: MessageModel): boolean =>
  [...source.translations.values()].some((translations) =>
    [key, ...(group.plural?.values() ?? [])].some((one) =>
      /[<&]/.test(translations.get(one) ?? ''),
    ),
  )

/**
 * Returns `true` if a hook re-renders the component, otherwise the body that a hook can
 * be added to. Returns undefined if the element is not in a component.
 */
function followed(
  element: ts.Node,
  { source }: ResolvedReference['read'],
): true | ts.Block | undefined {
  for (let at = element.parent; at; at = at.parent) {
    if (!ts.isFunctionLike(at) || !isComponent(at)) continue
    const { body } = at as ts.FunctionLikeDeclaration
    if (!body || !ts.isBlock(body)) return undefined
    const hasHook = body.statements.some(
      (one) =>
        ts.isVariableStatement(one) && /\buse(?:Translation|Language)\(/.test(one.getText(source)),
    )
    return hasHook ? true : body
  }
  return undefined
}

/**
 * A component is a function whose name, or that of its constant, starts with a capital
 * letter.
 */
function isComponent(node: ts.SignatureDeclaration): boolean {
  const { parent } = node
  const name = node.name ?? (parent && ts.isVariableDeclaration(parent) ? parent.name : undefined)
  return name !== undefined && ts.isIdentifier(name) && /^\p{Lu}/u.test(name.text)
}
