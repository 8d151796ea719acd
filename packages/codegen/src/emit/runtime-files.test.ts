import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { reservedNames } from '../reserved.ts'
import { fileHead } from './file.ts'
import { runtimeFiles } from './runtime-files.ts'
import { sourceHead } from './source.ts'

const parts = Object.keys(runtimeFiles) as (keyof typeof runtimeFiles)[]
const source = (part: string): string =>
  readFileSync(new URL(`../../runtime/${part}.ts`, import.meta.url), 'utf8')

describe.each(parts)('%s', (part) => {
  test('is emitted as TypeScript, and as JavaScript with declarations', async () => {
    const { ts, js, 'd.ts': declarations } = runtimeFiles[part]
    expect(ts.startsWith(sourceHead)).toBe(true)
    expect(ts.slice(sourceHead.length).trimStart()).toBe(source(part))
    for (const text of [js, declarations]) expect(text.startsWith(fileHead)).toBe(true)
    const names = [
      ...declarations.matchAll(/^export (?:declare )?(?:const|function|class) (\w+)/gm),
    ]
    const code = js.replaceAll(/^import .*/gm, '')
    const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as object
    expect(Object.keys(module).sort()).toEqual(names.map(([, name]) => name).sort())
  })

  test('reserves the names that it exports', () => {
    const exported = runtimeFiles[part]['d.ts'].matchAll(
      /^export (?:declare )?(?:interface|type|const|function|class) (\w+)/gm,
    )
    const names = [...exported].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(0)
    expect(reservedNames).toEqual(expect.arrayContaining(names))
  })
})
