import {
  type BuiltChunk,
  createManifest,
  manifestName,
  type Model,
  printManifest,
} from '@servicekit/catalog'
import { messageOf } from './message-calls.ts'
import { keySpecifier } from './ids.ts'

/** File of a build that lists its messages by chunk. */
export interface ManifestFile {
  readonly fileName: string
  readonly source: string
}

/** Creates the manifest of the chunks that a bundler wrote. */
export const manifestFile = (model: Model, chunks: readonly BuiltChunk[]): ManifestFile => ({
  fileName: manifestName,
  source: printManifest(
    createManifest(model, chunks, (module, key) => messageOf(model, keySpecifier(module, { key }))),
  ),
})
