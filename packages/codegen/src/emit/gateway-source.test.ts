import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { runtimeInternals, runtimeParts, runtimeTypes, runtimeValues } from '../reserved.ts'
import { temporaryFolder } from '../../test/temporary.ts'
import { fileHead } from './file.ts'
import { type Patch, patch } from './patch.ts'

const root = createRequire(new URL('../../../../package.json', import.meta.url))
const oxfmt = join(dirname(root.resolve('oxfmt/package.json')), 'bin/oxfmt')

const parts = ['gateway', ...Object.keys(runtimeParts)]
const source = (part: string): string =>
  readFileSync(new URL(`../../runtime/${part}.ts`, import.meta.url), 'utf8')

/**
 * Options for emitting the runtime as JavaScript, without types and comments except for
 * the pure annotations.
 */
const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  removeComments: true,
}
const literal = (text: string): string =>
  `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``

interface Variants {
  readonly ts: string
  readonly js: string
  readonly dts: string
}

/**
 * Returns the runtime in each format, formatted like this repository, so that their lines
 * match.
 */
function variantsOf(part: string, format: (name: string, text: string) => string): Variants {
  const text = source(part)
  const { outputText } = ts.transpileModule(text, { compilerOptions })
  const declared = ts.transpileDeclaration(text, {
    compilerOptions: { ...compilerOptions, removeComments: false, isolatedDeclarations: true },
  })
  expect(declared.diagnostics).toEqual([])
  return {
    // The runtime is type-checked here. Checking it in every application would take half
    // of the cost of one query.
    ts: text.replace(fileHead, `${fileHead}// @ts-nocheck\n`),
    js: format(`${part}.js`, fileHead + outputText),
    // The compiler omits empty lines between declarations.
    dts: format(
      `${part}.d.ts`,
      fileHead +
        declared.outputText.replace(fileHead, '').replaceAll(/[};]\n(?=\/\*\*|export)/g, '$&\n'),
    ),
  }
}

function formatter(): (name: string, text: string) => string {
  const folder = temporaryFolder()
  copyFileSync(new URL('../../../../.oxfmtrc.json', import.meta.url), join(folder, '.oxfmtrc.json'))
  return (name, text) => {
    writeFileSync(join(folder, name), text)
    expect(spawnSync(process.execPath, [oxfmt, name], { cwd: folder }).status).toBe(0)
    return readFileSync(join(folder, name), 'utf8')
  }
}

/**
 * Returns the shortest patch between two texts, by the longest common subsequence of
 * lines.
 */
function diff(from: string, to: string): Patch {
  const [a, b] = [from.split('\n'), to.split('\n')]
  const common = [...a, ''].map(() => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const after = common[i + 1]!
      common[i]![j] = a[i] === b[j] ? after[j + 1]! + 1 : Math.max(after[j]!, common[i]![j + 1]!)
    }
  }
  const edits: (number | string)[] = []
  const add = (edit: number | string): void => {
    const last = edits.at(-1)
    if (typeof last === 'string' && typeof edit === 'string') edits.push(`${edits.pop()}\n${edit}`)
    else if (typeof last === 'number' && typeof edit === 'number' && last > 0 === edit > 0) {
      edits.push(Number(edits.pop()) + edit)
    } else edits.push(edit)
  }
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const isCommon = i < a.length && a[i] === b[j]
    const isGone = j === b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)
    add(isCommon ? 1 : isGone ? -1 : b[j]!)
    if (isCommon || isGone) i++
    if (isCommon || !isGone) j++
  }
  return edits
}

const printPatch = (edits: Patch): string =>
  `[${edits.map((edit) => (typeof edit === 'string' ? literal(edit) : edit)).join(', ')}]`

test('the emitted runtime is runtime/*.ts, and their JavaScript and declarations (vitest -u copies them)', async () => {
  const format = formatter()
  const printed = parts.map((part) => {
    const { ts, js, dts } = variantsOf(part, format)
    const [toJs, toDts] = [diff(ts, js), diff(ts, dts)]
    expect(patch(ts, toJs)).toBe(js)
    expect(patch(ts, toDts)).toBe(dts)
    const key = part.includes('-') ? `'${part}'` : part
    return `  ${key}: {\n    ts: ${literal(ts)},\n    js: ${printPatch(toJs)},\n    'd.ts': ${printPatch(toDts)},\n  },\n`
  })
  const text = `// Made of runtime/*.ts by the test beside this file.
import type { Patch } from './patch.ts'

/** A file of the runtime, by its name without an ending. */
export type RuntimePart =
${parts.map((part) => `  | '${part}'`).join('\n')}

/** TypeScript, and how JavaScript and declarations are made of it. */
export const runtimeFiles: {
  readonly [part in RuntimePart]: {
    readonly ts: string
    readonly js: Patch
    readonly 'd.ts': Patch
  }
} = {
${printed.join('')}}
`
  await expect(format('gateway-source.ts', text)).toMatchFileSnapshot('./gateway-source.ts')
})

describe.each(parts)('%s', (part) => {
  test('begins like every generated file', () => {
    expect(source(part).startsWith(fileHead)).toBe(true)
  })

  test('exports the names that are reserved', () => {
    const names = (pattern: RegExp): string[] =>
      [...source(part).matchAll(pattern)].map((match) => match[1] ?? '')
    const found = [
      ...names(/^export (?:interface|type) (\w+)/gm),
      ...names(/^export (?:async function|function|class|const) (\w+)/gm),
    ]
    const reserved: readonly string[] =
      part === 'gateway'
        ? [...runtimeTypes, ...runtimeValues, ...runtimeInternals]
        : runtimeParts[part as keyof typeof runtimeParts]
    expect(found.sort()).toEqual([...reserved].sort())
  })
})
