import type { CatalogLanguage } from '../model/catalog.ts'
import type { MarkupOptions } from '../syntax/tags.ts'
import { declarationFile } from '../runtime-files.ts'
import { stringLiteral } from './literal.ts'
import { markupTypes } from './markup.ts'

interface RuntimeTypesConfig {
  readonly languages: readonly CatalogLanguage[]
  readonly markup?: MarkupOptions | undefined
}

/** Emits the declarations of the runtime. `Language` is the union of the language codes. */
export function emitRuntimeTypes(config: RuntimeTypesConfig): string {
  const union = config.languages.map(({ code }) => stringLiteral(code)).join(' | ') || 'never'
  return `/** Code of a language of this project. */
export type Language = ${union}

${markupTypes(config.markup)}${declarationFile('runtime')}`
}

/**
 * Emits the runtime declarations of a program without a bundler, including those for
 * servers.
 */
export const emitProgramRuntimeTypes = (config: RuntimeTypesConfig): string =>
  `${emitRuntimeTypes(config)}
${declarationFile('localizer')}`
