import { emitPackFiles, type MessageModel, type Model, type PackFile } from '@servicekit/catalog'
import { MagicString } from 'magic-string'
import type { ESTree } from 'vite'
import { stringOf, walk } from '../source/syntax-tree.ts'
import { keyOf, keyPrefix } from './ids.ts'

export interface LoaderOptions {
  /**
   * Writes a separate import for each pack, for code that another tool bundles or traces
   * again: server adapters, applications that use a library. Pages use one template
   * import, which is smaller.
   */
  readonly isBundledAgain?: boolean
  /** The page may load newer packs than those of the build. */
  readonly isLive?: boolean
}

/** Code whose calls that create messages were replaced. */
export interface ReplacedCalls {
  readonly edited: MagicString
  /** Position of the first call. */
  readonly start: number
  /** Specifiers of the key modules of the messages. */
  readonly specifiers: readonly string[]
  /** Hash in the names of the packs. */
  readonly hash: string
  readonly packs: readonly PackFile[]
  /** Expression that loads the pack of the current language. */
  readonly load: string
}

/** Name of the variable with the pack of a chunk. */
export const packVariable = 'pack$uilm'

const annotation = '/* @__PURE__ */ '

/** Call in generated code that creates a message: `message(pack, "~uilm-key/auth/A")`. */
export interface MessageCall {
  readonly start: number
  /** Positions of the arguments. */
  readonly from: number
  readonly to: number
  /** Code of the function that registers packs. */
  readonly pack: string
  readonly specifier: string
}

/** Finds the calls that create messages, whatever names a minifier gave to their functions. */
export function findMessageCalls(code: string, program: ESTree.Program): readonly MessageCall[] {
  const calls: MessageCall[] = []
  walk(program, (node) => {
    if (node.type !== 'CallExpression') return
    const [pack, key] = node.arguments
    const text = key && stringOf(key)
    if (!pack || !text?.startsWith(keyPrefix)) return
    // After `@` is a hash of the translations, for bundlers that hash earlier.
    const specifier = text.split('@', 1)[0]!
    calls.push({
      start: node.start,
      from: pack.start,
      to: key!.end,
      pack: code.slice(pack.start, pack.end),
      specifier,
    })
  })
  return calls
}

/**
 * Replaces the calls that create the messages of a chunk, `message(pack, "~uilm-key/auth/A")`, by
 * calls with their positions in the packs of the chunk: `message(pack$uilm,0)`.
 *
 * One hash covers the translations of all languages. The chunk therefore needs no list of
 * file names, and its own hash changes when any translation in it changes. A change of one
 * language renames the packs of the others too: a hash for each language would add 36 bytes
 * (gzip) to each chunk with two languages and 189 with twelve, which every visitor loads, to
 * spare returning visitors a pack of about that size.
 *
 * @param firstArgument Returns the first argument of the first call, which by default is the
 * variable, too.
 * @returns undefined if the code creates no message.
 */
export function replaceMessageCalls(
  code: string,
  program: ESTree.Program,
  model: Model,
  options: LoaderOptions,
  firstArgument: (load: string) => string = () => packVariable,
): ReplacedCalls | undefined {
  const calls = findMessageCalls(code, program)
  const [first] = calls
  if (!first) return undefined
  const specifiers = [...new Set(calls.map(({ specifier }) => specifier))].sort()
  const messages = specifiers.map((specifier) => messageOf(model, specifier))
  const { hash, packs } = emitPackFiles(model, messages)
  const load = `await ${first.pack}(${loaderOf(hash, packs, messages.length, options)})`
  const edited = new MagicString(code)
  for (const call of calls) {
    const { start, from, to, specifier } = call
    // Tree shaking has already used the annotation, and not every bundler minifies.
    if (code.startsWith(annotation, start - annotation.length)) {
      edited.remove(start - annotation.length, start)
    }
    const argument = call === first ? firstArgument(load) : packVariable
    edited.overwrite(from, to, `${argument},${specifiers.indexOf(specifier)}`)
  }
  return { edited, start: first.start, specifiers, hash, packs, load }
}

/** Returns the arguments that register a pack: a function that imports it. */
function loaderOf(
  hash: string,
  packs: readonly PackFile[],
  size: number,
  { isBundledAgain, isLive }: LoaderOptions,
): string {
  if (isLive) return `(addressOf) => import(addressOf("${hash}")), ${size}`
  if (!isBundledAgain) return `(language) => import(\`./uilm-${hash}.\${language}.js\`)`
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
