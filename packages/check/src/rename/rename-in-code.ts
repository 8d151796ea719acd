import { type Model, type Project, sourceTypeOf } from '@servicekit/catalog'
import { applyEdits } from '../edit/edits.ts'
import { unifiedDiff } from '../edit/unified-diff.ts'
import { readSources } from '../usage/read-sources.ts'
import { openedFiles } from '../usage/usage.ts'
import { type MessageRename, renameEdits } from './rename-edits.ts'

/** File with renamed uses. */
export interface RenamedFile {
  /** Path relative to the root, with `/` separators. */
  readonly file: string
  /** Number of edits. */
  readonly edits: number
  /** Changes in unified diff format. */
  readonly diff: string
  readonly text: string
  /** Former text. */
  readonly before: string
}

/** Use that must be renamed by hand. */
export interface UnrenamedUse {
  readonly file: string
  /** One-based. */
  readonly line: number
  readonly column: number
  readonly reason: string
}

/** Renames a message in the code: scripts, and the templates of components and pages. */
export function renameInCode(
  model: Model,
  rename: MessageRename,
  options: {
    readonly project: Project
    readonly sources?: readonly string[]
    readonly aliases?: Readonly<Record<string, string>>
    readonly hooks?: readonly string[]
  },
): { readonly files: readonly RenamedFile[]; readonly unrenamed: readonly UnrenamedUse[] } {
  const sources = readSources(options.project.options, options.sources, options.aliases)
  const texts = new Map(sources.files.map(({ path, text }) => [path, text]))
  const files: RenamedFile[] = []
  const unrenamed: UnrenamedUse[] = []
  const opened = openedFiles(model, sources, options)
  for (const { path, read, context, references } of opened) {
    const text = texts.get(path)!
    const own = references
      .filter(({ messages }) =>
        messages.some(
          ({ module, message }) => module.name === rename.module && message.key === rename.from,
        ),
      )
      .map(({ reference }) => reference)
    const edit = (keepsLocals: boolean) =>
      renameEdits(read, context.messageSpecifier, own, rename, keepsLocals)
    let found = edit(isOpaqueTemplate(path, text))
    // A name that a template declares hides that of the script: `v-for="PAY in list"`.
    if (isComponent(path) && countWords(text, rename.from) !== editsOf(found.edits, text, rename)) {
      found = edit(true)
    }
    for (const { node, reason } of found.unrenamed) {
      const { line, character } = read.source.getLineAndCharacterOfPosition(
        node.getStart(read.source),
      )
      unrenamed.push({ file: path, line: line + 1, column: character + 1, reason })
    }
    if (found.edits.length === 0) continue
    const after = applyEdits(text, found.edits)
    const diff = unifiedDiff(path, text, after)
    files.push({ file: path, edits: found.edits.length, diff, text: after, before: text })
  }
  return { files, unrenamed }
}

const isComponent = (path: string): boolean => sourceTypeOf(path) !== 'script'

/** In Vue, the template uses the names of a script only with `<script setup>`. */
const isOpaqueTemplate = (path: string, text: string): boolean =>
  path.endsWith('.vue') && !/<script\b[^>]*\bsetup\b/.test(text)

const countWords = (text: string, word: string): number =>
  [...text.matchAll(/[\p{ID_Continue}$]+/gu)].filter(([one]) => one === word).length

const editsOf = (
  edits: readonly { readonly start: number; readonly end: number }[],
  text: string,
  { from }: MessageRename,
): number => edits.filter(({ start, end }) => text.slice(start, end).includes(from)).length
