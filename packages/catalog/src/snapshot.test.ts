import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { anyText } from '../test/arbitrary.ts'
import { normaliseFile } from './normalise.ts'
import {
  lockEntry,
  parseTexts,
  printLock,
  printTexts,
  readLock,
  readSnapshot,
  textsIfSame,
} from './snapshot.ts'

const textsOf = (entries: readonly (readonly [string, string | null])[]) =>
  new Map([...new Map(entries)].sort(([a], [b]) => (a < b ? -1 : 1)))

describe('printTexts', () => {
  it('writes one key a line, sorted', () => {
    expect(
      printTexts(
        textsOf([
          ['B', 'x\n"'],
          ['A', null],
          ['10', ''],
          ['9', '\u2028\ud800'],
        ]),
      ),
    ).toBe('{\n  "10": "",\n  "9": "\u2028\\ud800",\n  "A": null,\n  "B": "x\\n\\""\n}\n')
    expect(printTexts(new Map())).toBe('{}\n')
  })

  it('is read back to the letter, in its order', () => {
    const entry = fc.tuple(anyText, fc.oneof(anyText, fc.constant(null)))
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const texts = textsOf(entries)
        const printed = printTexts(texts)
        expect([...parseTexts(printed)]).toEqual([...texts])
        expect(printTexts(parseTexts(printed))).toBe(printed)
        // A UTF-8 file preserves it, and Windows may change its line endings.
        expect(Buffer.from(printed).toString()).toBe(printed)
        const hash = lockEntry(printed, texts.size)
        expect(textsIfSame(printed.replaceAll('\n', '\r\n'), hash)).toEqual(texts)
      }),
      { numRuns: 500 },
    )
  })

  it('gives a file of the service back as it was normalised', () => {
    const raw = JSON.parse(
      '{"b": {"__proto__": "x"}, "__proto__": "y", "404": null, "12": "z"}',
    ) as object
    const { texts } = normaliseFile(raw as Record<string, unknown>, {
      language: 'key',
      module: 'm',
    })
    expect([...parseTexts(printTexts(texts))]).toEqual([...texts])
    expect(texts.get('__proto__')).toBe('y')
  })

  it('changes one line for one text', () => {
    const before = textsOf(Array.from({ length: 500 }, (_, n) => [`KEY_${n}`, `text ${n}`]))
    const after = new Map(before).set('KEY_77', 'another')
    const lines = printTexts(before).split('\n')
    expect(
      printTexts(after)
        .split('\n')
        .filter((line, at) => line !== lines[at]),
    ).toEqual(['  "KEY_77": "another",'])
  })
})

const files = {
  'en-US/auth.json': '{\n  "SIGN_IN": "Sign in"\n}\n',
  'de-DE/auth.json': '{\n  "SIGN_IN": "Anmelden"\n}\n',
  'en-US/cart.json': '{}\n',
}
const lock = {
  version: 1,
  defaultLanguage: 'en-US',
  languages: { 'de-DE': 'German', 'en-US': 'English' },
  modules: ['auth', 'cart'],
  files: Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      lockEntry(content, content.length > 3 ? 1 : 0),
    ]),
  ),
} as const

