import type { Model } from '@servicekit/catalog'
import type { ESTree } from 'vite'
import {
  type LoaderOptions,
  packVariable,
  type ReplacedCalls,
  replaceMessageCalls,
} from './message-calls.ts'

export interface ChunkInput extends LoaderOptions {
  readonly code: string
  readonly model: Model
  readonly parse: (code: string) => ESTree.Program
}

/**
 * Creates the language packs of a rendered chunk, with exactly the messages that survived
 * tree shaking in it. The chunk awaits the pack of the current language before it creates
 * its first message:
 *
 * ```js
 * const pack$uilm = await pack((language) => import(`./uilm-1f3a9c0d.${language}.js`));
 * const SIGN_IN = message(pack$uilm,0);
 * ```
 *
 * @returns undefined if the chunk uses no message.
 */
export function createChunkPacks(input: ChunkInput): ReplacedCalls | undefined {
  const replaced = replaceMessageCalls(input.code, input.model, input)
  if (!replaced) return undefined
  const { edited, start, load } = replaced
  edited.appendLeft(statementStart(input, start), `const ${packVariable} = ${load};\n`)
  return replaced
}

/**
 * Returns the start of the top-level statement around `index`, where `await` is allowed.
 */
function statementStart(input: ChunkInput, index: number): number {
  const { body } = input.parse(input.code)
  return body.find(({ start, end }) => start <= index && index < end)?.start ?? 0
}
