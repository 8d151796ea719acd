import type { CatalogModule } from '../catalog.ts'
import type { MessageModel, Model } from '../model.ts'
import { wordingOf } from '../model.ts'
import { stringLiteral } from './literal.ts'
import { wordingExpression } from './wording.ts'

/** Message with the module that contains its translations. */
export interface PlacedMessage {
  readonly source: CatalogModule
  readonly message: MessageModel
}

/**
 * Emits a language pack: the translations of `messages` in one language, in the same
 * order.
 *
 * ```js
 * export default ["Anmelden",a=>"Hallo "+a.name]
 * ```
 */
export function emitPack(
  model: Pick<Model, 'catalog' | 'options'>,
  messages: readonly PlacedMessage[],
  language: string,
  chain: readonly string[],
): string {
  const entries = messages.map((message) => messageExpression(model, message, language, chain))
  return `export default [${entries.join(',')}]\n`
}

/**
 * Emits a language pack keyed by export name, for development: names stay valid when keys
 * are added or removed.
 */
export function emitNamedPack(
  model: Pick<Model, 'catalog' | 'options'>,
  messages: readonly PlacedMessage[],
  language: string,
  chain: readonly string[],
): string {
  const entries = messages.map((placed) => {
    const text = messageExpression(model, placed, language, chain)
    return `[${stringLiteral(placed.message.name)}]:${text}`
  })
  return `export default {\n${entries.join(',\n')}\n}\n`
}

/**
 * Returns the expression of a message. A message with both plural forms and a translation
 * under its own key chooses between them by its arguments.
 */
function messageExpression(
  model: Pick<Model, 'catalog' | 'options'>,
  { source, message }: PlacedMessage,
  language: string,
  chain: readonly string[],
): string {
  const expressionOf = (one: MessageModel): string =>
    wordingExpression(wordingOf(model, source, one.group, chain), one, language)
  const plural = expressionOf(message)
  if (!message.base) return plural
  const base = expressionOf(message.base)
  const call = (name: string, expression: string): string =>
    expression.startsWith('"') ? name : `${name}(a,p)`
  return `((b,n)=>(a,p)=>a?.count==null?${call('b', base)}:${call('n', plural)})(${base},${plural})`
}