async function snapshot(change: { lock?: string | null } = {}) {
  const root = await mkdtemp(join(tmpdir(), 'servicekit-snapshot-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const paths = { snapshotDir: join(root, 'uilm'), lockFile: join(root, 'uilm.lock.json') }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(paths.snapshotDir, path, '..'), { recursive: true })
    await writeFile(join(paths.snapshotDir, path), content)
  }
  if (change.lock !== null) await writeFile(paths.lockFile, change.lock ?? printLock(lock))
  const failure = async (): Promise<Error & { code: string }> =>
    readSnapshot(paths).then(
      () => expect.unreachable('it was read'),
      (error: unknown) => error as Error & { code: string },
    )
  return { ...paths, failure, file: (path: string) => join(paths.snapshotDir, path) }
}

describe('readSnapshot', () => {
  it('reads what was committed, the default language first', async () => {
    const catalog = await readSnapshot(await snapshot())
    expect(catalog).toEqual({
      defaultLanguage: 'en-US',
      languages: [
        { code: 'en-US', name: 'English' },
        { code: 'de-DE', name: 'German' },
      ],
      modules: [
        {
          name: 'auth',
          texts: new Map([
            ['en-US', new Map([['SIGN_IN', 'Sign in']])],
            ['de-DE', new Map([['SIGN_IN', 'Anmelden']])],
          ]),
        },
        { name: 'cart', texts: new Map([['en-US', new Map()]]) },
      ],
    })
  })

  it('reads a checkout with CRLF', async () => {
    const { file, ...paths } = await snapshot({ lock: printLock(lock).replaceAll('\n', '\r\n') })
    const crlf = files['de-DE/auth.json'].replaceAll('\n', '\r\n')
    await writeFile(file('de-DE/auth.json'), crlf)
    const catalog = await readSnapshot(paths)
    expect(catalog.modules[0]!.texts.get('de-DE')!.get('SIGN_IN')).toBe('Anmelden')
  })

  it('sees drift in one letter, and says where and what to do', async () => {
    const { failure, file } = await snapshot()
    await writeFile(file('de-DE/auth.json'), files['de-DE/auth.json'].replace('Anm', 'anm'))
    const error = await failure()
    expect(error.code).toBe('SNAPSHOT_DRIFT')
    expect(error.message).toContain('de-DE/auth.json is not what the lock file says')
    expect(error.message).toContain('servicekit pull')
  })

  it('sees white space that was added at the end', async () => {
    const { failure, file } = await snapshot()
    await appendFile(file('de-DE/auth.json'), '\n')
    expect((await failure()).code).toBe('SNAPSHOT_DRIFT')
  })

  it('sees a file that is gone', async () => {
    const { failure, file } = await snapshot()
    await rm(file('en-US/cart.json'))
    const error = await failure()
    expect(error.code).toBe('SNAPSHOT_DRIFT')
    expect(error.message).toContain('en-US/cart.json is in the lock file and not in the folder')
  })

  it('sees a folder that is gone', async () => {
    const { failure, snapshotDir } = await snapshot()
    await rm(snapshotDir, { recursive: true })
    expect((await failure()).code).toBe('SNAPSHOT_DRIFT')
  })

  it('says that there is no lock', async () => {
    const { failure, lockFile } = await snapshot({ lock: null })
    const error = await failure()
    expect(error.code).toBe('SNAPSHOT_MISSING')
    expect(error.message).toContain(lockFile)
  })

  it('says that a merge left its marks', async () => {
    const printed = printLock(lock)
    const { failure } = await snapshot({
      lock: printed.replace('  "modules"', '<<<<<<< HEAD\n  "modules"').concat('>>>>>>> main\n'),
    })
    const error = await failure()
    expect(error.code).toBe('SNAPSHOT_INVALID')
    expect(error.message).toContain('A merge may have left its marks in it')
  })

  it('ignores files that the lock does not know', async () => {
    const { file, ...paths } = await snapshot()
    await writeFile(file('de-DE/auth.json.123-abcd.tmp'), '{')
    await writeFile(file('de-DE/other.json'), '{}')
    expect((await readSnapshot(paths)).modules.map(({ name }) => name)).toEqual(['auth', 'cart'])
  })

  it.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['nothing', ''],
    ['another version', JSON.stringify({ ...lock, version: 2 })],
    ['no languages', JSON.stringify({ ...lock, languages: undefined })],
    ['a list of languages', JSON.stringify({ ...lock, languages: ['de-DE'] })],
    ['modules that are no names', JSON.stringify({ ...lock, modules: [1] })],
    ['files that are no text', JSON.stringify({ ...lock, files: { 'a/b.json': 1 } })],
    ['a path out of the folder', JSON.stringify({ ...lock, files: { '../../etc/passwd': 'x' } })],
    ['a path above', JSON.stringify({ ...lock, files: { '../x.json': 'x' } })],
    ['a path from the root', JSON.stringify({ ...lock, files: { '/etc/x.json': 'x' } })],
    ['a path of Windows', JSON.stringify({ ...lock, files: { '..\\x/y.json': 'x' } })],
  ])('refuses a lock that is %s', async (_, text) => {
    const { failure, lockFile } = await snapshot({ lock: text })
    const error = await failure()
    expect(error.code).toBe('SNAPSHOT_INVALID')
    expect(error.message).toContain(lockFile)
  })

  it('says what the matter is with a lock that may not be read', async () => {
    const { lockFile, failure } = await snapshot()
    await rm(lockFile)
    await mkdir(lockFile)
    const error = await failure()
    expect(error.code).toBe('READ_FAILED')
    expect(error.message).toContain(`Could not read ${lockFile}`)
  })
})

describe('printLock', () => {
  it('is the same whatever order it was made in, and is read back', async () => {
    const turned = {
      files: Object.fromEntries(Object.entries(lock.files).reverse()),
      modules: [...lock.modules].reverse(),
      languages: Object.fromEntries(Object.entries(lock.languages).reverse()),
      defaultLanguage: 'en-US',
      version: 1,
    } as const
    expect(printLock(turned)).toBe(printLock(lock))
    const { lockFile } = await snapshot()
    expect(await readLock(lockFile)).toEqual(lock)
    expect(await readFile(lockFile, 'utf8')).toMatchInlineSnapshot(`
      "{
        "version": 1,
        "defaultLanguage": "en-US",
        "languages": {
          "de-DE": "German",
          "en-US": "English"
        },
        "modules": [
          "auth",
          "cart"
        ],
        "files": {
          "de-DE/auth.json": "1 sha256-ydyPX4nqu-v9KkxolxHcG3tjCJET7JnypDiF3NqiN7o",
          "en-US/auth.json": "1 sha256-9qfixTlIMqDgJTQLSZ_d1dWO7zPrmbAZCMsvt9dfX4w",
          "en-US/cart.json": "0 sha256-yj0WO6sFU4GCciYUBWjzvvfqrBh869doeOC2Pp5EI1Y"
        }
      }
      "
    `)
  })
})
