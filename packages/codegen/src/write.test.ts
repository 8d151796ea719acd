import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../test/temporary.ts'
import { type EmittedFile, fileHead } from './emit/file.ts'
import { hashText, lockName, parseLock } from './lockfile.ts'
import { normaliseListing } from './normalise.ts'
import { writeFiles } from './write.ts'

const file = (name: string, body = ''): EmittedFile => ({
  name: `${name}.ts`,
  text: `${fileHead}export const ${name} = 1${body}\n`,
})
const [a, b, c] = [file('a'), file('b'), file('c')]

describe('writeFiles', () => {
  test('writes everything the first time and nothing the second time', () => {
    const folder = join(temporaryFolder(), 'deep', 'er')
    expect(writeFiles(folder, [a, b]).written).toEqual(['a.ts', 'b.ts', lockName])
    const before = statSync(join(folder, 'a.ts')).mtimeMs
    expect(writeFiles(folder, [a, b])).toMatchObject({ written: [], removed: [], unchanged: 3 })
    expect(statSync(join(folder, 'a.ts')).mtimeMs).toBe(before)
    expect(readdirSync(folder).sort()).toEqual(['a.ts', 'b.ts', lockName])
  })

  test('writes nothing through a link out of the working directory', () => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()]
    symlinkSync(outside, join(root, 'src'))
    vi.spyOn(process, 'cwd').mockReturnValue(root)
    expect(() => writeFiles(join(root, 'src/gateway'), [a])).toThrow(
      expect.objectContaining({
        code: 'OUTPUT_FAILED',
        message: expect.stringContaining(`${join(root, 'src')} is a link out of ${root}`),
      }),
    )
    expect(readdirSync(outside)).toEqual([])
    vi.restoreAllMocks()
  })

  test('writes only what changed', () => {
    const folder = temporaryFolder()
    writeFiles(folder, [a, b])
    expect(writeFiles(folder, [a, file('b', '2')]).written).toEqual(['b.ts', lockName])
  })

  test('ignores Windows line endings', () => {
    const folder = temporaryFolder()
    writeFiles(folder, [a])
    writeFileSync(join(folder, 'a.ts'), a.text.replaceAll('\n', '\r\n'))
    expect(writeFiles(folder, [a]).written).toEqual([])
    expect(writeFiles(folder, []).removed).toEqual(['a.ts'])
  })

  test('ignores a byte order mark', () => {
    const folder = temporaryFolder()
    writeFiles(folder, [a])
    writeFileSync(join(folder, 'a.ts'), `\uFEFF${a.text}`)
    expect(writeFiles(folder, [a]).written).toEqual([])
    expect(writeFiles(folder, []).removed).toEqual(['a.ts'])
  })

  test('ignores formatting of the lockfile', () => {
    const folder = temporaryFolder()
    const listing = normaliseListing([{ schemaName: 'A', fields: [{ name: 'B', type: 'Int' }] }])
    writeFiles(folder, [a], { listing })
    const lock = join(folder, lockName)
    const formatted = JSON.stringify(JSON.parse(readFileSync(lock, 'utf8')), undefined, 4)
    writeFileSync(lock, formatted)
    expect(writeFiles(folder, [a], { listing }).written).toEqual([])
    expect(readFileSync(lock, 'utf8')).toBe(formatted)
    expect(writeFiles(folder, [a]).written).toEqual([lockName])
  })

  test('two concurrent runs give the same result as one after the other', () => {
    const folder = temporaryFolder()
    writeFiles(folder, [a, b, c])
    function* whileOthersWrite(): Generator<EmittedFile> {
      yield a
      // A run for another listing ends in between, and removes b and c.
      writeFiles(folder, [a])
      yield b
    }
    writeFiles(folder, whileOthersWrite())
    expect(readdirSync(folder).sort()).toEqual(['a.ts', 'b.ts', lockName])
    expect([...parseLock(readFileSync(join(folder, lockName), 'utf8')).files.keys()]).toEqual([
      'a.ts',
      'b.ts',
    ])
  })

  test('check writes nothing and reports what would be written', () => {
    const folder = temporaryFolder()
    writeFiles(folder, [a, b])
    const before = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(writeFiles(folder, [file('a', '2'), c], { check: true })).toMatchObject({
      written: ['a.ts', 'c.ts', lockName],
      removed: ['b.ts'],
    })
    expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(
      before,
    )
    expect(writeFiles(join(folder, 'none'), [a], { check: true }).written).toEqual([
      'a.ts',
      lockName,
    ])
    expect(existsSync(join(folder, 'none'))).toBe(false)
  })
})

