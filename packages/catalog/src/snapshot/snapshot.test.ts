import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isMissingMarker } from '@servicekit/contract/limits'
import { byCodePoint } from '@servicekit/core'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { anyText } from '../../test/arbitrary.ts'
import { normaliseFile } from '../model/normalise.ts'
import {
  lockEntry,
  parseTranslations,
  printLock,
  readLock,
  readSnapshot,
  readSnapshotText,
  translationsIfSame,
} from './snapshot.ts'
import { printTranslations } from '../model/snapshot-text.ts'

const translationsOf = (entries: readonly (readonly [string, string | null])[]) =>
  new Map([...new Map(entries)].sort(([a], [b]) => byCodePoint(a, b)))

describe('printTranslations', () => {
  it('writes one key per line, sorted', () => {
    expect(
      printTranslations(
        translationsOf([
          ['B', 'x\n"'],
          ['A', null],
          ['10', ''],
          ['9', '\u2028\ud800'],
        ]),
      ),
    ).toBe('{\n  "10": "",\n  "9": "\u2028\\ud800",\n  "A": null,\n  "B": "x\\n\\""\n}\n')
    expect(printTranslations(new Map())).toBe('{}\n')
  })

  it('is parsed back unchanged and in order', () => {
    // As a file is normalised: no empty key, and null instead of a marker.
    const text = anyText.filter((one) => !isMissingMarker(one))
    const key = anyText.filter((one) => one !== '')
    const entry = fc.tuple(key, fc.oneof(text, fc.constant(null)))
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const translations = translationsOf(entries)
        const printed = printTranslations(translations)
        expect([...parseTranslations(printed, 'a.json')]).toEqual([...translations])
        expect(printTranslations(parseTranslations(printed, 'a.json'))).toBe(printed)
        // A UTF-8 file preserves it, and Windows may change its line endings.
        expect(Buffer.from(printed).toString()).toBe(printed)
        const hash = lockEntry(printed, translations.size)
        expect(translationsIfSame(printed.replaceAll('\n', '\r\n'), hash, 'a.json')).toEqual(
          translations,
        )
      }),
      { numRuns: 500 },
    )
  })

  it('preserves a normalised file of the service', () => {
    const raw = JSON.parse(
      '{"b": {"__proto__": "x"}, "__proto__": "y", "404": null, "12": "z"}',
    ) as object
    const { translations } = normaliseFile(raw as Record<string, unknown>, {
      language: 'key',
      module: 'm',
    })
    expect([...parseTranslations(printTranslations(translations), 'a.json')]).toEqual([
      ...translations,
    ])
    expect(translations.get('__proto__')).toBe('y')
  })

  it('changes one line for one changed translation', () => {
    const before = translationsOf(Array.from({ length: 500 }, (_, n) => [`KEY_${n}`, `text ${n}`]))
    const after = new Map(before).set('KEY_77', 'another')
    const lines = printTranslations(before).split('\n')
    expect(
      printTranslations(after)
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
  it('reads the committed files, with the default language first', async () => {
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
          translations: new Map([
            ['en-US', new Map([['SIGN_IN', 'Sign in']])],
            ['de-DE', new Map([['SIGN_IN', 'Anmelden']])],
          ]),
        },
        { name: 'cart', translations: new Map([['en-US', new Map()]]) },
      ],
    })
  })

  it('reads a checkout with CRLF', async () => {
    const { file, ...paths } = await snapshot({ lock: printLock(lock).replaceAll('\n', '\r\n') })
    const crlf = files['de-DE/auth.json'].replaceAll('\n', '\r\n')
    await writeFile(file('de-DE/auth.json'), crlf)
    const catalog = await readSnapshot(paths)
    expect(catalog.modules[0]!.translations.get('de-DE')!.get('SIGN_IN')).toBe('Anmelden')
  })

  it('reports a changed letter with the file and the solution', async () => {
    const { failure, file } = await snapshot()
    await writeFile(file('de-DE/auth.json'), files['de-DE/auth.json'].replace('Anm', 'anm'))
    const error = await failure()
    expect(error.code).toBe('SNAPSHOT_DRIFT')
    expect(error.message).toContain('de-DE/auth.json does not match the lock file')
    expect(error.message).toContain('servicekit pull')
  })

  it('reports white space added at the end', async () => {
    const { failure, file } = await snapshot()
    await appendFile(file('de-DE/auth.json'), '\n')
    expect((await failure()).code).toBe('SNAPSHOT_DRIFT')
  })

  it('reports a missing file', async () => {
    const { failure, file } = await snapshot()
    await rm(file('en-US/cart.json'))
    const error = await failure()
    expect(error.code).toBe('SNAPSHOT_DRIFT')
    expect(error.message).toContain('en-US/cart.json is missing, but listed in the lock file')
  })

  it('reports a missing folder', async () => {
    const { failure, snapshotDir } = await snapshot()
    await rm(snapshotDir, { recursive: true })
    expect((await failure()).code).toBe('SNAPSHOT_DRIFT')
  })

  it('reports a missing lock file', async () => {
    const { failure, lockFile } = await snapshot({ lock: null })
    const error = await failure()
    expect(error.code).toBe('SNAPSHOT_MISSING')
    expect(error.message).toContain(lockFile)
  })

  it('reports merge conflict markers', async () => {
    const printed = printLock(lock)
    const { failure } = await snapshot({
      lock: printed.replace('  "modules"', '<<<<<<< HEAD\n  "modules"').concat('>>>>>>> main\n'),
    })
    const error = await failure()
    expect(error.code).toBe('SNAPSHOT_INVALID')
    expect(error.message).toContain('It may contain merge conflict markers')
  })

  it('ignores files that are not in the lock file', async () => {
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
    ['files that are not strings', JSON.stringify({ ...lock, files: { 'a/b.json': 1 } })],
    ['a path out of the folder', JSON.stringify({ ...lock, files: { '../../etc/passwd': 'x' } })],
    ['a path above', JSON.stringify({ ...lock, files: { '../x.json': 'x' } })],
    ['a path from the root', JSON.stringify({ ...lock, files: { '/etc/x.json': 'x' } })],
    ['a path of Windows', JSON.stringify({ ...lock, files: { '..\\x/y.json': 'x' } })],
  ])('rejects a lock file that is %s', async (_, text) => {
    const { failure, lockFile } = await snapshot({ lock: text })
    const error = await failure()
    expect(error.code).toBe('SNAPSHOT_INVALID')
    expect(error.message).toContain(lockFile)
  })

  it('reports why a lock file cannot be read', async () => {
    const { lockFile, failure } = await snapshot()
    await rm(lockFile)
    await mkdir(lockFile)
    const error = await failure()
    expect(error.code).toBe('READ_FAILED')
    expect(error.message).toContain(`Cannot read ${lockFile}`)
  })
})

describe('printLock', () => {
  it('does not depend on the order of its input, and is parsed back', async () => {
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

it.skipIf(process.platform === 'win32')('a file that is a named pipe is an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-snapshot-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  execFileSync('mkfifo', [join(folder, 'de.json')])
  expect(() => readSnapshotText(folder, 'de.json')).toThrow(
    expect.objectContaining({
      code: 'READ_FAILED',
      message: expect.stringContaining('is a named pipe or a device') as string,
    }) as Error,
  )
})
