import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { runtimeInternals, runtimeParts, runtimeTypes, runtimeValues } from '../reserved.ts'
import { fileHead } from './file.ts'
import { runtimeFiles } from './runtime-files.ts'

const parts = ['gateway', ...Object.keys(runtimeParts)] as (keyof typeof runtimeFiles)[]
const source = (part: string): string =>
  readFileSync(new URL(`../../runtime/${part}.ts`, import.meta.url), 'utf8')

describe.each(parts)('%s', (part) => {
  test('begins like every generated file', () => {
    expect(source(part).startsWith(fileHead)).toBe(true)
  })

  test('is emitted as TypeScript, and as JavaScript with declarations', async () => {
    const { ts, js, 'd.ts': declarations } = runtimeFiles[part]
    expect(ts).toBe(source(part).replace(fileHead, `${fileHead}// @ts-nocheck\n`))
    for (const text of [js, declarations]) expect(text.startsWith(fileHead)).toBe(true)
    const names = [
      ...declarations.matchAll(/^export (?:declare )?(?:const|function|class) (\w+)/gm),
    ]
    const code = js.replaceAll(/^import .*/gm, '')
    const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as object
    expect(Object.keys(module).sort()).toEqual(names.map(([, name]) => name).sort())
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
