import type { MessageModel, ModuleModel } from '@servicekit/catalog'
import { ts } from 'ts-morph'
import { argumentNames } from '../usage/i18next-references.ts'
import type { ResolvedReference } from '../usage/usage.ts'
import { readTags, type TagFunctions } from './trans-tags.ts'

/** `<Trans>` element that renders a message. */
export interface TransElement {
  readonly element: ts.JsxElement | ts.JsxSelfClosingElement
  readonly tagName: ts.Identifier
  /** Value of its `t` property. */
  readonly t: ts.Identifier | undefined
  /** Functions of the tags, which replace its elements. */
  readonly tags: TagFunctions
  /** Names of the given values and tags. */
  readonly given: readonly string[]
  /** Value of `values={…}`. */
  readonly values: ts.ObjectLiteralExpression | undefined
  /** Value of `count={…}`. */
  readonly count: ts.Expression | undefined
  /** Body of the component, if no hook re-renders it yet. */
  readonly follow: ts.Block | undefined
}

const supportedAttributes = new Set(['i18nKey', 'ns', 't', 'values', 'count', 'components'])

/** Returns the element if a call can replace it, or the reason why it is kept. */
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
  const [values, count, t, components] = ['values', 'count', 't', 'components'].map((name) =>
    attributes.get(name),
  )
  const tags = readTags(element, components, module, message, read.source)
  if (typeof tags === 'string') return tags
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
    tags,
    given: [...names, ...(count ? ['count'] : []), ...tags.keys()],
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
        ts.isVariableStatement(one) && /\buse(?:Language|Translate)\(/.test(one.getText(source)),
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
