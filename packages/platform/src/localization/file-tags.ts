import QuickLRU from 'quick-lru'
import type { Project } from '../database/project-directory.ts'

type Version = Pick<Project, 'id' | 'textsVersion'>

const keyOf = ({ id, textsVersion }: Version, language: string, module: string): string =>
  JSON.stringify([id, textsVersion, language, module])

/**
 * Creates a cache of the tags of translation files, by the version of the project's translations.
 * With it, a client that has a file already gets a 304 without reading the file.
 */
export function createFileTags() {
  const tags = new QuickLRU<string, string>({ maxSize: 10_000 })
  return {
    get: (version: Version, language: string, module: string): string | undefined =>
      tags.get(keyOf(version, language, module)),
    /** @param version which the file was read with: another request may change it at any time. */
    set: (version: Version, language: string, module: string, tag: string): void => {
      tags.set(keyOf(version, language, module), tag)
    },
  }
}
