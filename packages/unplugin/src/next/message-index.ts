import { readFileSync } from 'node:fs'
import { statIfExists } from '@servicekit/core/node'

/** Names of all messages, as the loader reads them. */
export interface MessageIndex {
  /** Specifiers that are not modules of messages: `~uilm/react`. */
  readonly entries: readonly string[]
  readonly modules: readonly IndexedModule[]
}

export interface IndexedModule {
  readonly name: string
  /** Specifiers of the module in imports: `~uilm/cart`. */
  readonly specifiers: readonly string[]
  readonly messages: readonly IndexedMessage[]
}

export interface IndexedMessage {
  readonly name: string
  readonly key: string
  readonly id: string
}

let cached: {
  readonly file: string
  readonly changed: bigint | undefined
  readonly index: MessageIndex
}

/** Reads the index. A process reads it once per version. */
export function readIndex(file: string): MessageIndex {
  const changed = statIfExists(file)?.mtimeNs
  if (cached?.file !== file || cached.changed !== changed) {
    cached = { file, changed, index: JSON.parse(readFileSync(file, 'utf8')) as MessageIndex }
  }
  return cached.index
}

/** Returns the message that a module exports by a name. */
export const findMessage = (
  { messages }: IndexedModule,
  exported: string,
): IndexedMessage | undefined =>
  messages.find(({ name, key }) => name === exported || key === exported)

/** Returns the module of a specifier. */
export const findModule = (
  { modules }: MessageIndex,
  specifier: string,
): IndexedModule | undefined => modules.find(({ specifiers }) => specifiers.includes(specifier))

/** Returns the module whose lookup a specifier names: `~uilm/cart/messages`. */
export const findLookup = (index: MessageIndex, specifier: string): IndexedModule | undefined =>
  specifier.endsWith('/messages') ? findModule(index, specifier.slice(0, -9)) : undefined
