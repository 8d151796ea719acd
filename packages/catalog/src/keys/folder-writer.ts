import { ConfigError } from '@servicekit/client'
import { join } from 'node:path'
import { folderSource, languagesIn } from '../folder-source.ts'
import { normaliseFile } from '../normalise.ts'
import { replaceFiles } from '../replace-files.ts'
import { withFolderLock } from './with-folder-lock.ts'
import { type FolderEdit, openFolder } from './folder-edit.ts'
import { detailsOf, keyId, type KeyDraft } from './key-draft.ts'
import { readKeyFile } from './key-file.ts'
import type { KeyWriter } from './key-writer.ts'

/**
 * Creates a writer of a folder of `<language>/<module>.json`, such as that of i18next. Files keep
 * their format; details of keys are in `uilm.keys.json` of the folder.
 *
 * @param folder Absolute path.
 */
export function folderWriter(folder: string, maxBytes: number): KeyWriter {
  const keyFile = join(folder, 'uilm.keys.json')
  const source = folderSource({ from: folder, modules: undefined, maxBytes })
  /** Edits the files, unless the result is `false`. */
  const change = <T>(
    work: (edit: FolderEdit, languages: readonly string[]) => Promise<T>,
  ): Promise<T> =>
    withFolderLock(folder, async () => {
      const edit = await openFolder(folder, keyFile)
      const result = await work(edit, await languagesOf(folder))
      if (result !== false) await replaceFiles(edit.changes())
      return result
    })

  return {
    name: source.name,
    async list({ language, signal }) {
      const languages = await languagesOf(folder)
      if (languages.length === 0) return []
      const { modules } = await source.list(signal)
      const details = await readKeyFile(keyFile)
      const keys = new Map<string, KeyDraft>()
      for (const module of modules) {
        for (const code of languages) {
          const file = await source.read({ language: code, module }, { signal })
          if (file.status !== 'ok') continue
          const { translations } = normaliseFile(file.raw, { language: code, module })
          for (const [key, text] of translations) {
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
        for (const { module, from, to } of renames) {
          if (!(await edit.hasKey(languages, { module, key: from }))) continue
          const files = await Promise.all(languages.map((code) => edit.open(code, module)))
          // An interrupted run may have renamed the key in some languages, and in the details.
          if (files.some((file) => file.has(from) && file.has(to))) return false
          for (const file of files) if (file.has(from)) file.set(to, file.take(from))
          const [former, own] = [from, to].map((key) => edit.detailsOf({ module, key }))
          edit.setDetails({ module, key: to }, { ...own, ...former })
          edit.setDetails({ module, key: from }, undefined)
        }
        return true
      }),
  }
}

/** Returns the languages of a folder; none if it is empty or does not exist. */
const languagesOf = (folder: string): Promise<readonly string[]> =>
  languagesIn(folder).catch((error: unknown) => {
    if (error instanceof ConfigError) return []
    throw error
  })
