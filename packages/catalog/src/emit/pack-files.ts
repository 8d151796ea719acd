import { createHash } from 'node:crypto'
import { emitPack } from './pack.ts'
import type { MessageModel, Model } from '../model/model.ts'

/** File that a chunk loads for one language. */
export interface PackFile {
  /** File name next to the chunk: `uilm-1f3a9c0d.de-DE.js`. */
  readonly name: string
  readonly language: string
  readonly source: string
}

/** Packs of the messages of one chunk, in all languages. */
export interface PackFiles {
  /** Hash of the translations of all languages, which is part of each file name. */
  readonly hash: string
  readonly packs: readonly PackFile[]
}

/** Emits the packs of some messages, one per language, and their common hash. */
export function emitPackFiles(
  model: Pick<Model, 'catalog' | 'options'>,
  messages: readonly MessageModel[],
): PackFiles {
  const sources = model.catalog.languages.map(({ code }) => ({
    language: code,
    source: emitPack(model, messages, code),
  }))
  const digest = createHash('sha256')
  for (const { language, source } of sources) digest.update(`${language}\n${source}`)
  const hash = digest.digest('hex').slice(0, 8)
  return {
    hash,
    packs: sources.map(({ language, source }) => ({
      name: `uilm-${hash}.${language}.js`,
      language,
      source,
    })),
  }
}
