/**
 * Pure functions that check and compile translations, without Node: also for browsers.
 */
export type { Catalog, CatalogLanguage, CatalogModule } from './catalog.ts'
export { isProbablyCopied, isRelated } from './copied-text.ts'
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
export { categoriesOf, groupKeys, type KeyGroup, localeOf, plainGroup } from './plural.ts'
export type { Problem, ProblemCode } from './problem.ts'
