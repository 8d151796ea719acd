import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { reservedNames } from './reserved.ts'
import { runtimeExports, runtimeParts } from './runtime-exports.ts'

const folder = fileURLToPath(new URL('../runtime/', import.meta.url))
const fileOf = (part: string): string => `${folder}${part}.ts`
const program = ts.createProgram(runtimeParts.map(fileOf), {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  noLib: true,
})
const checker = program.getTypeChecker()

/** Returns the names of the exports of a file that are not marked as internal. */
function publicExports(part: string, names: (symbol: ts.Symbol) => boolean): readonly string[] {
  const module = checker.getSymbolAtLocation(program.getSourceFile(fileOf(part))!)!
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0
    const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported
    const isInternal = symbol.getJsDocTags(checker).some(({ name }) => name === 'internal')
    return isInternal || !names(symbol) ? [] : exported.name
  })
}
const isValue = ({ flags }: ts.Symbol): boolean => (flags & ts.SymbolFlags.Value) !== 0

test('every file of the runtime is listed', () => {
  const files = readdirSync(folder).filter((name) => /^[\w-]+\.ts$/.test(name))
  expect(files).toEqual(runtimeParts.map((part) => `${part}.ts`).sort())
})

/** Exports of these are exports of other files, too, or only for generated modules. */
const others = new Set(['gateway-types', 'gateway-query-key', 'gateway-exact-json'])

describe.each(runtimeParts.filter((part) => !others.has(part)))('%s', (part) => {
  test('exports the listed names, which are reserved', () => {
    const types = publicExports(part, (symbol) => !isValue(symbol))
    const values = publicExports(part, isValue)
    expect(types.toSorted()).toEqual([...runtimeExports[part].types].sort())
    expect(values.toSorted()).toEqual([...runtimeExports[part].values].sort())
    expect(reservedNames).toEqual(expect.arrayContaining([...types, ...values]))
  })
})

test('reads integers like the core package', () => {
  const copy = readFileSync(fileOf('gateway-exact-json'), 'utf8')
  const original = new URL('../../core/src/exact-json.ts', import.meta.url)
  expect(copy).toBe(readFileSync(original, 'utf8'))
})
