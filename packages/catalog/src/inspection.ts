/**
 * Pure functions that check translations, without Node: also for browsers.
 */
export type { Catalog, CatalogLanguage, CatalogModule } from './catalog.ts'
export { isProbablyCopied, isRelated } from './copied-text.ts'
export { identifierOf } from './names.ts'
export { inspect } from './inspect.ts'
export { isRightToLeft } from './languages.ts'
export { lengthOf } from './message-length.ts'
export { parametersOf, parseMessage } from './message.ts'
export { buildModel, type Model } from './model.ts'
export type { Problem, ProblemCode } from './problem.ts'
