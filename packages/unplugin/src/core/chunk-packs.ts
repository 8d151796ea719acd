import type { Model } from '@servicekit/catalog'
import type { ESTree } from 'vite'
import { keyPrefix } from './ids.ts'
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
  const { code, model, parse } = input
  if (!code.includes(keyPrefix)) return undefined
  const program = parse(code)
  const replaced = replaceMessageCalls(code, program, model, input)
  if (!replaced) return undefined
  const { edited, start: index, load } = replaced
  // The top-level statement around the first message, before which `await` is allowed.
  const statement = program.body.find(({ start, end }) => start <= index && index < end)
  edited.appendLeft(statement?.start ?? 0, `const ${packVariable} = ${load};\n`)
  return replaced
}
