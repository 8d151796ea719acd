import { join } from 'node:path'
import { ConfigError } from '@servicekit/client'
import { memoize } from '@servicekit/core'
import type { ResolvedFolder } from '../config/folder-options.ts'
import { findTranslationFiles, type FolderFile, invalidAt } from '../sources/read-folder.ts'
import { parseTranslationFile } from '../sources/translation-file.ts'
import type { FileChange } from '../files/replace-files.ts'
import { readText } from '../files/write.ts'
import type { EditableFile, EditableKeys } from './editable-map.ts'
import { editJson } from './json-text.ts'
import { detailsOf, type KeyDetails, type KeyId } from '../model/key-draft.ts'
import { keyFileChange, readKeyFile, withEntry } from '../snapshot/key-file.ts'
import { editYaml } from './yaml-text.ts'

/** Edits of the files of a folder, in memory. */
export interface FolderEdit {
  /** Opens the keys of a language and module; none if the file does not exist. */
  readonly open: (language: string, module: string) => Promise<EditableKeys>
  /** Returns whether any language has a key. */
  readonly hasKey: (languages: readonly string[], id: KeyId) => Promise<boolean>
  readonly detailsOf: (id: KeyId) => KeyDetails
  readonly setDetails: (id: KeyId, details: KeyDetails | undefined) => void
  /** Returns the files that were edited. */
  readonly changes: () => readonly FileChange[]
}

interface OpenFile {
  readonly file: EditableFile
  /** Names of the objects that contain the translations: the language in Rails. */
  readonly path: readonly string[]
}

/** Opens a folder for editing. */
export async function editFolder(from: ResolvedFolder, keyFile: string): Promise<FolderEdit> {
  const { folder } = from
  const before = await readKeyFile(keyFile)
  let entries = before
  const known = filesOf(from)
  const openFile = memoize(async (path: string): Promise<OpenFile> => {
    const { pattern, names } = known.get(path) ?? newFile(from, path)
    const text = (await readText(join(folder, path))) ?? ''
    const { root, file } = invalidAt(join(folder, path), text, () => ({
      root: parseTranslationFile(text, pattern.format, names).root,
      file: pattern.format === 'yaml' ? editYaml(text) : editJson(text),
    }))
    const own = root ?? (text === '' && (await hasRoots()) ? names[0] : undefined)
    return { file, path: own === undefined ? [] : [own] }
  })
  /** True if the files contain everything in an object with the name of the language, as in Rails. */
  const hasRoots = async (): Promise<boolean> => {
    const [first] = known
    return first !== undefined && (await openFile(first[0])).path.length > 0
  }
  const opened = new Map<string, OpenFile>()
  const open = async (language: string, module: string): Promise<EditableKeys> => {
    const { path, section } = placeOf(from, known, language, module)
    const file = await openFile(path)
    opened.set(path, file)
    return file.file.at([...file.path, ...section])
  }
  return {
    open,
    async hasKey(languages, { module, key }) {
      for (const language of languages) if ((await open(language, module)).has(key)) return true
      return false
    },
    detailsOf: ({ module, key }) => detailsOf(entries.get(module)?.get(key) ?? {}),
    setDetails({ module, key }, details) {
      entries = withEntry(entries, module, key, details && detailsOf(details))
    },
    changes: () => [
      // Details first: without its key an entry is harmless, and the next run adds the key.
      ...(entries === before ? [] : [keyFileChange(keyFile, entries)]),
      ...[...opened].flatMap(([path, { file }]) =>
        file.isChanged() ? [{ path: join(folder, path), text: file.print(), folder }] : [],
      ),
    ],
  }
}

type KnownFile = Pick<FolderFile, 'pattern' | 'language' | 'module'> & {
  /** Names of the language: that in the path, and its code. */
  readonly names: readonly string[]
}
type KnownFiles = ReadonlyMap<string, KnownFile>

function filesOf(from: ResolvedFolder): KnownFiles {
  try {
    const { files } = findTranslationFiles(from)
    return new Map(
      files.map(({ path, name, ...file }) => [path, { ...file, names: [name, file.language] }]),
    )
  } catch (error) {
    // A folder that is empty, or does not exist yet.
    if (error instanceof ConfigError) return new Map()
    throw error
  }
}

/**
 * Returns the file of a module, or that of a new one: named like the files of other languages.
 *
 * @throws ConfigError if the folder has no files for other modules.
 */
function placeOf(
  from: ResolvedFolder,
  known: KnownFiles,
  language: string,
  module: string,
): { readonly path: string; readonly section: readonly string[] } {
  const holds = ({ pattern, module: own }: Pick<KnownFile, 'pattern' | 'module'>): boolean =>
    pattern.hasSections || (own ?? from.module) === module
  const sectionIn = ({ hasSections }: KnownFile['pattern']): readonly string[] =>
    hasSections && module !== from.module ? [module] : []
  const files = [...known]
  const found = files.find(([, file]) => file.language === language && holds(file))
  if (found) return { path: found[0], section: sectionIn(found[1].pattern) }
  const pattern =
    files.find(([, file]) => holds(file))?.[1].pattern ??
    from.patterns.find((one) => one.hasModule || one.hasSections || module === from.module)
  if (!pattern) {
    throw new ConfigError(`The folder ${from.folder} has no files for the module "${module}"`, {
      details: { files: from.patterns.map(({ text }) => text).join(', ') },
      help: `Its files have one module: "${from.module}".`,
    })
  }
  const name = [...from.languages].find(([, code]) => code === language)?.[0] ?? language
  return { path: pattern.pathOf({ language: name, module }), section: sectionIn(pattern) }
}

function newFile(
  { patterns, languages }: ResolvedFolder,
  path: string,
): Pick<KnownFile, 'pattern' | 'names'> {
  const pattern = patterns.find((one) => one.match(path) !== undefined)!
  const { language } = pattern.match(path)!
  return { pattern, names: [language, languages.get(language) || language] }
}
