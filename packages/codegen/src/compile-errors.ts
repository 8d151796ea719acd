/*
 * Answers which lines of an application a new listing breaks, for `servicekit codegen --check`. Runs
 * the application's own TypeScript over files that are not written: the compiler API up to version 6,
 * and another one of version 7 (compile-errors-7.ts).
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { reasonOf } from '@servicekit/core'
import { findErrorsWith, type TypeScript7 } from './compile-errors-7.ts'
import type TypeScript from 'typescript'
import type { EmittedFile } from './emit/file.ts'

/** Error of the type checker in a user file. */
export interface CompileError {
  /** Path relative to the working directory. */
  readonly file: string
  /** One-based. */
  readonly line: number
  readonly column: number
  /** Message of the type checker. */
  readonly message: string
  /** Text of the line. */
  readonly text: string
}

export interface FoundErrors {
  /** Undefined if the code could not be checked. */
  readonly errors: readonly CompileError[] | undefined
  /** Reason why the code could not be checked. */
  readonly reason: string | undefined
}

/**
 * Finds the errors that new generated files cause in user code. The program is checked
 * twice with the TypeScript of the user: with the existing files and with the new ones.
 * Existing errors are not reported.
 */
export async function findCompileErrors({
  outDir,
  files,
  tsconfig,
}: {
  readonly outDir: string
  readonly files: readonly EmittedFile[]
  readonly tsconfig: string | undefined
}): Promise<FoundErrors> {
  const config = tsconfig === undefined ? findUp(resolve(outDir)) : resolve(tsconfig)
  if (config === undefined || !existsSync(config)) {
    return { errors: undefined, reason: 'Found no tsconfig.json above the output folder' }
  }
  try {
    const errorsOf = await loadTypeScript(config)
    const before = errorsOf(config, resolve(outDir), undefined)
    const known = new Set(before.map(keyOf))
    const after = errorsOf(config, resolve(outDir), files)
    return { errors: after.filter((error) => !known.has(keyOf(error))), reason: undefined }
  } catch (cause) {
    return { errors: undefined, reason: reasonOf(cause) }
  }
}

const keyOf = ({ file, line, column, message }: CompileError): string =>
  `${file}:${line}:${column}:${message}`

/**
 * Returns the errors outside the output folder, with `files` or the existing files in it.
 */
export type FindErrors = (
  config: string,
  outDir: string,
  files: readonly EmittedFile[] | undefined,
) => readonly CompileError[]

/** Loads TypeScript from the user's project. Version 7 has another API. */
async function loadTypeScript(config: string): Promise<FindErrors> {
  const { resolve } = createRequire(config)
  const load = (name: string): Promise<unknown> => import(pathToFileURL(resolve(name)).href)
  const loaded = (await load('typescript')) as {
    readonly default?: typeof TypeScript
  } & typeof TypeScript
  const ts = loaded.default ?? loaded
  if (typeof ts.createProgram === 'function') return (...given) => errorsOf(ts, ...given)
  return findErrorsWith((await load('typescript/unstable/sync')) as TypeScript7)
}

function errorsOf(
  ts: typeof TypeScript,
  config: string,
  outDir: string,
  files: readonly EmittedFile[] | undefined,
): readonly CompileError[] {
  const { config: json, error } = ts.readConfigFile(config, (file) => ts.sys.readFile(file))
  if (error !== undefined) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, ' '))
  const { fileNames, options } = ts.parseJsonConfigFileContent(json, ts.sys, dirname(config))
  const isOurs = (file: string): boolean => resolve(file).startsWith(outDir + sep)
  const host = ts.createCompilerHost(options)
  if (files !== undefined) {
    const texts = new Map(files.map(({ name, text }) => [join(outDir, name), text]))
    const { readFile, fileExists } = host
    host.fileExists = (file) => (isOurs(file) ? texts.has(resolve(file)) : fileExists(file))
    host.readFile = (file) => (isOurs(file) ? texts.get(resolve(file)) : readFile(file))
    host.getSourceFile = (file, target) => {
      const text = host.readFile(file)
      return text === undefined ? undefined : ts.createSourceFile(file, text, target)
    }
  }
  const rootNames = fileNames.filter((file) => !isOurs(file))
  const program = ts.createProgram({
    rootNames,
    options: { ...options, noEmit: true, incremental: false, composite: false },
    host,
  })
  const isTheirs = (file: TypeScript.SourceFile): boolean =>
    !isOurs(file.fileName) &&
    !program.isSourceFileFromExternalLibrary(file) &&
    !program.isSourceFileDefaultLibrary(file)
  return program.getSourceFiles().flatMap((file) => {
    if (!isTheirs(file)) return []
    const found = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]
    return found.map((diagnostic) => convert(ts, file, diagnostic))
  })
}

function convert(
  ts: typeof TypeScript,
  file: TypeScript.SourceFile,
  { start = 0, messageText }: TypeScript.Diagnostic,
): CompileError {
  const { line, character } = file.getLineAndCharacterOfPosition(start)
  return {
    file: relative(process.cwd(), file.fileName).replaceAll(sep, '/'),
    line: line + 1,
    column: character + 1,
    message: ts.flattenDiagnosticMessageText(messageText, ' ').replaceAll(/\s+/g, ' '),
    text: file.text.split('\n')[line]?.trim() ?? '',
  }
}

function findUp(folder: string): string | undefined {
  const file = join(folder, 'tsconfig.json')
  if (existsSync(file)) return file
  const parent = dirname(folder)
  return parent === folder ? undefined : findUp(parent)
}
