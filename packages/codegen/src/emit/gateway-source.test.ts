import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runtimeInternals, runtimeTypes, runtimeValues } from '../reserved.ts'
import { fileHead } from './file.ts'

const runtime = readFileSync(new URL('../../runtime/gateway.ts', import.meta.url), 'utf8')

test('the emitted runtime is runtime/gateway.ts (vitest -u copies it)', async () => {
  const literal = runtime.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')
  await expect(
    `// Copied from runtime/gateway.ts by the test beside this file.\nexport const gatewaySource: string = \`${literal}\`\n`,
  ).toMatchFileSnapshot('./gateway-source.ts')
})

test('the runtime begins like every generated file', () => {
  expect(runtime.startsWith(fileHead)).toBe(true)
})

test('the reserved names are the runtime’s exports', () => {
  const names = (pattern: RegExp): string[] =>
    [...runtime.matchAll(pattern)].map((match) => match[1] ?? '').sort()
  expect(names(/^export (?:interface|type) (\w+)/gm)).toEqual([...runtimeTypes].sort())
  expect(names(/^export (?:async function|function|class|const) (\w+)/gm)).toEqual(
    [...runtimeValues, ...runtimeInternals].sort(),
  )
})
