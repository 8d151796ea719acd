import { dirname, join } from 'node:path'
import remapping from '@jridgewell/remapping'
import type { Model } from '@servicekit/catalog'
import { MagicString } from 'magic-string'
import { emitPacks, importOf, messageOf } from './chunk-packs.ts'
import { messageCall } from './ids.ts'

/** Output file in memory. */
export interface BuiltFile {
  readonly path: string
  readonly contents: Uint8Array | string
}

/**
 * Creates the language packs of finished files, including source maps, for bundlers whose
 * output is not parsed again. `isFollowed` has the same meaning as in `cutPacks`. The
 * first message of a file awaits the pack:
 *
 * ```js
 * var a = message(texts$uilm = await pack((language) => import(`./uilm-1f3a9c0d.${language}.js`)), 0)
 * var texts$uilm;
 * ```
 */
export function cutOutput(
  files: readonly BuiltFile[],
  model: Model,
  isFollowed = false,
): readonly BuiltFile[] {
  const texts = new Map(files.map((file) => [file.path, file]))
  for (const file of files) {
    if (!/\.[cm]?js$/.test(file.path)) continue
    const code = textOf(file)
    const cut = cutFile(code, model, isFollowed)
    if (!cut) continue
    const map = texts.get(`${file.path}.map`)
    const { remapped, code: cutCode } = withMap(cut.edited, map && textOf(map))
    texts.set(file.path, { path: file.path, contents: cutCode })
    if (map && remapped) texts.set(map.path, { path: map.path, contents: remapped })
    for (const { name, source } of cut.packs) {
      const path = join(dirname(file.path), name)
      texts.set(path, { path, contents: source })
    }
  }
  return [...texts.values()]
}

function cutFile(code: string, model: Model, isFollowed: boolean) {
  const calls = [...code.matchAll(messageCall)]
  const [first] = calls
  if (!first) return undefined
  const specifiers = [...new Set(calls.map((call) => call[4]!))].sort()
  const { hash, packs } = emitPacks(
    model,
    specifiers.map((specifier) => messageOf(model, specifier)),
  )
  const edited = new MagicString(code)
  for (const call of calls) {
    const [text, message, pack, , specifier] = call
    const load = `(language) => ${importOf(hash, packs, isFollowed)}`
    const texts = call === first ? `texts$uilm = await ${pack}(${load})` : 'texts$uilm'
    edited.overwrite(
      call.index,
      call.index + text.length,
      `${message}(${texts}, ${specifiers.indexOf(specifier!)})`,
    )
  }
  const end = /\n\/\/# sourceMappingURL=.*\s*$/.exec(code)?.index ?? code.trimEnd().length
  edited.appendLeft(end, '\nvar texts$uilm;')
  return { edited, packs }
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
  const joined = remapping([own as never, JSON.parse(before) as never], () => null)
  // The sources are already in the first map.
  const { sourcesContent, sources } = JSON.parse(before) as {
    sources: string[]
    sourcesContent?: string[]
  }
  joined.sourcesContent = joined.sources.map(
    (source) => sourcesContent?.[sources.indexOf(source ?? '')] ?? null,
  )
  const remapped = JSON.stringify(joined)
  if (map !== undefined) return { code, remapped }
  const comment = `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(remapped).toString('base64')}\n`
  return { code: code.slice(0, inline!.index) + comment, remapped: undefined }
}

const textOf = ({ contents }: BuiltFile): string =>
  typeof contents === 'string' ? contents : new TextDecoder().decode(contents)
