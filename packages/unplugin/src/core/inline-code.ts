import { emitMessage, type MessageModel, type Model } from '@servicekit/catalog'
import { imports } from './code-parts.ts'
import { messageExport } from './message-export.ts'

/**
 * Returns the code of a message in a build for one language. It is a function like in any
 * other build.
 *
 * ```js
 * export const message = () => "Anmelden"
 * export const message = a => "Hallo "+a.name
 * ```
 */
export function inlineKeyCode(message: MessageModel, model: Model, language: string): string {
  const text = emitMessage(model, message, language)
  if (text.startsWith('"')) return `export const message = () => ${text}\n`
  // Functions of packs whose second parameter is that for plurals start with `(a,p)`.
  if (text.startsWith('a=>') || text.startsWith('()=>')) return messageExport(message, model, text)
  return `${imports('plural')}
const text = ${text}
${messageExport(message, model, '(args) => text(args, plural)')}`
}
