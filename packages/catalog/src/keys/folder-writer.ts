import { ConfigError } from '@servicekit/client'
import { referencesIn } from '../sources/expand-references.ts'
import type { ResolvedFolder } from '../config/folder-options.ts'
import { createFolderReader } from '../sources/read-folder.ts'
import type { Catalog } from '../model/catalog.ts'
import type { MessageSyntax } from '../syntax/message.ts'
import { replaceFiles } from '../files/replace-files.ts'
import { withFolderLock } from '../snapshot/with-folder-lock.ts'
import { editFolder, type FolderEdit } from './folder-edit.ts'
import { detailsOf, keyId, type KeyDraft } from '../model/key-draft.ts'
import { folderKeyFile, readKeyFile } from '../snapshot/key-file.ts'
import type { KeyRename, KeyWriter } from '../config/key-writer.ts'

/**
 * Creates a writer of a folder of translation files, such as that of i18next. Files keep their
 * format; details of keys are in `uilm.keys.json` of the folder.
 */
export function folderWriter(
  from: ResolvedFolder,
  { maxBytes, syntax }: { readonly maxBytes: number; readonly syntax: MessageSyntax },
): KeyWriter {
  const { folder } = from
  const keyFile = folderKeyFile(folder)
  const selection = { languages: undefined, modules: undefined, defaultLanguage: undefined }
  // References stay as they are written.
  const reader = createFolderReader({ ...selection, from, maxBytes, syntax: 'single-brace' })
  /** Returns the translations; none if the folder is empty or does not exist. */
  const read = (): Pick<Catalog, 'languages' | 'modules'> => {
    try {
      return reader.read().catalog
    } catch (error) {
      if (
        error instanceof ConfigError &&
        /contains no languages|Cannot read the folder/.test(error.message)
      )
        return { languages: [], modules: [] }
      throw error
    }
  }
  /** Edits the files, unless the result is `false`. */
  const change = <T>(
    work: (edit: FolderEdit, languages: readonly string[]) => Promise<T>,
  ): Promise<T> =>
    withFolderLock(folder, async () => {
      const edit = await editFolder(from, keyFile)
      const result = await work(
        edit,
        read().languages.map(({ code }) => code),
      )
      if (result !== false) await replaceFiles(edit.changes())
      return result
    })

  return {
    name: `the folder ${folder}`,
    async list({ language }) {
      const details = await readKeyFile(keyFile)
      const keys = new Map<string, KeyDraft>()
      for (const { name: module, translations } of read().modules) {
        for (const [code, texts] of translations) {
          for (const [key, text] of texts) {
            const id = keyId({ module, key })
            const own = code === language ? (text ?? '') : (keys.get(id)?.text ?? '')
            const known = detailsOf(details.get(module)?.get(key) ?? {})
            keys.set(id, { module, key, text: own, ...known })
          }
        }
      }
      return [...keys.values()]
    },
    create: (drafts, { language }) =>
      change(async (edit, languages) => {
        for (const draft of drafts) if (await edit.hasKey(languages, draft)) return false
        for (const { module, key, text, ...details } of drafts) {
          const file = await edit.open(language, module)
          file.set(key, text)
          edit.setDetails({ module, key }, details)
        }
        return true
      }),
    remove: (keys) =>
      change(async (edit, languages) => {
        for (const id of keys) {
          for (const code of languages) (await edit.open(code, id.module)).take(id.key)
          edit.setDetails(id, undefined)
        }
      }),
    rename: (renames) =>
      change(async (edit, languages) => {
        rejectReferences(read(), renames, syntax)
        for (const { module, from, to } of renames) {
          if (!(await edit.hasKey(languages, { module, key: from }))) continue
          const files = await Promise.all(languages.map((code) => edit.open(code, module)))
          // An interrupted run may have renamed the key in some languages, and in the details.
          if (files.some((file) => file.has(from) && file.has(to))) return false
          for (const file of files) if (file.has(from)) file.move(from, to)
          const [former, own] = [from, to].map((key) => edit.detailsOf({ module, key }))
          edit.setDetails({ module, key: to }, { ...own, ...former })
          edit.setDetails({ module, key: from }, undefined)
        }
        return true
      }),
  }
}

/** @throws ConfigError if a text refers to a key that is renamed. */
function rejectReferences(
  { modules }: Pick<Catalog, 'modules'>,
  renames: readonly KeyRename[],
  syntax: MessageSyntax,
): void {
  for (const { name, translations } of modules) {
    for (const [language, texts] of translations) {
      for (const [key, text] of texts) {
        if (text === null) continue
        for (const reference of referencesIn(text, syntax)) {
          const renamed = renames.find(({ module, from }) =>
            name === module && reference === from
              ? true
              : reference === `${module}:${from}` || reference === `${module}.${from}`,
          )
          if (!renamed) continue
          throw new ConfigError(
            `The key ${renamed.from} of ${renamed.module} is part of other messages`,
            {
              details: { message: `${name} ${key} (${language})`, text },
              help: 'Change this text first, then rename the key.',
            },
          )
        }
      }
    }
  }
}
