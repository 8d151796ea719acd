import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { bytesIn } from '@servicekit/testing/folder'
import { run } from './run.ts'

let root: string

beforeEach(async () => {
  vi.stubEnv('CI', '')
  root = await mkdtemp(join(tmpdir(), 'servicekit-cli-'))
  return () => rm(root, { recursive: true, force: true })
})

/** Writes translations to pull, by `<language>/<module>`. */
async function writeSource(files: Readonly<Record<string, object>>, syntax: string): Promise<void> {
  await write('servicekit.config.mjs', `export default { localization: { syntax: '${syntax}' } }`)
  for (const [place, texts] of Object.entries(files)) {
    await write(`locales/${place}.json`, JSON.stringify(texts))
  }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}

const pull = (...more: string[]) =>
  run(['pull', '--root', root, '--from', join(root, 'locales'), ...more])
const compile = (...more: string[]) => run(['compile', '--root', root, '--out', 'out', ...more])

describe('an invalid ICU message', () => {
  const invalid = '{n, plural, one {x}}'
  beforeEach(() =>
    writeSource(
      { 'en-US/auth': { BAD: invalid, GOOD: 'x' }, 'de-DE/auth': { GOOD: '{y}' } },
      'icu',
    ),
  )

  it.each([
    ['pull', pull],
    ['compile', compile],
  ])('is reported by %s with its key and the reason', async (name, command) => {
    if (name === 'compile') await pull()
    const { code, stderr } = await command()
    expect(code).toBe(0)
    const [first] = stderr.split('\n')
    expect(first).toMatch(
      /^auth BAD \(en-US\): is not a valid ICU message \(missing other clause\)/,
    )
    expect(first).toContain(JSON.stringify(invalid))
    const problems = JSON.parse((await command('--json')).stdout).problems
    expect(problems[0]).toMatchObject({ code: 'SYNTAX', module: 'auth', key: 'BAD' })
  })
})

it('prints no control character of a key to the terminal', async () => {
  await writeSource({ 'en-US/auth': { 'A\u001b[2J\u202e': '{' } }, 'icu')
  const { stderr } = await pull()
  expect(stderr).toContain(String.raw`auth A\u001b[2J\u202e (en-US)`)
  expect(stderr.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u202e]/)
})

it('pulls a module with the name of a built-in entry without a warning', async () => {
  await writeSource({ 'en-US/server': { A: 'a' }, 'en-US/react': { B: 'b' } }, 'double-brace')
  expect(await pull()).toMatchObject({ code: 0, stderr: '' })
  expect(Object.keys(await bytesIn(join(root, '.servicekit/types/uilm')))).toEqual(
    expect.arrayContaining(['server$.d.ts', 'react$.d.ts', 'react.d.ts']),
  )
})

it('changes no file if the declarations cannot be written', async () => {
  await writeSource({ 'en-US/auth': { A: 'a' } }, 'double-brace')
  await pull()
  await writeSource({ 'en-US/auth': { A: 'new' }, 'en-US/shop': { B: 'b' } }, 'double-brace')
  await mkdir(join(root, '.servicekit/types/uilm/shop.d.ts/folder'), { recursive: true })
  const before = await bytesIn(root)
  expect(await pull()).toMatchObject({ code: 2, stderr: expect.stringContaining('shop.d.ts') })
  expect(await bytesIn(root)).toEqual(before)
})
