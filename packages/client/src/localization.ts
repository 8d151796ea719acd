import { isObject } from '@servicekit/core'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core, SendInput } from './core.ts'
import { nonEmptyString, wrongShape } from './operate.ts'

/**
 * Route family (section 9): `localization` is `/localization/v4`, `uilm` is `/uilm/v1`.
 * Both have the same operations.
 */
export type LocalizationFamily = 'localization' | 'uilm'

/** Options of a call, with the route family to use. */
export interface LocalizationCallOptions extends CallOptions {
  /** Default: `localization`. */
  readonly family?: LocalizationFamily
}

/** Language of a project, in one shape for all instances (section 2.4). */
export interface Language {
  /** Id; undefined if the instance does not return it. */
  readonly itemId: string | undefined
  /** Language code such as `de-DE`, or the special code `key`. */
  readonly code: string
  /** Display name; the code if there is none. */
  readonly name: string
  /** Default language. An instance may flag more than one. */
  readonly isDefault: boolean
}

/** Module of a project. */
export interface Module {
  /** Id; undefined if the instance does not return it. */
  readonly itemId: string | undefined
  /** Name, used as `module` in `getFile`. */
  readonly name: string
}

/** Result of {@link getFile}. */
export type TranslationFile =
  /** `translations` is the file as sent: normalize it before use. Undefined for an empty body. */
  | {
      readonly status: 'ok'
      readonly translations: Readonly<Record<string, unknown>> | undefined
      readonly etag: string | undefined
    }
  | { readonly status: 'unchanged' }

const families = {
  localization: {
    languages: routes.localizationListLanguages,
    modules: routes.localizationListModules,
    file: routes.localizationGetFile,
  },
  uilm: {
    languages: routes.uilmListLanguages,
    modules: routes.uilmListModules,
    file: routes.uilmGetFile,
  },
} as const

/**
 * Lists the languages of the project. Accepts an array or an object with `items` or `data`;
 * the code is read from `languageCode`, `code` or `culture`.
 *
 * @throws RequestError, ResponseShapeError
 * @see section 4.6
 */
export async function listLanguages(
  core: Core,
  { family = 'localization', ...call }: LocalizationCallOptions = {},
): Promise<readonly Language[]> {
  const intent = 'list the languages'
  const rows = await listRows(core, families[family].languages, { ...call, intent })
  return rows.map(({ row, fail }) => {
    const code = row['languageCode'] ?? row['code'] ?? row['culture']
    if (typeof code !== 'string' || !code) throw fail('a language code')
    return {
      itemId: nonEmptyString(row['itemId']),
      code,
      name: nonEmptyString(row['languageName']) ?? nonEmptyString(row['name']) ?? code,
      isDefault: row['isDefault'] === true,
    }
  })
}

/**
 * Lists the modules of the project. Not part of the interface: an instance without this
 * route responds with 404, and modules must then be configured by name.
 *
 * @throws RequestError, ResponseShapeError
 */
export async function listModules(
  core: Core,
  { family = 'localization', ...call }: LocalizationCallOptions = {},
): Promise<readonly Module[]> {
  const intent = 'list the modules'
  const rows = await listRows(core, families[family].modules, { ...call, intent })
  return rows.map(({ row, fail }) => {
    const name = nonEmptyString(row['moduleName']) ?? nonEmptyString(row['name'])
    if (!name) throw fail('a moduleName')
    return { itemId: nonEmptyString(row['itemId']), name }
  })
}

/**
 * Returns the translation file of one language and module, as the service sends it. With
 * `etag` the request is conditional and the result may be `unchanged`.
 *
 * ```ts
 * await getFile(core, { language: 'de-DE', module: 'auth' })
 * // { status: 'ok', translations: { SIGN_IN: 'Anmelden' }, etag: '"1f…"' }
 * ```
 *
 * @throws RequestError 400 for an unknown language or module, 401 for the project key.
 * @throws ResponseShapeError if the body is not a JSON object.
 * @see section 4.6
 */
export async function getFile(
  core: Core,
  {
    language,
    module,
    etag,
  }: { readonly language: string; readonly module: string; readonly etag?: string },
  { family = 'localization', ...call }: LocalizationCallOptions = {},
): Promise<TranslationFile> {
  const intent = `read the translations of module "${module}" in ${language}`
  const details = { language, module }
  const route = families[family].file
  const response = await core.send(route, {
    ...call,
    query: { Language: language, ModuleName: module, ProjectKey: core.projectKey },
    // Only a conditional request may receive 304.
    ...(etag !== undefined && { headers: { 'if-none-match': etag }, accept: [304] }),
    intent,
    details,
  })
  if (response.status === 304) return { status: 'unchanged' }
  const translations = response.json()
  if (translations !== undefined && !isObject(translations)) {
    throw wrongShape(core, route, intent, 'an object from key to translation', {
      ...details,
      received: typeOf(translations),
    })
  }
  return { status: 'ok', translations, etag: response.headers['etag'] }
}

/** Returns the objects of a list response, each with a function that creates an error for it. */
async function listRows(core: Core, route: routes.Route, input: SendInput) {
  const { intent } = input
  const query = { ProjectKey: core.projectKey }
  const body = (await core.send(route, { ...input, query })).json()
  const list = isObject(body) ? (body['items'] ?? body['data']) : body
  if (!Array.isArray(list)) {
    throw wrongShape(core, route, intent, 'an array, or one in items or data', {
      received: typeOf(body),
    })
  }
  return list.map((row: unknown, entry) => {
    const fail = (expected: string): Error =>
      wrongShape(core, route, intent, expected, { entry, received: typeOf(row) })
    if (!isObject(row)) throw fail('an object')
    return { row, fail }
  })
}

const typeOf = (value: unknown): string =>
  value === undefined
    ? 'an empty body'
    : Array.isArray(value)
      ? 'an array'
      : `${value && typeof value}`
