import { type FileEdit, type ManualEdit, replaceText } from './edits.ts'
import { addImport, exportsName, importsFrom, insertStatements, parseModule } from './syntax.ts'

/** Export that a framework looks for in a file. */
export interface ExportUse {
  /** Module with the adapter: `~uilm/sveltekit`. */
  readonly from: string
  /** Exported name: `handle`. */
  readonly name: string
  /** Names that the lines use of the module; undefined if the lines name it. */
  readonly imports?: string
  /** Statements to insert below the imports. */
  readonly lines: readonly string[]
  /** Lines for a file with an own export of that name. */
  readonly merged: readonly string[]
}

/** Adds an export to a file, unless the file uses the adapter. */
export function addExport(
  path: string,
  text: string,
  { from, name, imports, lines, merged }: ExportUse,
): FileEdit | ManualEdit | undefined {
  const file = parseModule(path, text)
  if (!file) return { path, reason: 'it cannot be parsed', lines }
  if (importsFrom(file, from)) return undefined
  if (exportsName(file, name)) return { path, reason: `it exports ${name}`, lines: merged }
  const imported = imports === undefined ? text : addImport(path, text, { names: imports, from })
  return replaceText(path, text, insertStatements(path, imported, lines))
}
