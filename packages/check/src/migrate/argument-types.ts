import { supportsStringExports, type ParameterType } from '@servicekit/catalog'
import { memoize } from '@servicekit/core'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { ts as bundled } from 'ts-morph'
import { readTsconfigs, type Tsconfig } from '../usage/aliases.ts'
import type { Range } from './component.ts'

/**
 * Conversion of an argument to the type of its parameter, or the reason why there is
 * none.
 */
type Conversion =
  | { readonly around: (code: string) => readonly [before: string, after: string] }
  | { readonly reason: string }

/** Type information about call arguments, from the TypeScript of the application. */
export interface ArgumentTypes {
  /** Returns the conversion that an argument needs; undefined if it needs none. */
  readonly conversionOf: (
    file: string,
    argument: Range,
    expected: ParameterType,
  ) => Conversion | undefined
  /** Returns whether an argument has a numeric type; `false` if its type is unknown. */
  readonly isNumber: (file: string, argument: Range) => boolean
  /**
   * Returns whether a file may use string import names such as `{ 'any text' as name }`.
   */
  readonly takesStringNames: (file: string) => boolean
}

type TypeScript = typeof bundled

/**
 * Reads types with the TypeScript version and the tsconfig.json of the application. Files
 * that no tsconfig.json includes have no types.
 *
 * @param files Files to read, relative to the root.
 */
export function readArgumentTypes(root: string, files: readonly string[]): ArgumentTypes {
  const ts = loadTypeScript(root)
  const configsOf = memoize((path: string) => readTsconfigs(ts, path))
  const configOf = (file: string): Tsconfig | undefined => {
    const path = configPath(root, file)
    const configs = path === undefined ? [] : configsOf(path)
    // The nearest configuration itself comes last.
    return (
      configs.find(({ fileNames }) => fileNames.includes(normalised(root, file))) ?? configs.at(-1)
    )
  }
  const createCheckerOf = memoize((config: Tsconfig) => {
    const own = files.filter((one) => isTyped(one, config) && configOf(one) === config)
    return createChecker(
      ts,
      config,
      own.map((one) => normalised(root, one)),
    )
  })
  const checkerOf = (file: string): TypeChecker | undefined => {
    const config = configOf(file)
    return config && isTyped(file, config) ? createCheckerOf(config) : undefined
  }
  return {
    conversionOf(file, argument, expected) {
      const found = checkerOf(file)?.typeAt(normalised(root, file), argument)
      return found && conversion(ts, found.checker, found.type, expected)
    },
    isNumber(file, argument) {
      const found = checkerOf(file)?.typeAt(normalised(root, file), argument)
      return found !== undefined && (found.type.flags & ts.TypeFlags.NumberLike) !== 0
    },
    takesStringNames(file) {
      const { ES2015, ES2020 } = ts.ModuleKind
      const module = configOf(file)?.options.module
      return module !== ES2015 && module !== ES2020 && supportsStringExports(ts.version)
    },
  }
}

const normalised = (root: string, file: string): string => resolve(root, file).replaceAll('\\', '/')

/**
 * Loads the application's TypeScript; falls back to the bundled one if it is missing or
 * has no JavaScript API.
 */
function loadTypeScript(root: string): TypeScript {
  try {
    const loaded = createRequire(join(root, 'package.json'))('typescript') as Partial<TypeScript>
    if (typeof loaded.createProgram === 'function') return loaded as TypeScript
  } catch {
    // Not installed.
  }
  return bundled
}

/** Returns the nearest tsconfig.json above a file, up to the root. */
function configPath(root: string, file: string): string | undefined {
  for (let folder = dirname(resolve(root, file)); ; folder = dirname(folder)) {
    const path = join(folder, 'tsconfig.json')
    if (existsSync(path)) return path
    if (folder === resolve(root) || folder === dirname(folder)) return undefined
  }
}

const isTyped = (file: string, { options }: Tsconfig): boolean =>
  /\.[cm]?tsx?$/.test(file) || (/\.[cm]?jsx?$/.test(file) && options.checkJs === true)