describe('files of removed schemas', () => {
  test('are removed, and other files are kept', () => {
    const folder = temporaryFolder()
    writeFiles(folder, [a, b])
    writeFileSync(join(folder, 'mine.ts'), 'export {}\n')
    expect(writeFiles(folder, [a]).removed).toEqual(['b.ts'])
    expect(readdirSync(folder).sort()).toEqual(['a.ts', lockName, 'mine.ts'])
  })

  test('are kept if they were edited', () => {
    const folder = temporaryFolder()
    writeFiles(folder, [a, b])
    writeFileSync(join(folder, 'b.ts'), `${b.text}// mine now\n`)
    expect(writeFiles(folder, [a])).toMatchObject({ removed: [], kept: ['b.ts'] })
    expect(existsSync(join(folder, 'b.ts'))).toBe(true)
  })

  test('are removed more than three at once only with prune', () => {
    const folder = temporaryFolder()
    const files = ['a', 'b', 'c', 'd', 'e'].map((name) => file(name))
    writeFiles(folder, files)
    const before = readdirSync(folder)
    expect(() => writeFiles(folder, [file('a', '2')])).toThrow(
      expect.objectContaining({
        code: 'REMOVAL_REFUSED',
        details: { folder, count: 4, modules: 'b, c, d, e' },
        help: expect.stringContaining('--prune') as string,
      }),
    )
    expect(readdirSync(folder)).toEqual(before)
    expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toBe(a.text)
    expect(writeFiles(folder, [a], { check: true }).removed).toHaveLength(4)
    expect(writeFiles(folder, [a], { prune: true }).removed).toHaveLength(4)
    writeFiles(folder, files.slice(0, 4))
    expect(writeFiles(folder, [a]).removed).toEqual(['b.ts', 'c.ts', 'd.ts'])
  })

  test('are kept if they were written by hand, even if the lockfile has their hash', () => {
    const folder = temporaryFolder()
    writeFiles(folder, [a])
    const own = 'export const precious = 1\n'
    writeFileSync(join(folder, 'own.ts'), own)
    const lock = readFileSync(join(folder, lockName), 'utf8')
    const hash = JSON.stringify(hashText(own))
    writeFileSync(
      join(folder, lockName),
      lock.replace('"files": {', `"files": {\n    "own.ts": ${hash},`),
    )
    expect(writeFiles(folder, [a])).toMatchObject({ removed: [], kept: ['own.ts'] })
    expect(existsSync(join(folder, 'own.ts'))).toBe(true)
  })

  test('are never removed outside the folder', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'victim.ts'), 'x')
    const out = join(folder, 'out')
    writeFiles(out, [a])
    const lock = JSON.parse(readFileSync(join(out, lockName), 'utf8')) as { files: object }
    const hash = '2d711642b726b044'
    Object.assign(lock.files, { '../victim.ts': hash, '/etc/passwd': hash })
    writeFileSync(join(out, lockName), JSON.stringify(lock))
    expect(writeFiles(out, [a]).removed).toEqual([])
    expect(existsSync(join(folder, 'victim.ts'))).toBe(true)
  })

  test('are kept if the lockfile is invalid', () => {
    for (const text of [undefined, '', '{', '[]', '{"files": 7}', '{"files": {"a.ts": 7}}']) {
      expect(parseLock(text).files).toEqual(new Map())
    }
  })
})

describe('the folder is unchanged after', () => {
  test('a file that was not generated', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'b.ts'), 'export const mine = 1\n')
    expect(() => writeFiles(folder, [a, b, c])).toThrow(
      expect.objectContaining({ code: 'OUTPUT_FOREIGN' }),
    )
    expect(readdirSync(folder)).toEqual(['b.ts'])
  })

  test('an emitter that fails', () => {
    const folder = temporaryFolder()
    writeFiles(folder, [a])
    function* failing(): Generator<EmittedFile> {
      yield file('a', '2')
      throw new Error('bug')
    }
    expect(() => writeFiles(folder, failing())).toThrow(
      expect.objectContaining({ code: 'OUTPUT_FAILED' }),
    )
    expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toBe(a.text)
    expect(readdirSync(folder).sort()).toEqual(['a.ts', lockName])
  })

  test('a folder that is a file', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'out'), '')
    expect(() => writeFiles(join(folder, 'out'), [a])).toThrow(
      expect.objectContaining({ code: 'OUTPUT_FAILED' }),
    )
  })
})
