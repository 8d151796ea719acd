import type { CatalogLanguage } from '../model/catalog.ts'
import type { MarkupOptions } from '../syntax/tags.ts'
import { stringLiteral } from './literal.ts'
import { markupTypes } from './markup.ts'

export interface ProjectTypesConfig {
  readonly languages: readonly CatalogLanguage[]
  readonly markup?: MarkupOptions | undefined
}

/**
 * Emits the declarations of the runtime that depend on the project, to which
 * `declarations/runtime.d.ts` adds the others. `Language` is the union of the language codes.
 */
export function emitProjectTypes(config: ProjectTypesConfig): string {
  const union = config.languages.map(({ code }) => stringLiteral(code)).join(' | ') || 'never'
  return `/** Code of a language of this project. */
export type Language = ${union}

${markupTypes(config.markup)}`
}
