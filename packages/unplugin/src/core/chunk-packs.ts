import { emitPackFiles, type MessageModel, type Model, type PackFile } from '@servicekit/catalog'
import { MagicString, type SourceMap } from 'magic-string'
import type { ESTree } from 'vite'
import { keyOf, messageCall } from './ids.ts'

export interface ChunkPacks {
  readonly code: string
  readonly map: SourceMap
  /** Hash in the names of the packs. */
  readonly hash: string
  readonly packs: readonly PackFile[]
}

export interface ChunkInput {
  readonly code: string
  /** Specifiers of the key modules that the bundler rendered into the chunk. */
  readonly keys: readonly string[]
  readonly model: Model
  readonly parse: (code: string) => ESTree.Program
  /**
   * Writes a separate import for each pack, for code that another tool bundles or traces
   * again: server adapters, applications that use a library. Pages use one template
   * import, which is smaller.
   */
  readonly hasSeparateImports?: boolean
  /** The page may load newer packs than those of the build. */
  readonly isLive?: boolean
}

/**
 * Creates the language packs of a rendered chunk, with exactly the messages that survived
 * tree shaking in it. The chunk awaits the pack of the current language before it creates
 * its first message:
 *
 * ```js
 * const pack$uilm = await pack((language) => import(`./uilm-1f3a9c0d.${language}.js`));
 * const SIGN_IN = message(pack$uilm, 0);
 * ```
 *
 * One hash covers the translations of all languages. The chunk therefore needs no list of
 * file names, and its own hash changes when any translation in it changes. A change of one
 * language renames the packs of the others too: a hash for each language would add 36 bytes
 * (gzip) to each chunk with two languages and 189 with twelve, which every visitor loads, to
 * spare returning visitors a pack of about that size.
 *
 * @returns undefined if the chunk uses no message.
 */
export function createChunkPacks(input: ChunkInput): ChunkPacks | undefined {
  if (input.keys.length === 0) return undefined
  const specifiers = [...input.keys].sort()
  const calls = [...input.code.matchAll(messageCall)]
  const [first] = calls
  if (!first) return undefined
  const messages = specifiers.map((specifier) => messageOf(input.model, specifier))
  const { hash, packs } = emitPackFiles(input.model, messages)

  const edited = new MagicString(input.code)
  for (const call of calls) {
    const [text, message, , , specifier] = call
    const before = input.code.slice(0, call.index)
    // Tree shaking has already used the annotation, and not every bundler minifies.
    const start = call.index - (/\/\* @__PURE__ \*\/ $/.exec(before)?.[0].length ?? 0)
    const created = `${message}(${binding},${specifiers.indexOf(specifier!)})`
    edited.overwrite(start, call.index + text.length, created)
  }
  edited.appendLeft(
    statementStart(input, first.index),
    `const ${binding} = await ${first[2]}(${loaderOf({ hash, packs, size: messages.length }, input)});\n`,
  )
  return {
    code: edited.toString(),
    map: edited.generateMap({ hires: 'boundary' }),
    hash,
    packs,
  }
}

const binding = 'pack$uilm'

/** Returns the arguments that register a pack: a function that imports it. */
export function loaderOf(
  { hash, packs, size }: Pick<ChunkPacks, 'hash' | 'packs'> & { readonly size: number },
  { hasSeparateImports, isLive }: Pick<ChunkInput, 'hasSeparateImports' | 'isLive'>,
): string {
  if (isLive) return `(addressOf) => import(addressOf("${hash}")), ${size}`
  if (!hasSeparateImports) return `(language) => import(\`./uilm-${hash}.\${language}.js\`)`
  const all = packs.map(
    ({ name, language }) => `${JSON.stringify(language)}: () => import("./${name}")`,
  )
  return `(language) => ({ ${all.join(', ')} })[language]()`
}

/** @throws TypeError for a specifier that names no message of the model. */
export function messageOf(model: Model, specifier: string): MessageModel {
  const [name, key] = keyOf(specifier)
  const module = model.modules.find((one) => one.name === name)
  const message = module?.messages.find((one) => one.key === key)
  if (!message) throw new TypeError(`${specifier} is not in the catalog`)
  return message
}

/**
 * Returns the start of the top-level statement around `index`, where `await` is allowed.
 */
function statementStart(input: ChunkInput, index: number): number {
  const { body } = input.parse(input.code)
  return body.find(({ start, end }) => start <= index && index < end)?.start ?? 0
}
