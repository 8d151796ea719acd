import type { ResolvedOutputOptions } from '@servicekit/contract/output-options'
import { byCodePoint } from '@servicekit/core'
import { type EmittedFile, fileHead } from './file.ts'

/**
 * Content of a module, which can be printed as TypeScript or as JavaScript with
 * declarations.
 */
export interface ModuleSource {
  /** File name without its extension: `order-line`. */
  readonly file: string
  /** Source of the interfaces and type aliases. */
  readonly types: string
  readonly values: readonly ValueSource[]
  /** Imports of `types` and of the types of `values`, by file. */
  readonly typeImports: Imports
  /** Imports of the values, by file. */
  readonly valueImports: Imports
}

/** Const with a comment, a type and a value. */
export interface ValueSource {
  /** If it is omitted, the const is not exported. */
  readonly comment?: string
  readonly name: string
  readonly type: string
  readonly value: string
}

type Imports = ReadonlyMap<string, ReadonlySet<string>>

/** Output format of files. */
export type PrintOptions = Pick<ResolvedOutputOptions, 'importExtension' | 'output'>

/** Projects format generated code as they like, but their rules are for code that people write. */
export const moduleHead = `${fileHead}/* eslint-disable */\n`

/**
 * The tests of this package check the types. Checking them in every application doubles the time
 * of a project that uses all of them.
 */
export const sourceHead = `${fileHead}// @ts-nocheck\n/* eslint-disable */\n`

/**
 * Prints the files of a module: one TypeScript file, or JavaScript and its declarations.
 */
export function printModule(
  source: ModuleSource,
  { importExtension, output }: PrintOptions,
): readonly EmittedFile[] {
  const { file, types, values } = source
  const valueImports = printImports('import', source.valueImports, importExtension)
  const typeImports = printImports('import type', source.typeImports, importExtension)
  if (output === 'ts') {
    let text = sourceHead + valueImports + typeImports + types
    for (const value of values) text += printValue(value)
    return [{ name: `${file}.ts`, text }]
  }
  let code = moduleHead + valueImports
  let declarations = moduleHead + typeImports + types
  for (const { comment, name, type, value } of values) {
    if (comment === undefined) {
      code += `const ${name} = ${value}\n`
    } else {
      code += `export const ${name} = ${value}\n`
      declarations += `\n${comment}export declare const ${name}: ${type}\n`
    }
  }
  // A file without an export would be a script.
  if (values.length === 0) code += 'export {}\n'
  return [
    { name: `${file}.js`, text: code },
    { name: `${file}.d.ts`, text: declarations },
  ]
}

function printValue({ comment, name, type, value }: ValueSource): string {
  if (comment === undefined) return `\nconst ${name} = ${value}\n`
  return `\n${comment}export const ${name}: ${type} = ${value}\n`
}

function printImports(keyword: string, imports: Imports, extension: string): string {
  let text = ''
  for (const [file, names] of imports) {
    if (names.size === 0) continue
    const line = `${keyword} { ${[...names].sort(byCodePoint).join(', ')} } from './${file}${extension}'\n`
    text += line.length <= 101 ? line : breakLine(line)
  }
  return text
}

const breakLine = (line: string): string =>
  line.replace('{ ', '{\n  ').replaceAll(', ', ',\n  ').replace(' }', ',\n}')

/** Collects imported names by file while a module is printed. */
export class ImportCollector {
  readonly imports: Map<string, Set<string>> = new Map()

  add(file: string, ...names: readonly string[]): void {
    const known = this.imports.get(file)
    if (known === undefined) this.imports.set(file, new Set(names))
    else for (const name of names) known.add(name)
  }
}

/** Import collectors of a value: for its type, and for run time. */
export interface Collectors {
  readonly types: ImportCollector
  readonly uses: ImportCollector
}
