/**
 * Pulls translations into a committed snapshot, models them as messages, checks them, and
 * compiles them to typed key modules and language packs.
 *
 * Independent of bundlers: `@servicekit/unplugin` is a thin layer on top. The pipeline is
 * `pull -> normalise -> Catalog -> Model -> emit -> write`. Only its two ends use the
 * network or the disk.
 */
export {
  type Catalog,
  type CatalogLanguage,
  type CatalogModule,
  type CatalogSize,
  sizeOf,
} from './model/catalog.ts'
export type { CheckConfig } from './config/check-config.ts'
export type { Rule, Severity } from './model/rules.ts'
export type { Drift } from './snapshot/drift.ts'
export type { AdapterName } from './emit/adapters.ts'
export { type MessageData, messageData } from './emit/data.ts'
export { emitDeclarations } from './emit/declarations.ts'
export {
  emitI18nextResourceList,
  emitI18nextResources,
  i18nextDefaultModule,
} from './emit/i18next.ts'
export { emitLookup, lookupModuleOf, lookupSpecifier } from './emit/lookup.ts'
export { jsonLiteral, stringLiteral } from './emit/literal.ts'
export { emitMessage, emitNamedEntries, emitNamedPack, emitPack } from './emit/pack.ts'
export { emitProgram } from './emit/program.ts'
export { specifierPath } from './emit/program-files.ts'
export { programSpecifier } from './emit/program-specifier.ts'
export { emitProject, type LiveRuntime, type ProjectConfig } from './emit/project-config.ts'
export { type Reactive, reactives } from './emit/reactives.ts'
export { folderSource } from './sources/folder-source.ts'
export {
  type DetectedFolder,
  detectFolder,
  type DetectOptions,
  type UnknownLanguages,
  usualFolders,
} from './sources/detect-folder.ts'
export { type FolderOptions, type ResolvedFolder, resolveFolder } from './config/folder-options.ts'
export type { FilePattern, PathNames } from './config/file-pattern.ts'
export { createFolderReader, type OnInvalidFile } from './sources/read-folder.ts'
export type { TranslationFile } from './model/catalog.ts'
export { inspect } from './model/inspect.ts'
export { addKeys, type AddOptions, type AddReport, type KeyConflict } from './keys/add-keys.ts'
export { type KeyDetails, type KeyDraft, type KeyId, keyId } from './model/key-draft.ts'
export type { KeyEntries, KeyEntry } from './model/key-draft.ts'
export type {
  ImportTarget,
  KeyRename,
  KeyWriter,
  WriteCall,
  WriteFunction,
  WriteTarget,
} from './config/key-writer.ts'
export { loadForEdit } from './keys/load-for-edit.ts'
export { openWriter } from './keys/open-writer.ts'
export { renameLocally } from './keys/rename-locally.ts'
export { isRightToLeft } from './model/languages.ts'
export {
  type BuildManifest,
  type BuiltChunk,
  createManifest,
  type ManifestChunk,
  type ManifestMessage,
  manifestName,
  parseManifest,
  printManifest,
} from './live/build-manifest.ts'
export type { CatalogReader, ReadCatalog, ReadOptions } from './snapshot/catalog-reader.ts'
export { emitPackFiles, type PackFile, type PackFiles } from './emit/pack-files.ts'
export {
  type LivePointer,
  pointerName,
  printPointer,
  repack,
  type Repacked,
} from './live/repack.ts'
export { type KeyPlace, locateKey } from './model/locate-key.ts'
export type { ParameterType } from './syntax/message.ts'
export { modelOf, updateModel } from './model/model-of.ts'
export {
  expectedArguments,
  type MessageModel,
  type Model,
  type ModuleModel,
  tagsOf,
} from './model/model.ts'
export type { Translation } from './model/parse-translation.ts'
export {
  entryNames,
  findByImportName,
  hasStringExport,
  hasStringName,
  identifierOf,
  importNameOf,
  isEntryName,
  keyOfIdentifier,
  specifierOf,
} from './model/names.ts'
export { normaliseFile, type Translations } from './model/normalise.ts'
export {
  type CatalogOptions,
  catalogOptionNames,
  type Environment,
  type ResolvedCatalogOptions,
} from './config/options.ts'
export { everydayCategoriesOf, ordinalSuffix } from './syntax/plural.ts'
export { formatProblem, isRefused, type Problem, type ProblemCode } from './model/problem.ts'
export type { ProjectContext } from './sources/open-source.ts'
export {
  type FolderModel,
  openProject,
  type Project,
  type ProjectFolder,
} from './project/project.ts'
export { rejectLinkedFolders } from './files/inside.ts'
export { isProgramFolder } from './config/program-folder.ts'
export { pseudoKindOf } from './model/pseudo.ts'
export type { PullReport } from './snapshot/pull.ts'
export type { PullProgress } from './sources/source.ts'
export type { ChangedFile } from './model/model-of.ts'
export { createRateLimiter } from './sources/rate-limiter.ts'
export { readSnapshotSync } from './snapshot/read-snapshot-sync.ts'
export { type FileChange, replaceFiles } from './files/replace-files.ts'
export { isRuntimeFile, type RuntimeFile, runtimeFile } from './runtime-files.ts'
export { snapshotPath } from './model/snapshot-text.ts'
export type { CacheStorage } from './config/cache-storage.ts'
export type { Source, SourceFile, SourceListing } from './sources/source.ts'
export {
  isDataFile,
  type SourcePath,
  type SourceType,
  sourceTypeOf,
  sourceTypes,
} from './config/source-types.ts'
export { isCi } from './config/ci.ts'
export { pathWarnings } from './config/tsconfig-paths.ts'
export {
  supportsStringExports,
  isOlder,
  oldestTypeScript,
  typeScriptVersion,
} from './config/typescript-version.ts'
export {
  type EmittedFile,
  readText,
  writeFiles,
  writeIfChanged,
  type WriteReport,
} from './files/write.ts'
