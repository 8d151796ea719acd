import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type TypeScript from 'typescript'
import type { EmittedFile } from './emit/file.ts'
import { reasonOf } from './errors.ts'

/** Where a file of the user's does not compile any more. */
export interface Place {
  /** Relative to the working directory. */
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly column: number
  /** What the type checker says. */
  readonly message: string
  /** The line. */
  readonly text: string
}

/**
 * Finds what new generated files break: the user's program is checked twice by
 * the user's own TypeScript, with the files as they are and as they would be.
 * Errors that were there before are not told.
 */
export async function findPlaces({
  outDir,
  files,
  tsconfig,
}: {
  readonly outDir: string
  readonly files: readonly EmittedFile[]
  readonly tsconfig: string | undefined
}): Promise<{
  readonly places: readonly Place[] | undefined
  readonly reason: string | undefined
}> {
  const config = tsconfig === undefined ? findUp(resolve(outDir)) : resolve(tsconfig)
  if (config === undefined || !existsSync(config)) {
    return { places: undefined, reason: 'there is no tsconfig.json above the output' }
  }
  try {
    const ts = await loadTypeScript(config)
    const before = errorsOf(ts, config, resolve(outDir), undefined)
    const known = new Set(before.map(keyOf))
    const after = errorsOf(ts, config, resolve(outDir), files)
    return { places: after.filter((place) => !known.has(keyOf(place))), reason: undefined }
  } catch (cause) {
    return { places: undefined, reason: reasonOf(cause) }
  }
}

const keyOf = ({ file, line, column, message }: Place): string =>
  `${file}:${line}:${column}:${message}`

/** TypeScript as the user's project has it. Version 7 has no program that can be asked. */
async function loadTypeScript(config: string): Promise<typeof TypeScript> {
  const path = createRequire(config).resolve('typescript')
  const loaded = (await import(pathToFileURL(path).href)) as {
    readonly default?: typeof TypeScript
  } & typeof TypeScript
  const ts = loaded.default ?? loaded
  if (typeof ts.createProgram !== 'function') {
    throw new TypeError('this version of TypeScript has no interface for programs')
  }
  return ts
}

/** Errors in files outside the output, which holds `files`, or what is there. */
function errorsOf(
  ts: typeof TypeScript,
  config: string,
  outDir: string,
  files: readonly EmittedFile[] | undefined,
): readonly Place[] {
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
    return found.flatMap((diagnostic) => placeOf(ts, diagnostic))
  })
}

function placeOf(ts: typeof TypeScript, diagnostic: TypeScript.Diagnostic): readonly Place[] {
  const { file, start = 0, messageText } = diagnostic
  if (file === undefined) return []
  const { line, character } = file.getLineAndCharacterOfPosition(start)
  return [
    {
      file: relative(process.cwd(), file.fileName).replaceAll(sep, '/'),
      line: line + 1,
      column: character + 1,
      message: ts.flattenDiagnosticMessageText(messageText, ' ').replaceAll(/\s+/g, ' '),
      text: file.text.split('\n')[line]?.trim() ?? '',
    },
  ]
}

function findUp(folder: string): string | undefined {
  const file = join(folder, 'tsconfig.json')
  if (existsSync(file)) return file
  const parent = dirname(folder)
  return parent === folder ? undefined : findUp(parent)
}
