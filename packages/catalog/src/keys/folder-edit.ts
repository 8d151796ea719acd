import { ConfigError } from '@servicekit/client'
import { memoize } from '@servicekit/core'
import { findModuleFiles, newModuleFile } from '../module-files.ts'
import type { FileChange } from '../replace-files.ts'
import { readText } from '../write.ts'
import { editJson, type EditableFile } from './json-text.ts'
import { detailsOf, type KeyDetails, type KeyId } from './key-draft.ts'
import { keyFileChange, readKeyFile, withEntry } from './key-file.ts'

/** Edits of the files of a folder, in memory. */
export interface FolderEdit {
  /** Opens the file of a language and module, which is empty if it does not exist. */
  readonly open: (language: string, module: string) => Promise<EditableFile>
  /** Returns whether any language has a key. */
  readonly hasKey: (languages: readonly string[], id: KeyId) => Promise<boolean>
  readonly detailsOf: (id: KeyId) => KeyDetails
  readonly setDetails: (id: KeyId, details: KeyDetails | undefined) => void
  /** Returns the files that were edited. */
  readonly changes: () => readonly FileChange[]
}

/** Opens a folder for editing. */
export async function openFolder(folder: string, keyFile: string): Promise<FolderEdit> {
  const before = await readKeyFile(keyFile)
  let entries = before
  const files = new Map<string, EditableFile>()
  const filesOf = memoize((language: string) => findModuleFiles(folder, language))
  const open = async (language: string, module: string): Promise<EditableFile> => {
    const found = (await filesOf(language)).get(module)
    const path = found ?? newModuleFile(folder, language, module)
    const text = found === undefined ? '' : ((await readText(path)) ?? '')
    const file = files.get(path) ?? parse(path, text)
    files.set(path, file)
    return file
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
      ...[...files].flatMap(([path, file]) =>
        file.isChanged() ? [{ path, text: file.print(), folder }] : [],
      ),
    ],
  }
}

function parse(path: string, text: string): EditableFile {
  try {
    return editJson(text)
  } catch (cause) {
    throw new ConfigError(`${path} is not a JSON object`, {
      details: { file: path },
      help: 'Correct the file.',
      cause,
    })
  }
}
