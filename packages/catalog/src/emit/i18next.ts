import {
  chainsOf,
  fitsCalls,
  type MessageModel,
  type Model,
  type ModuleModel,
} from '../model/model.ts'
import { pseudoKindOf } from '../model/pseudo.ts'
import { byCodePoint } from '@servicekit/core'
import { jsonLiteral, stringLiteral } from './literal.ts'
import { type ModuleCode, printEsModule } from './module-code.ts'
import { ambientHead, noLint } from './types.ts'

/** Returns the module that i18next uses when no namespace is given. */
export function i18nextDefaultModule(model: Pick<Model, 'modules'>): string {
  const names = model.modules.map(({ name }) => name)
  return names.find((name) => /^(?:common|translation|default)$/i.test(name)) ?? names[0] ?? ''
}

/**
 * Emits the declaration of `~uilm/i18next`, for applications that stay on i18next:
 * resources, and options for its `CustomTypeOptions` that type `t('auth:SIGN_IN')`. They
 * include the translations of the default language, so that parameters are checked too.
 */
export const emitI18nextTypes = (model: Model): string =>
  `${noLint}\n${ambientHead('~uilm/i18next')}\n${emitI18nextFileTypes(model)}}\n`

/** Emits the declarations of `~uilm/i18next` without the ambient module around them. */
export function emitI18nextFileTypes(model: Model): string {
  const { catalog } = model
  const languages = i18nextLanguages(model).map((code) => stringLiteral(code))
  const defaultModule = stringLiteral(i18nextDefaultModule(model))
  const lines = model.modules.flatMap((module) => [
    `  readonly ${stringLiteral(module.name)}: {`,
    ...sourceTranslations(model, module).map(
      ([key, text]) => `    readonly ${stringLiteral(key)}: ${stringLiteral(text)}`,
    ),
    '  }',
  ])
  return `// @ts-ignore i18next may not be installed
import type { BackendModule, i18n } from 'i18next'

/** Translations in ${catalog.defaultLanguage} by module (the namespace of i18next) and key. */
export interface Resources {
${lines.join('\n')}
}

/**
 * Types the keys of i18next:
 *
 * \`\`\`ts
 * import type { TypeOptions } from '~uilm/i18next'
 * declare module 'i18next' {
 *   interface CustomTypeOptions extends TypeOptions {}
 * }
 * \`\`\`
 */
export interface TypeOptions {
  defaultNS: ${defaultModule}
  keySeparator: false
  returnNull: false
  resources: Resources
}

export type Language = ${languages.join(' | ') || 'never'}
export type Namespace = keyof Resources

/** Options for \`i18next.use(backend).init(options)\`. Keys are never split. */
export const options: {
  readonly supportedLngs: readonly Language[]
  readonly fallbackLng: Readonly<Record<string, readonly Language[]>>
  readonly ns: readonly Namespace[]
  readonly defaultNS: ${defaultModule}
  readonly keySeparator: false
  readonly returnEmptyString: false
  readonly interpolation: { readonly escapeValue: false }
}
/** Backend that loads the translations of a language and module when i18next needs them. */
export const backend: BackendModule
/**
 * Keeps i18next and the messages in the same language: \`i18next.changeLanguage\` also changes the
 * language of the messages, and \`setLanguage\` that of i18next. Returns a function that ends it.
 */
export function syncLanguage(i18next: i18n): () => void
/** Returns the translations of a language and module. */
export function load(
  language: Language,
  namespace: Namespace,
): Promise<Readonly<Record<string, string>>>
`
}

/**
 * Emits `i18next-resources.js`, from which `~uilm/i18next` loads each translation file as a
 * separate module when i18next requests it.
 *
 * @param specifierOf Returns the import specifier of that module. Its code comes from
 * {@link emitI18nextResources}.
 */
export const emitI18nextResourceList = (
  model: Model,
  specifierOf: (language: string, module: string) => string,
): string => printEsModule(i18nextResourceListModule(model, specifierOf, false))

/**
 * Returns the code of {@link emitI18nextResourceList}.
 *
 * @param sync Imports all resources statically.
 */
