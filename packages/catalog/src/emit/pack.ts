import { chainsOf, findTranslation, type MessageModel, type Model, tagsOf } from '../model/model.ts'
import { stringLiteral } from './literal.ts'
import { type ModuleCode, printEsModule } from './module-code.ts'
import { translationExpression } from './translation.ts'

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
  messages: readonly MessageModel[],
  language: string,
): string {
  return printEsModule(packModule(model, messages, language))
}

/** Returns the code of {@link emitPack}. */
export function packModule(
  model: Pick<Model, 'catalog' | 'options'>,
  messages: readonly MessageModel[],
  language: string,
): ModuleCode {
  const chain = chainsOf(model).get(language) ?? []
  const entries = messages.map((message) => messageExpression(message, language, chain))
  return [{ exportDefault: `[${entries.join(',')}]` }]
}

/**
 * Emits a language pack keyed by export name, for development: names stay valid when keys
 * are added or removed.
 */
export function emitNamedPack(
  model: Pick<Model, 'catalog' | 'options'>,
  messages: readonly MessageModel[],
  language: string,
): string {
  return `export default ${emitNamedEntries(model, messages, language)}\n`
}

/** Emits the object that {@link emitNamedPack} exports. */
export function emitNamedEntries(
  model: Pick<Model, 'catalog' | 'options'>,
  messages: readonly MessageModel[],
  language: string,
): string {
  const entries = messages.map(
    (message) => `[${stringLiteral(message.name)}]:${emitMessage(model, message, language)}`,
  )
  return `{\n${entries.join(',\n')}\n}`
}

/** Emits the expression of a message in one language: a string or a function. */
export const emitMessage = (
  model: Pick<Model, 'catalog' | 'options'>,
  message: MessageModel,
  language: string,
): string => messageExpression(message, language, chainsOf(model).get(language) ?? [])

/**
 * Returns the expression of a message. A message with both plural forms and a translation
 * under its own key chooses between them by its arguments.
 */
function messageExpression(
  message: MessageModel,
  language: string,
  chain: readonly string[],
): string {
  const isMarkup = tagsOf(message).size > 0
  const expressionOf = (one: MessageModel): string =>
    translationExpression(findTranslation(one, chain), one, language, isMarkup)
  const plural = expressionOf(message)
  if (!message.base) return plural
  const base = expressionOf(message.base)
  const call = (name: string, expression: string): string =>
    expression.startsWith('"') ? name : `${name}(a,p)`
  return `((b,n)=>(a,p)=>a?.count==null?${call('b', base)}:${call('n', plural)})(${base},${plural})`
}
