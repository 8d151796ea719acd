import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core } from './core.ts'
import { ResponseShapeError } from './errors.ts'

/**
 * Which of the two route families is spoken (section 9): `localization` is
 * `/localization/v4`, `uilm` is `/uilm/v1`. They offer the same operations.
 */
export type LocalizationFamily = 'localization' | 'uilm'

/** Options of a call, and which of the two families of routes it goes to. */
export interface LocalizationCallOptions extends CallOptions {
  /** `localization` by default. */
  readonly family?: LocalizationFamily
}

/** Language of a project, in one shape whatever the instance answers (section 2.4). */
export interface Language {
  /** Undefined where the instance does not say. */
  readonly itemId: string | undefined
  /** Such as `de-DE`, or the special `key`. */
  readonly code: string
  /** For people; the code where there is none. */
  readonly name: string
  /** Instances may call several so. */
  readonly isDefault: boolean
}

/** UILM module of a project. */
export interface Module {
  /** Undefined where the instance does not say. */
  readonly itemId: string | undefined
  /** What `getFile` calls `module`. */
  readonly name: string
}

/** Answer of {@link getFile}. */
export type TranslationFile =
  /** `texts` is what the service sent, untouched: normalise before use. Undefined for an empty body. */
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
 * Languages of the project. The list is read from an array or from `items` or
 * `data`, the code from `languageCode`, `code` or `culture`.
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
 * Modules of the project. Not part of the interface: an instance without the
 * route answers 404, and the modules have to be named by configuration.
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
 * Translation file of one language and module, as the service sends it. With
 * `etag` the request is conditional and may answer `unchanged`.
 *
 * ```ts
 * await getFile(core, { language: 'de-DE', module: 'auth' })
 * // { status: 'ok', texts: { SIGN_IN: 'Anmelden' }, etag: '"1f…"' }
 * ```
 *
 * @throws RequestError 400 for an unknown language or module, 401 for the project key.
 * @throws ResponseShapeError where the body is not a JSON object.
 * @see section 4.6
 */
export async function getFile(
  core: Core,
  input: { readonly language: string; readonly module: string; readonly etag?: string },
  { family = 'localization', ...call }: LocalizationCallOptions = {},
): Promise<TranslationFile> {
  const intent = `read the texts of module "${input.module}" in ${input.language}`
  const facts = { language: input.language, module: input.module }
  const route = families[family].file
  const answer = await core.send(route, {
    ...call,
    query: {
      Language: input.language,
      ModuleName: input.module,
      ProjectKey: core.projectKey,
    },
    ...(input.etag === undefined ? {} : { headers: { 'if-none-match': input.etag } }),
    // Only to a question whether something changed can the answer be that it did not.
    ...(input.etag === undefined ? {} : { accept: [304] }),
    intent,
    facts,
  })
  if (answer.status === 304) return { status: 'unchanged' }
  const texts = answer.json()
  if (
    texts !== undefined &&
    (texts === null || typeof texts !== 'object' || Array.isArray(texts))
  ) {
    throw shapeError(core, route, intent, 'the body', 'an object from key to text', texts, facts)
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
  facts: Readonly<Record<string, string>> = {},
): ResponseShapeError {
  return new ResponseShapeError(`Could not ${intent}: ${path} is not as expected`, {
    facts: {
      project: core.projectKey,
      ...facts,
      operation: id,
      expected,
      received: kindOf(received),
    },
  })
}

/** Not quoted: a service may send back what the request kept secret. */
const kindOf = (value: unknown): string =>
  value === undefined
    ? 'an empty body'
    : Array.isArray(value)
      ? 'an array'
      : `${value && typeof value}`

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