interface TypeChecker {
  readonly typeAt: (
    path: string,
    range: Range,
  ) => { readonly checker: bundled.TypeChecker; readonly type: bundled.Type } | undefined
}

function createChecker(
  ts: TypeScript,
  { options, fileNames }: Tsconfig,
  files: readonly string[],
): TypeChecker {
  const declarations = fileNames.filter((name) => /\.d\.[cm]?ts$/.test(name))
  const program = ts.createProgram({
    rootNames: [...declarations, ...files],
    options: { ...options, noEmit: true, incremental: false, composite: false },
  })
  const checker = program.getTypeChecker()
  return {
    typeAt(path, { start, end }) {
      const source = program.getSourceFile(path)
      const find = (node: bundled.Node): bundled.Node | undefined =>
        node.getStart(source) === start && node.end === end
          ? node
          : ts.forEachChild(node, (child) =>
              child.pos <= start && end <= child.end ? find(child) : undefined,
            )
      const node = source && find(source)
      if (!node) return undefined
      const { parent } = node
      const symbol = ts.isShorthandPropertyAssignment(parent)
        ? checker.getShorthandAssignmentValueSymbol(parent)
        : undefined
      const type = symbol
        ? checker.getTypeOfSymbolAtLocation(symbol, node)
        : checker.getTypeAtLocation(node)
      return { checker, type }
    },
  }
}

function conversion(
  ts: TypeScript,
  checker: bundled.TypeChecker,
  type: bundled.Type,
  expected: ParameterType,
): Conversion | undefined {
  const { TypeFlags } = ts
  const fits = (one: bundled.Type): boolean => {
    if (one.flags & (TypeFlags.Any | TypeFlags.Never)) return true
    if (one.isUnion()) return one.types.every(fits)
    if (one.isIntersection()) return one.types.some(fits)
    if (one.flags & TypeFlags.Instantiable && !(one.flags & TypeFlags.StringLike)) {
      const constraint = checker.getBaseConstraintOfType(one)
      return constraint !== undefined && constraint !== one && fits(constraint)
    }
    if (expected === 'list') return isListOf(checker, one, TypeFlags.StringLike)
    if (expected === 'date' && one.symbol?.name === 'Date') return true
    return (one.flags & flags[expected]) !== 0
  }
  const flags: Readonly<Record<ParameterType, number>> = {
    value: TypeFlags.StringLike | TypeFlags.NumberLike,
    number: TypeFlags.NumberLike,
    date: TypeFlags.NumberLike,
    list: 0,
    flag: TypeFlags.StringLike | TypeFlags.NumberLike | TypeFlags.BooleanLike,
  }
  if (fits(type)) return undefined
  if (expected !== 'value' && expected !== 'flag') {
    return {
      reason: `an argument has the type ${checker.typeToString(checker.getBaseTypeOfLiteralType(type))} instead of ${named[expected]}`,
    }
  }
  // i18next renders nothing for null and undefined, and otherwise the same as `String`.
  const present = checker.getNonNullableType(type)
  if (present === type || type.flags & TypeFlags.Unknown) {
    return { around: () => ['String(', ')'] }
  }
  const [open, close] = fits(present) ? ['', ''] : ['String(', ')']
  return {
    around: (code) =>
      isOperand(code) ? [open, ` ?? ''${close}`] : [`${open}(`, `) ?? ''${close}`],
  }
}

const named = { number: 'a number', date: 'a date', list: 'a list of strings' } as const

/** Returns whether `??` can follow the code without parentheses. */
const isOperand = (code: string): boolean => /^[\w$.?!()[\]]+$/.test(code) && !/\?(?!\.)/.test(code)

function isListOf(checker: bundled.TypeChecker, type: bundled.Type, flag: number): boolean {
  if (!checker.isArrayLikeType(type)) return false
  const element = type.getNumberIndexType()
  return element !== undefined && (element.flags & flag) !== 0
}
