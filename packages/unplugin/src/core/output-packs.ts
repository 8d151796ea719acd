import { dirname, join } from 'node:path'
import remapping from '@jridgewell/remapping'
import type { BuiltChunk, Model } from '@servicekit/catalog'
import type { OutputFile } from 'esbuild'
import type { MagicString } from 'magic-string'
import { parseSource } from '../source/parse-source.ts'
import { keyOf, keyPrefix } from './ids.ts'
import { type LoaderOptions, packVariable, replaceMessageCalls } from './message-calls.ts'

/**
 * Creates the language packs of finished files, including source maps, for bundlers whose
 * output is not parsed again. The first message of a file awaits the pack:
 *
 * ```js
 * var a = message(pack$uilm = await pack((language) => import(`./uilm-1f3a9c0d.${language}.js`)),0)
 * var pack$uilm;
 * ```
 *
 * esbuild's metafile lists the surviving modules, but not the positions of their calls, so
 * the files are parsed.
 *
 * @param options as in `createChunkPacks`.
 * @param onChunk called for each file with messages. The names of it and its packs are absolute paths.
 */
export function createOutputPacks(
  files: readonly OutputFile[],
  model: Model,
  options: LoaderOptions = {},
  onChunk: (chunk: BuiltChunk) => void = () => undefined,
): readonly OutputFile[] {
  const output = new Map(files.map((file) => [file.path, file]))
  const add = (path: string, text: string): unknown => output.set(path, outputFile(path, text))
  for (const { path, text } of files.filter((file) => /\.[cm]?js$/.test(file.path))) {
    const result = replaceCalls(path, text, model, options)
    if (!result) continue
    const map = output.get(`${path}.map`)
    const { code, remapped } = withMap(result.edited, map?.text)
    add(path, code)
    if (map && remapped) add(map.path, remapped)
    const packs = result.packs.map((pack) => ({ ...pack, name: join(dirname(path), pack.name) }))
    for (const { name, source } of packs) add(name, source)
    onChunk({ hash: result.hash, keys: result.specifiers.map(keyOf), packs, files: [path] })
  }
  return [...output.values()]
}

/** Creates a file in memory, like those of esbuild. */
export const outputFile = (path: string, text: string): OutputFile => ({
  path,
  text,
  contents: new TextEncoder().encode(text),
  hash: '',
})

function replaceCalls(path: string, code: string, model: Model, options: LoaderOptions) {
  if (!code.includes(keyPrefix)) return undefined
  const program = parseSource(code, path)
  if (!program) throw new TypeError(`Cannot parse ${path}, which esbuild wrote`)
  const replaced = replaceMessageCalls(
    code,
    program,
    model,
    options,
    (load) => `${packVariable} = ${load}`,
  )
  replaced?.edited.appendLeft(program.body.at(-1)!.end, `\nvar ${packVariable};`)
  return replaced
}

function withMap(
  edited: MagicString,
  map: string | undefined,
): { readonly code: string; readonly remapped: string | undefined } {
  const code = edited.toString()
  const inline = /\n\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(code)
  const before = map ?? (inline && Buffer.from(inline[1]!, 'base64').toString('utf8'))
  if (!before) return { code, remapped: undefined }
  const own = edited.generateMap({ hires: 'boundary' })
  const remapped = JSON.stringify(remapping([own as never, before], () => null))
  if (map !== undefined) return { code, remapped }
  const comment = `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(remapped).toString('base64')}\n`
  return { code: code.slice(0, inline!.index) + comment, remapped: undefined }
}
