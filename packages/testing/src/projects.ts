import { AccessLevel } from '@servicekit/contract'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Platform, ProjectSource } from '@servicekit/platform'
import { defaultDialect } from '@servicekit/contract/control'

/** Sample project of the repository. */
export const storefront = fileURLToPath(
  new URL('../../../fixtures/projects/storefront', import.meta.url),
)
export const storefrontKey = 'P5c1e7a90d2f84b6e8a3f9d41'

/** Translations by language and module: `{en: {auth: {SIGN_IN: 'Sign in'}}}`. */
export type Texts = Record<string, Record<string, Record<string, string | null>>>

type Changes = Partial<Omit<ProjectSource, 'dialect' | 'records'>> & {
  readonly dialect?: Partial<ProjectSource['dialect']>
  readonly records?: Record<string, readonly Record<string, unknown>[]>
}

const idOf = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 12)

/** Access levels that let anyone read and change records. */
export const publicLevels = {
  readAccessLevel: AccessLevel.Public,
  writeAccessLevel: AccessLevel.Public,
  editAccessLevel: AccessLevel.Public,
  deleteAccessLevel: AccessLevel.Public,
}

/**
 * Creates a small project with the languages and modules of the translations. Schemas are
 * Public unless they have access levels.
 */
export function project(key: string, texts: Texts = {}, changes: Changes = {}): ProjectSource {
  const codes = Object.keys(texts)
  const modules = [...new Set(codes.flatMap((code) => Object.keys(texts[code]!)))]
  return {
    key,
    name: key,
    organizationId: `org-${key}`,
    fallback: codes[0] ?? 'en-US',
    languages: codes.map((languageCode, index) => ({
      itemId: idOf(languageCode),
      languageName: `Language ${languageCode}`,
      languageCode,
      isDefault: index === 0,
    })),
    modules: modules.map((moduleName) => ({ itemId: idOf(moduleName), moduleName })),
    files: codes.flatMap((code) =>
      modules.map((module) => ({
        language: code,
        module,
        texts: new Map(Object.entries(texts[code]![module] ?? {})),
      })),
    ),
    ...changes,
    schemas: (changes.schemas ?? []).map((schema) => ({ ...publicLevels, ...schema })),
    dialect: { ...defaultDialect, ...changes.dialect },
    records: new Map(Object.entries(changes.records ?? {})),
  }
}

/** Options of {@link get}. */
export interface GetOptions {
  /** Project key of the header; null sends none. */
  readonly key?: string | null
  readonly headers?: Record<string, string>
  readonly method?: string
}

/** Sends a GET request with a query. */
export function get(
  platform: Platform,
  path: string,
  query: Record<string, string> = {},
  { key = null, headers = {}, method = 'GET' }: GetOptions = {},
): Promise<Response> {
  const url = new URL(path, 'http://platform.local')
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return platform.fetch(
    new Request(url, {
      method,
      headers: { ...headers, ...(key === null ? {} : { 'x-service-key': key }) },
    }),
  )
}
