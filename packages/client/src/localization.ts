import { isObject } from '@servicekit/core'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core } from './core.ts'
import { ResponseShapeError } from './errors.ts'

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
  /** `texts` is the file as sent: normalize it before use. Undefined for an empty body. */
  | {
      readonly status: 'ok'
      readonly texts: Readonly<Record<string, unknown>> | undefined
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
  const route = families[family].languages
  const answer = await core.send(route, {
    ...call,
    query: { ProjectKey: core.projectKey },
    intent,
  })
  return entries(core, route, intent, answer.json()).map((entry, index) => {
    const code = entry['languageCode'] ?? entry['code'] ?? entry['culture']
    if (typeof code !== 'string' || code === '') {
      throw shapeError(core, route, intent, `entry ${index}`, 'a language code', entry)
    }
    return {
      itemId: textOf(entry['itemId']),
      code,
      name: textOf(entry['languageName']) ?? textOf(entry['name']) ?? code,
      isDefault: entry['isDefault'] === true,
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
  const route = families[family].modules
  const answer = await core.send(route, {
    ...call,
    query: { ProjectKey: core.projectKey },
    intent,
  })
  return entries(core, route, intent, answer.json()).map((entry, index) => {
    const name = textOf(entry['moduleName']) ?? textOf(entry['name'])
    if (name === undefined)
      throw shapeError(core, route, intent, `entry ${index}`, 'a moduleName', entry)
    return { itemId: textOf(entry['itemId']), name }
  })
}

/**
 * Returns the translation file of one language and module, as the service sends it. With
 * `etag` the request is conditional and the result may be `unchanged`.
 *
 * ```ts
 * await getFile(core, { language: 'de-DE', module: 'auth' })
 * // { status: 'ok', texts: { SIGN_IN: 'Anmelden' }, etag: '"1f…"' }
 * ```
 *
 * @throws RequestError 400 for an unknown language or module, 401 for the project key.
 * @throws ResponseShapeError if the body is not a JSON object.
 * @see section 4.6
 */
export async function getFile(
  core: Core,
  input: { readonly language: string; readonly module: string; readonly etag?: string },
  { family = 'localization', ...call }: LocalizationCallOptions = {},
): Promise<TranslationFile> {
  const intent = `read the texts of module "${input.module}" in ${input.language}`
  const details = { language: input.language, module: input.module }
  const route = families[family].file
  const answer = await core.send(route, {
    ...call,
    query: {
      Language: input.language,
      ModuleName: input.module,
      ProjectKey: core.projectKey,
    },
    ...(input.etag === undefined ? {} : { headers: { 'if-none-match': input.etag } }),
    // Only a conditional request may be answered with 304.
    ...(input.etag === undefined ? {} : { accept: [304] }),
    intent,
    details,
  })
  if (answer.status === 304) return { status: 'unchanged' }
  const texts = answer.json()
  if (
    texts !== undefined &&
    (texts === null || typeof texts !== 'object' || Array.isArray(texts))
  ) {
    throw shapeError(core, route, intent, 'the body', 'an object from key to text', texts, details)
  }
  return {
    status: 'ok',
    texts: texts as Readonly<Record<string, unknown>> | undefined,
    etag: answer.headers['etag'],
  }
}

function entries(
  core: Core,
  route: routes.Route,
  intent: string,
  body: unknown,
): readonly Record<string, unknown>[] {
  const inside = isObject(body) ? (body['items'] ?? body['data']) : body
  if (!Array.isArray(inside)) {
    throw shapeError(core, route, intent, 'the body', 'an array, or one in items or data', body)
  }
  return inside.map((entry: unknown, index) => {
    if (!isObject(entry))
      throw shapeError(core, route, intent, `entry ${index}`, 'an object', entry)
    return entry
  })
}

function shapeError(
  core: Core,
  { id }: routes.Route,
  intent: string,
  path: string,
  expected: string,
  received: unknown,
  details: Readonly<Record<string, string>> = {},
): ResponseShapeError {
  return new ResponseShapeError(`Could not ${intent}: ${path} is not as expected`, {
    details: {
      project: core.projectKey,
      ...details,
      operation: id,
      expected,
      received: kindOf(received),
    },
  })
}

/** Returns the kind of a value. The value itself may contain secrets that the service echoed. */
const kindOf = (value: unknown): string =>
  value === undefined
    ? 'an empty body'
    : Array.isArray(value)
      ? 'an array'
      : `${value && typeof value}`

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
