import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { runtimeInternals, runtimeParts, runtimeTypes, runtimeValues } from '../reserved.ts'
import { fileHead } from './file.ts'

const parts = ['gateway', ...Object.keys(runtimeParts)]
const source = (part: string): string =>
  readFileSync(new URL(`../../runtime/${part}.ts`, import.meta.url), 'utf8')

/** The runtime as JavaScript: without its types and its comments, save the pure marks. */
const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  removeComments: true,
}
const head = (text: string): string => fileHead + text
const literal = (text: string): string =>
  `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``

function variants(part: string): string {
  const text = source(part)
  const js = head(ts.transpileModule(text, { compilerOptions }).outputText)
  const declared = ts.transpileDeclaration(text, {
    compilerOptions: { ...compilerOptions, removeComments: false, isolatedDeclarations: true },
  })
  expect(declared.diagnostics).toEqual([])
  const dts = head(declared.outputText.replace(fileHead, ''))
  const key = part.includes('-') ? `'${part}'` : part
  // Checked here, so that no application need check it again: half of what one query costs.
  const checked = text.replace(fileHead, `${fileHead}// @ts-nocheck\n`)
  return `  ${key}: {\n    ts: ${literal(checked)},\n    js: ${literal(js)},\n    'd.ts': ${literal(dts)},\n  },\n`
}

test('the emitted runtime is runtime/*.ts, and their JavaScript and declarations (vitest -u copies them)', async () => {
  const text = `// Made of runtime/*.ts by the test beside this file.

/** A file of the runtime, by its name without an ending. */
export type RuntimePart =
${parts.map((part) => `  | '${part}'`).join('\n')}

/** Texts by the file's ending. */
export const runtimeFiles: {
  readonly [part in RuntimePart]: { readonly [ending in 'ts' | 'js' | 'd.ts']: string }
} = {
${parts.map(variants).join('')}}
`
  await expect(text).toMatchFileSnapshot('./gateway-source.ts')
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