export function i18nextResourceListModule(
  model: Model,
  specifierOf: (language: string, module: string) => string,
  sync: boolean,
): ModuleCode {
  const languages = i18nextLanguages(model)
  const options = {
    supportedLngs: languages,
    fallbackLng: fallbackLanguages(model),
    ns: model.modules.map(({ name }) => name),
    defaultNS: i18nextDefaultModule(model),
    keySeparator: false,
    returnEmptyString: false,
    interpolation: { escapeValue: false },
  }
  const resources = languages.flatMap((code) =>
    model.modules
      .filter(({ source }) => source.translations.has(code))
      .map(({ name }) => ({
        path: stringLiteral(`${code}/${name}`),
        specifier: specifierOf(code, name),
      })),
  )
  const loads = resources.map(({ path, specifier }, index) =>
    sync
      ? `  [${path}]: () => ({ default: $${index} }),`
      : `  [${path}]: () => import(${stringLiteral(specifier)}),`,
  )
  return [
    ...(sync
      ? resources.map(({ specifier }, index) => ({ importDefault: `$${index}`, from: specifier }))
      : []),
    { constant: 'loads', value: `{\n${loads.join('\n')}\n}`, exportedAs: ['loads'] },
    { constant: 'options', value: jsonLiteral(options, 2), exportedAs: ['options'] },
  ]
}

/**
 * Emits the translations of one language and module as a JavaScript module, without those for
 * which i18next shows a fallback: empty ones, and ones that do not fit the calls.
 */
export const emitI18nextResources = (
  model: Pick<Model, 'options'>,
  module: ModuleModel,
  language: string,
): string => printEsModule(i18nextResourcesModule(model, module, language))

/** Returns the code of {@link emitI18nextResources}. */
export function i18nextResourcesModule(
  model: Pick<Model, 'options'>,
  module: ModuleModel,
  language: string,
): ModuleCode {
  const refused = new Set(module.messages.flatMap((one) => refusedKeys(one, language)))
  const shown = nonEmptyTranslations(model, module, language).filter(([key]) => !refused.has(key))
  const json = stringLiteral(JSON.stringify(Object.fromEntries(shown)))
  return [{ exportDefault: `JSON.parse(${json})` }]
}

/** Returns the keys of a message, with those of its plural forms, that are not shown. */
function refusedKeys(message: MessageModel, language: string): readonly string[] {
  const { base, group } = message
  const translation = message.translations.get(language)
  const own = translation && !fitsCalls(translation, message)
  return [
    ...(own ? (group.plural ? [...group.plural.values()] : [message.key]) : []),
    ...(base ? refusedKeys(base, language) : []),
  ]
}

const i18nextLanguages = ({ catalog, options }: Model): readonly string[] =>
  catalog.languages
    .map(({ code }) => code)
    .filter((code) => pseudoKindOf(code, options.pseudo) === undefined)

function nonEmptyTranslations(
  { options }: Pick<Model, 'options'>,
  { source }: ModuleModel,
  language: string,
): readonly (readonly [string, string])[] {
  return [...(source.translations.get(language) ?? [])].flatMap(([key, text]) =>
    text === null || text === '' || (options.blankIsMissing && text.trim() === '')
      ? []
      : [[key, text] as const],
  )
}

/**
 * Returns every key with its translation in the default language, or with the key itself
 * if there is none.
 */
function sourceTranslations(
  model: Model,
  module: ModuleModel,
): readonly (readonly [string, string])[] {
  const { defaultLanguage } = model.catalog
  const translations = new Map(nonEmptyTranslations(model, module, defaultLanguage))
  const keys = module.messages.flatMap(({ key, group }) =>
    group.plural ? [...group.plural.values(), ...(group.base ? [group.base] : [])] : [key],
  )
  return [...new Set(keys)]
    .sort(byCodePoint)
    .map((key) => [key, translations.get(key) ?? key] as const)
}

function fallbackLanguages(model: Model): Readonly<Record<string, readonly string[]>> {
  const chains = [...chainsOf(model)].filter(
    ([code]) => pseudoKindOf(code, model.options.pseudo) === undefined,
  )
  return Object.fromEntries([
    ...chains.map(([code, chain]) => [code, chain.filter((one) => one !== code)] as const),
    ['default', [model.catalog.defaultLanguage]],
  ])
}
