/**
 * Implements the commands that read the code of applications: `servicekit check`, `migrate`,
 * `rename`, `translate` and `push`. The README lists the folder of each.
 *
 * The only package that needs the TypeScript parser. Builds never load it.
 */
export {
  check,
  type CheckOptions,
  type CheckProgress,
  type CheckReport,
  finish,
} from './check/check.ts'
export type { Coverage } from './check/coverage.ts'
export { type Finding, rules } from './check/finding.ts'
export { type Glossary, type GlossaryTerm, readGlossary, termMatcher } from './glossary/glossary.ts'
export type { LanguageQuality } from './check/language-quality.ts'
export { formatHtml } from './check/format-html.ts'
export { formatGithub, formatGitlab, formatJson, formatSarif } from './check/format-machine.ts'
export { formatText } from './check/format-text.ts'
export {
  type SkippedCall,
  migrate,
  type MigratedFile,
  type MigrateOptions,
  type MigrateReport,
} from './migrate/migrate.ts'
export type { StoredLanguage } from './migrate/stored-language.ts'
export {
  type SkippedTranslation,
  type StoredSuggestion,
  type SuggestionStore,
  translate,
  type TranslateEstimate,
  type TranslateOptions,
  type TranslateProgress,
  type TranslateReport,
  type TranslationDraft,
} from './translate/translate.ts'
export { type TranslationInput, validateTranslation } from './translate/validate-translation.ts'
export { push, type PushOptions, type PushReport } from './push/push.ts'
export type { KeptKey } from './push/unused-keys.ts'
export type { SourceTexts, WantedKey } from './push/wanted-keys.ts'
export { rename, type RenameOptions, type RenameReport } from './rename/rename.ts'
export type { RenamedFile, UnrenamedUse } from './rename/rename-in-code.ts'
export type { ImportRoutes } from './usage/import-routes.ts'
export {
  readSources,
  type ReadSourcesOptions,
  type SourceFile,
  type Sources,
} from './usage/read-sources.ts'
export {
  readUsage,
  type UnknownUsage,
  type UnreadSource,
  type Usage,
  type UsageReport,
} from './usage/usage.ts'
export type { Rule, Severity } from '@servicekit/catalog'
