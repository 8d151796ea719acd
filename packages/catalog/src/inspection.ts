/**
 * Pure functions that check and compile translations, without Node: also for browsers.
 */
export type { Catalog, CatalogLanguage, CatalogModule } from './model/catalog.ts'
export { defaultSeverities } from './model/rules.ts'
export {
  checkTranslations,
  type ModuleTexts,
  ruleOfProblem,
  type TranslationProblem,
  type TranslationRule,
} from './model/check-translations.ts'
export { isRelated } from './model/copied-text.ts'
export { emitPack } from './emit/pack.ts'
export { emitProjectTypes } from './emit/project-types.ts'
export { emitTypes } from './emit/types.ts'
export { identifierOf, specifierOf } from './model/names.ts'
export { inspect } from './model/inspect.ts'
export { isRightToLeft } from './model/languages.ts'
export { lengthOf } from './syntax/message-length.ts'
export {
  locateSyntaxError,
  type MessageParts,
  type MessageSyntax,
  parametersOf,
  type ParameterType,
  parseMessage,
} from './syntax/message.ts'
export { buildModel, type MessageModel, type Model, type ModuleModel } from './model/model.ts'
export { normaliseFile, type Translations } from './model/normalise.ts'
export type { MarkupOptions } from './syntax/tags.ts'
export {
  parametersOfTranslation,
  type ParseOptions,
  parseTranslation,
  type Translation,
} from './model/parse-translation.ts'
export {
  categoriesOf,
  everydayCategoriesOf,
  groupKeys,
  type KeyGroup,
  localeOf,
  plainGroup,
} from './syntax/plural.ts'
export { copyProblems, spacingProblems } from './model/translation-quality.ts'
export { isRefused, type Problem, type ProblemCode } from './model/problem.ts'
