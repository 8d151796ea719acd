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
  const entries = messages.map(({ source, message }) =>
    wordingExpression(wordingOf(model, source, message.group, chain), message, language),
  )
  return `export default [${entries.join(',')}]\n`
}

/** Language pack by export name, for development: names survive when keys come and go. */
export function emitNamedPack(
  model: Pick<Model, 'catalog' | 'options'>,
  messages: readonly PlacedMessage[],
  language: string,
  chain: readonly string[],
): string {
  const entries = messages.map(({ source, message }) => {
    const text = wordingExpression(
      wordingOf(model, source, message.group, chain),
      message,
      language,
    )
    return `[${stringLiteral(message.name)}]:${text}`
  })
  return `export default {\n${entries.join(',\n')}\n}\n`
}
