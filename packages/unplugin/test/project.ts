import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type CatalogOptions,
  type Model,
  modelOf,
  normaliseFile,
  openProject,
  type Project,
  type Source,
} from '@servicekit/catalog'

/** Translations by `language/module`, the default language first. */
export type Files = Record<string, Record<string, unknown>>

/** Creates the model of some translations, as if read from a snapshot. */
export function modelFrom(files: Files, options: Pick<Model['options'], 'markup'> = {}): Model {
  const { languages, modules } = listing(files)
  return modelOf(
    {
      languages: languages.map(({ code, name }) => ({ code, name })),
      defaultLanguage: languages[0]!.code,
      modules: modules.map((name) => ({
        name,
        translations: new Map(
          languages
            .filter(({ code }) => files[`${code}/${name}`])
            .map(({ code }) => [
              code,
              normaliseFile(files[`${code}/${name}`]!, { language: code, module: name })
                .translations,
            ]),
        ),
      })),
    },
    { syntax: 'double-brace', fallback: {}, ...options },
  )
}

/** Source with translations that a test may change. It counts its list requests. */
export interface TestSource extends Source {
  readonly files: Files
  listed: number
  failing: Error | undefined
}

export function sourceOf(files: Files): TestSource {
  const source: TestSource = {
    name: 'the test',
    files,
    listed: 0,
    failing: undefined,
    list: async () => {
      source.listed++
      if (source.failing) throw source.failing
      return listing(files)
    },
    read: async ({ language, module }) => {
      const raw = files[`${language}/${module}`]
      return raw ? { status: 'ok', raw, etag: undefined } : { status: 'empty' }
    },
  }
  return source
}

const listing = (files: Files) => {
  const places = Object.keys(files).map((place): [string, string] => {
    const slash = place.indexOf('/')
    return [place.slice(0, slash), place.slice(slash + 1)]
  })
  const codes = [...new Set(places.map(([code]) => code))]
  return {
    languages: codes.map((code, index) => ({
      code,
      name: `Language ${code}`,
      isDefault: index === 0,
    })),
    modules: [...new Set(places.map(([, module]) => module))].sort(),
  }
}

/** Creates a project in `root` over a source. */
export function projectOver(
  root: string,
  source: Source | undefined,
  options: CatalogOptions = {},
): Project {
  return openProject(
    { ...options, root },
    {
      ...(source === undefined ? {} : { source }),
      clock: { now: Date.now, sleep: async () => undefined },
      environment: {},
    },
  )
}

/** Writes the snapshot and its lock, like in a committed project. */
export async function writeSnapshot(root: string, files: Files): Promise<void> {
  await projectOver(root, sourceOf(files)).pull()
}

/** Writes an application's files. */
export async function writeApp(root: string, files: Record<string, string>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
}

/** Creates a folder that {@link removeFolders} removes. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-unplugin-'))
  folders.push(folder)
  return folder
}

const folders: string[] = []

export async function removeFolders(): Promise<void> {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
}
