import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import type { Source } from '../src/sources/source.ts'

const folder = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))

/** Creates a source from the folder of the storefront project. Tests may change `translations`. */
export async function storefrontSource(): Promise<
  Source & { readonly translations: Map<string, Record<string, unknown>> }
> {
  const read = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, file), 'utf8'))
  const languages = (await read('languages.json')) as {
    languageCode: string
    languageName: string
    isDefault: boolean
  }[]
  const modules = (await read('modules.json')) as { moduleName: string }[]
  const translations = new Map<string, Record<string, unknown>>()
  for (const language of await readdir(join(folder, 'uilm'))) {
    for (const { moduleName } of modules) {
      const file = await read(`uilm/${language}/${moduleName}.json`)
      translations.set(`${language}/${moduleName}`, file as Record<string, unknown>)
    }
  }
  return {
    name: 'the storefront folder',
    translations,
    list: async () => ({
      languages: languages
        .filter(({ languageCode }) => languageCode !== 'key')
        .map(({ languageCode, languageName, isDefault }) => ({
          code: languageCode,
          name: languageName,
          isDefault,
        })),
      modules: modules.map(({ moduleName }) => moduleName),
    }),
    read: async ({ language, module }) => {
      const raw = translations.get(`${language}/${module}`)
      return raw ? { status: 'ok', raw, etag: undefined } : { status: 'empty' }
    },
  }
}
