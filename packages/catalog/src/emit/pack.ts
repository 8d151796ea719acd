import type { CatalogModule } from '../catalog.ts'
import type { MessageModel, Model } from '../model.ts'
import { wordingOf } from '../model.ts'
import { stringLiteral } from './literal.ts'
import { wordingExpression } from './wording.ts'

/** A message and the module that its texts are in. */
export interface PlacedMessage {
  readonly source: CatalogModule
  readonly message: MessageModel
}

/**
 * Language pack: the texts of `messages` in one language, in their order.
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

/** Language pack by export name, for development: names survive when keys come and go. */
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

/** Expression of a message; one with plural forms and a text of its own chooses by the arguments. */
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
