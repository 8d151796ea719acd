import { join } from 'node:path'
import ts from 'typescript'

/** Compiler options of all tools. */
export const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2023', 'dom'],
  module: 'esnext',
  moduleResolution: 'bundler',
  skipLibCheck: true,
}

/**
 * Creates a function that type checks the tasks of a tool, with an edited file instead of the
 * one on disk, and returns the errors.
 *
 * @param {string} folder
 * @param {readonly string[]} types packages of global types
 * @returns {(edit?: { file: string, text: string }) => readonly string[]}
 */
export function createTypeChecker(folder, types) {
  const { options, errors } = ts.convertCompilerOptionsFromJson(
    { ...compilerOptions, types },
    folder,
  )
  if (errors.length > 0) throw new Error(formatDiagnostics(errors).join('\n'))
  const host = ts.createCompilerHost(options)
  const readSource = host.getSourceFile.bind(host)
  /** @type {Map<string, ts.SourceFile | undefined>} */
  const sources = new Map()
  /** @type {ts.Program | undefined} */
  let last
  return (edit) => {
    const edited = edit && join(folder, 'tasks', edit.file)
    host.getSourceFile = (path, language, ...rest) => {
      if (path === edited) return ts.createSourceFile(path, edit?.text ?? '', language)
      if (!sources.has(path)) sources.set(path, readSource(path, language, ...rest))
      return sources.get(path)
    }
    const rootNames = ts.sys.readDirectory(join(folder, 'tasks'), ['.ts'])
    /** @type {ts.CreateProgramOptions} */
    const input = { rootNames, options, host }
    last = ts.createProgram(last === undefined ? input : { ...input, oldProgram: last })
    return formatDiagnostics(ts.getPreEmitDiagnostics(last))
  }
}

/** @param {readonly ts.Diagnostic[]} diagnostics */
const formatDiagnostics = (diagnostics) =>
  diagnostics.map(
    ({ file, start, messageText }) =>
      `${file?.fileName ?? ''}:${start ?? ''} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  )
