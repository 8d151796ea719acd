import { byCodePoint } from '../names.ts'
import { type EmittedFile, fileHead } from './file.ts'

/** A module's content, from which its TypeScript, or its JavaScript and declarations, are printed. */
export interface ModuleSource {
  /** File name without an ending: `order-line`. */
  readonly file: string
  /** Interfaces and type aliases, as they stand in the file. */
  readonly types: string
  readonly values: readonly ValueSource[]
  /** What `types` and the types of `values` refer to, by file. */
  readonly typeImports: Imports
  /** What the values refer to, by file. */
  readonly valueImports: Imports
}

/** A const with a comment, a type and a value. */
export interface ValueSource {
  /** Without one it is not exported. */
  readonly comment?: string
  readonly name: string
  readonly type: string
  readonly value: string
}

type Imports = ReadonlyMap<string, ReadonlySet<string>>

/** How files are written. */
export interface EmitOptions {
  /** Ending of relative imports: `.js` serves Node and every bundler. */
  readonly importExtension: string
  /** `ts`, or `js`: JavaScript with declarations, which is quicker to check. */
  readonly output: OutputKind
}

export type OutputKind = 'ts' | 'js'

/** The files of a module: one, or JavaScript and its declarations. */
export function* printModule(
  source: ModuleSource,
  { importExtension, output }: EmitOptions,
): Generator<EmittedFile, void, undefined> {
  const { file, types, values } = source
  const valueImports = printImports('import', source.valueImports, importExtension)
  const typeImports = printImports('import type', source.typeImports, importExtension)
  if (output === 'ts') {
    let text = fileHead + valueImports + typeImports + types
    for (const value of values) text += printValue(value)
    yield { name: `${file}.ts`, text }
    return
  }
  let code = fileHead + valueImports
  let declarations = fileHead + typeImports + types
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
  yield { name: `${file}.js`, text: code }
  yield { name: `${file}.d.ts`, text: declarations }
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

/** Names by file, collected while a module is printed. */
export class ImportCollector {
  readonly imports: Map<string, Set<string>> = new Map()

  add(file: string, ...names: readonly string[]): void {
    const known = this.imports.get(file)
    if (known === undefined) this.imports.set(file, new Set(names))
    else for (const name of names) known.add(name)
  }
}
