import { once } from '@servicekit/core'
import { translationExpression } from '../emit/translation.ts'
import type { MessageModel, Model } from '../model/model.ts'
import type { Translation } from '../model/parse-translation.ts'
import { type PassedParameters, unusableParameters } from '../model/passed-parameters.ts'
import type { Problem } from '../model/problem.ts'
import { noTags } from '../syntax/tags.ts'
import type { BuildManifest, ManifestMessage } from './build-manifest.ts'

/** Message of a build, with the newer translations that fit its calls. */
interface Merge {
  readonly messageOf: (module: string, key: string) => MessageModel
  /** Returns the problems of the messages that were compiled. */
  readonly problems: () => readonly Problem[]
}

/**
 * Merges newer messages with those of a build.
 *
 * @param newer Model of the newer translations.
 * @param builtModel Returns the model of the build. Called only if one of its translations
 * remains.
 */
export function createMerge(manifest: BuildManifest, newer: Model, builtModel: () => Model): Merge {
  const index = indexOf(newer)
  const builtIndex = once(() => indexOf(builtModel()))
  const built = (module: string, key: string): MessageModel => {
    const message = builtIndex()(module, key)
    if (!message) throw new TypeError(`The manifest has no translations of ${module} ${key}`)
    return message
  }
  const problems = new Map<string, Problem>()
  const report = (problem: Problem): void => {
    const { code, module, key, language } = problem
    problems.set(JSON.stringify([code, module, key, language]), problem)
  }
  const known = new Map<string, MessageModel>()
  const { defaultLanguage } = newer.catalog

  const merge = (module: string, key: string): MessageModel => {
    const expected = manifest.messages[module]?.[key]
    if (!expected) throw new TypeError(`The manifest has no message ${module} ${key}`)
    const message = index(module, key)
    const builtMessage = once(() => built(module, key))
    if (!message) {
      report({ severity: 'warning', code: 'KEY_REMOVED', module, key, message: removed })
      return withFallback(builtMessage(), manifest, defaultLanguage)
    }
    if (expected.base && message.plural && !message.base) {
      report({ severity: 'warning', code: 'TRANSLATION_REFUSED', module, key, message: countless })
      return withFallback(builtMessage(), manifest, defaultLanguage)
    }
    const { base } = message
    const refuse = (language: string, reason: string): void =>
      report({
        severity: 'warning',
        code: 'TRANSLATION_REFUSED',
        language,
        module,
        key,
        message: `${reason}; the built translation remains`,
      })
    const context = { manifest, defaultLanguage, refuse }
    return {
      ...accept(message, expected, { ...context, built: builtMessage }),
      ...(base
        ? {
            base: accept(base, expected.base ?? expected, {
              ...context,
              built: () => builtMessage().base ?? builtMessage(),
            }),
          }
        : {}),
    }
  }
  return {
    messageOf(module, key) {
      const id = JSON.stringify([module, key])
      const found = known.get(id) ?? merge(module, key)
      known.set(id, found)
      return found
    },
    problems: () => [...problems.values()],
  }
}

const removed = 'no longer exists; the built translations remain'
const countless =
  'has no translation without count, which the build also uses; the built translations remain'

interface AcceptContext {
  readonly manifest: BuildManifest
  /** Default language of the newer translations. */
  readonly defaultLanguage: string
  readonly built: () => MessageModel
  readonly refuse: (language: string, reason: string) => void
}

/** Returns a message whose translations that do not fit are those of the build. */
function accept(
  message: MessageModel,
  expected: ManifestMessage,
  { manifest, defaultLanguage, built, refuse }: AcceptContext,
): MessageModel {
  const params = new Map(Object.entries(expected.params))
  const tags = new Map(Object.entries(expected.tags))
  const get = (language: string): Translation | undefined => {
    const translation = message.translations.get(language)
    const reason = translation && differenceOf(translation, { params, tags })
    if (reason === undefined) return translation
    const kept = withFallback(built(), manifest, defaultLanguage).translations.get(language)
    // The build may have used a translation that does not fit, and reported it then.
    if (!kept || expressionOf(kept, message) !== expressionOf(translation!, message)) {
      refuse(language, reason)
    }
    return kept
  }
  const names = [...params.keys()].filter((name) => name !== 'count' || !message.plural)
  return { ...message, params: names, types: params, tags, translations: { get } }
}

const expressionOf = (translation: Translation, message: MessageModel): string =>
  translationExpression(
    translation,
    message,
    translation.language,
    (translation.tags?.size ?? 0) > 0,
  )

interface Expected {
  readonly params: PassedParameters
  readonly tags: ReadonlyMap<string, boolean>
}

/** Returns why a translation does not fit the calls of the build; undefined if it does. */
function differenceOf(translation: Translation, { params, tags }: Expected): string | undefined {
  const { tags: actual = noTags, tagError, isInvalid } = translation
  if (isInvalid) return 'it is not a valid message'
  if (tagError !== undefined) return tagError
  for (const [name, hasChildren] of actual) {
    if (tags.get(name) !== hasChildren) return `the build passes no such tag <${name}>`
  }
  for (const name of tags.keys()) if (!actual.has(name)) return `the tag <${name}> is missing`
  const [first] = unusableParameters(translation, params)
  if (!first) return undefined
  const { name, needed, given } = first
  return given === undefined
    ? `the build passes no parameter ${name}`
    : `the parameter ${name} is of the type ${needed}, and was ${given} in the build`
}

/**
 * Returns a message of the build for the languages of other translations. Their default
 * language, which every language falls back to, may not be in the build.
 */
function withFallback(
  message: MessageModel,
  manifest: Pick<BuildManifest, 'defaultLanguage'>,
  defaultLanguage: string,
): MessageModel {
  const { translations, base } = message
  const get = (language: string): Translation | undefined =>
    translations.get(language) ??
    (language === defaultLanguage ? translations.get(manifest.defaultLanguage) : undefined)
  return {
    ...message,
    translations: { get },
    ...(base ? { base: withFallback(base, manifest, defaultLanguage) } : {}),
  }
}

/** Returns a function that finds a message of a model. */
function indexOf({ modules }: Model): (module: string, key: string) => MessageModel | undefined {
  const index = new Map(
    modules.map(({ name, messages }) => [
      name,
      new Map(messages.map((message) => [message.key, message])),
    ]),
  )
  return (module, key) => index.get(module)?.get(key)
}
