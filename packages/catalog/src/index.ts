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
} from './catalog.ts'
export type { CheckOptions, Rule, Severity } from './check-options.ts'
export type { Drift } from './drift.ts'
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
export { emitNamedPack, emitPack } from './emit/pack.ts'
export { emitProgram } from './emit/program.ts'
export { specifierPath } from './emit/program-files.ts'
export { programSpecifier } from './emit/program-specifier.ts'
export { emitProject, type LiveRuntime, type ProjectConfig } from './emit/project-config.ts'
export { type Reactive, reactives } from './emit/server.ts'
export { folderSource } from './folder-source.ts'
export {
  type DetectedFolder,
  detectFolder,
  type DetectOptions,
  type UnknownLanguages,
  usualFolders,
} from './folder/detect-folder.ts'
export { type FolderOptions, type ResolvedFolder, resolveFolder } from './folder/folder-options.ts'
export type { FilePattern, PathNames } from './folder/file-pattern.ts'
export { createFolderReader, type OnInvalidFile } from './folder/read-folder.ts'
export type { TranslationFile } from './folder/translation-file.ts'
export { inspect } from './inspect.ts'
export { addKeys, type AddOptions, type AddReport, type KeyConflict } from './keys/add-keys.ts'
export { type KeyDetails, type KeyDraft, type KeyId, keyId } from './keys/key-draft.ts'
export type { KeyEntries, KeyEntry } from './keys/key-file.ts'
export type {
  ImportTarget,
  KeyRename,
  KeyWriter,
  WriteCall,
  WriteFunction,
  WriteTarget,
} from './keys/key-writer.ts'
export { loadForEdit } from './keys/load-for-edit.ts'
export { openWriter } from './keys/open-writer.ts'
export { renameLocally } from './keys/rename-locally.ts'
export { isRightToLeft } from './languages.ts'
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
export type { CatalogReader, ReadCatalog, ReadOptions } from './live/catalog-reader.ts'
export { emitPackFiles, type PackFile, type PackFiles } from './live/pack-files.ts'
export {
  type LivePointer,
  pointerName,
  printPointer,
  repack,
  type Repacked,
} from './live/repack.ts'
export { type KeyPlace, locateKey } from './locate-key.ts'
export type { ParameterType } from './message.ts'
export { modelOf, updateModel } from './model-of.ts'
export {
  expectedArguments,
  type MessageModel,
  type Model,
  type ModuleModel,
  tagsOf,
} from './model.ts'
export type { Translation } from './parse-translation.ts'
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
} from './names.ts'
export { normaliseFile, type Translations } from './normalise.ts'
export {
  type CatalogOptions,
  catalogOptionNames,
  type Environment,
  type ResolvedCatalogOptions,
} from './options.ts'
export { everydayCategoriesOf, ordinalSuffix } from './plural.ts'
export { formatProblem, isRefused, type Problem, type ProblemCode } from './problem.ts'
export type { ProjectContext } from './open-source.ts'
export { type FolderModel, openProject, type Project, type ProjectFolder } from './project.ts'
export { rejectLinkedFolders } from './inside.ts'
export { isProgramFolder } from './program-folder.ts'
export { pseudoKindOf } from './pseudo.ts'
export type { ChangedFile, PullProgress, PullReport } from './pull.ts'
export { createRateLimiter } from './rate-limiter.ts'
export { readSnapshotSync } from './read-snapshot-sync.ts'
export { type FileChange, replaceFiles } from './replace-files.ts'
export { isRuntimeFile, type RuntimeFile, runtimeFile } from './runtime-files.ts'
export { snapshotPath } from './snapshot.ts'
export type { CacheStorage } from './shared-cache.ts'
export type { Source, SourceFile, SourceListing } from './source.ts'
export {
  isDataFile,
  type SourcePath,
  type SourceType,
  sourceTypeOf,
  sourceTypes,
} from './source-types.ts'
export { isCi } from './ci.ts'
export { pathWarnings } from './tsconfig-paths.ts'
export {
  supportsStringExports,
  isOlder,
  oldestTypeScript,
  typeScriptVersion,
} from './typescript-version.ts'
export {
  type EmittedFile,
  readText,
  writeFiles,
  writeIfChanged,
  type WriteReport,
} from './write.ts'
