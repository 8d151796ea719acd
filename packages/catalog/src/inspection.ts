/**
 * Pure functions that check and compile translations, without Node: also for browsers.
 */
export type { Catalog, CatalogLanguage, CatalogModule } from './catalog.ts'
export { defaultSeverities } from './check-options.ts'
export {
  checkTranslations,
  type ModuleTexts,
  ruleOfProblem,
  type TranslationProblem,
  type TranslationRule,
} from './check-translations.ts'
export { isRelated } from './copied-text.ts'
export { emitPack } from './emit/pack.ts'
export { emitRuntimeTypes } from './emit/runtime-types.ts'
export { emitTypes } from './emit/types.ts'
export { identifierOf, specifierOf } from './names.ts'
export { inspect } from './inspect.ts'
export { isRightToLeft } from './languages.ts'
export { lengthOf } from './message-length.ts'
export {
  locateSyntaxError,
  type MessageParts,
  type MessageSyntax,
  parametersOf,
  type ParameterType,
  parseMessage,
} from './message.ts'
export { buildModel, type MessageModel, type Model, type ModuleModel } from './model.ts'
export { normaliseFile, type Translations } from './normalise.ts'
export type { MarkupOptions } from './options.ts'
export {
  parametersOfTranslation,
  type ParseOptions,
  parseTranslation,
  type Translation,
} from './parse-translation.ts'
export {
  categoriesOf,
  everydayCategoriesOf,
  groupKeys,
  type KeyGroup,
  localeOf,
  plainGroup,
} from './plural.ts'
export { copyProblems, spacingProblems } from './translation-quality.ts'
export { isRefused, type Problem, type ProblemCode } from './problem.ts'
