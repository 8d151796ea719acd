/**
 * Readers and writers of the translation files of other tools, and the plan of an import. No I/O: the
 * command line and the console pass bytes, and write the result. One file in `formats/` for each
 * format, which is loaded once it is needed.
 */
export type {
  FileEntry,
  InputFile,
  Message,
  OutputFile,
  SkippedValue,
  WriteInput,
} from './entry.ts'
export {
  type NameMapping,
  namesInFiles,
  suggestDefaultLanguage,
  suggestMapping,
} from './import-names.ts'
export { importRequest } from './import-request.ts'
export { type ImportIssue, type ImportPlan, nameClashOf, planImport } from './plan-import.ts'
export { fileFormats, type FormatName, formatNames, writeTranslations } from './file-formats.ts'
export {
  readableExtensions,
  type ReadFile,
  type ReadOptions,
  readTranslations,
} from './read-translations.ts'
export { parseCells } from './parse-cells.ts'
export { readTableFile, writeTableFile } from './table-file.ts'
export { packFiles } from './unzip.ts'
