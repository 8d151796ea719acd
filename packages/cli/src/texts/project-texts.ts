import type { Control, ControlResult } from '@servicekit/client/control'

type ListedKey = ControlResult<'GET /projects/{project}/keys'>['items'][number]

/** Languages, modules and keys of a project. */
export interface ProjectTexts {
  readonly languages: readonly string[]
  readonly defaultLanguage: string | undefined
  readonly modules: readonly string[]
  /** Keys with their current texts: drafts, or else what is served. */
  readonly keys: readonly {
    readonly module: string
    readonly key: string
    readonly texts: Readonly<Record<string, string | null>>
    /** States by language of the texts that are reviewed or need a review. */
    readonly states: ListedKey['states']
    readonly context: string | undefined
    readonly maxLength: number | undefined
  }[]
}

const pageSize = 1000

/** Reads the texts of a project, drafts included. @throws RequestError */
export async function readProjectTexts(
  { send }: Control,
  projectKey: string,
): Promise<ProjectTexts> {
  const path = { project: projectKey }
  const languages = await send('GET /projects/{project}/languages', { path })
  const modules = await send('GET /projects/{project}/modules', { path })
  const listed: ListedKey[] = []
  for (let page = 1; ; page++) {
    const query = { page, pageSize }
    const { items, totalCount } = await send('GET /projects/{project}/keys', { path, query })
    listed.push(...items)
    if (items.length === 0 || listed.length >= totalCount) break
  }
  const codes = languages
    .map(({ languageCode }) => languageCode)
    // Lists the keys themselves.
    .filter((code) => code !== 'key')
  const defaultLanguage = languages.find(({ isDefault }) => isDefault)?.languageCode ?? codes[0]
  return {
    languages: codes,
    defaultLanguage,
    modules: modules.map(({ moduleName }) => moduleName),
    keys: listed.flatMap(({ module, key, texts, drafts, states, isRemoved, details }) =>
      isRemoved
        ? []
        : [
            {
              module,
              key,
              texts: { ...texts, ...drafts },
              states,
              context: details?.context,
              maxLength: details?.maxLength,
            },
          ],
    ),
  }
}
