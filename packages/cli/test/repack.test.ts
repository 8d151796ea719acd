import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  createManifest,
  emitPackFiles,
  folderSource,
  type LivePointer,
  openProject,
  printManifest,
} from '@servicekit/catalog'
import { type StartedPlatform, startPlatform } from '@servicekit/platform/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { run } from './run.ts'

const storefront = join(import.meta.dirname, '../../../fixtures/projects/storefront')
let platform: StartedPlatform
let root: string

beforeAll(async () => {
  platform = await startPlatform({ projectDir: storefront, port: 0 })
})
afterAll(() => platform?.close())

const at = (...parts: string[]): string => join(root, ...parts)

beforeEach(async () => {
  vi.stubEnv('CI', '')
  vi.stubEnv('SERVICEKIT_URL', platform.baseUrl)
  vi.stubEnv('SERVICEKIT_PROJECT_KEY', platform.projectKeys[0]!)
  root = await mkdtemp(join(tmpdir(), 'servicekit-cli-'))
  await writeBuild()
  return () => rm(root, { recursive: true, force: true })
})

/** Writes the manifest of a build of some older translations. */
async function writeBuild(): Promise<void> {
  const older = {
    'en-US': { CART_EMPTY: 'Old', CART_ITEMS_one: 'Old one', CART_ITEMS_other: 'Old {{count}}' },
    'de-DE': { CART_EMPTY: 'Alt', CART_GONE: 'Alt' },
  }
  for (const [language, texts] of Object.entries(older)) await writeTexts('old', language, texts)
  const project = openProject(
    { root: at('build') },
    { environment: {}, source: folderSource(at('old')) },
  )
  await project.pull()
  const model = await project.load()
  const [{ messages }] = model.modules as [(typeof model.modules)[0]]
  const keys = messages.map(({ key }) => ['cart', key] as const)
  const manifest = createManifest(model, [{ keys, ...emitPackFiles(model, messages) }], (_, key) =>
    messages.find((message) => message.key === key)!,
  )
  await mkdir(at('dist'))
  await writeFile(at('dist/uilm-manifest.json'), printManifest(manifest))
}

async function writeTexts(folder: string, language: string, texts: object): Promise<void> {
  const file = at(folder, language, 'cart.json')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(texts))
}

const repack = (...args: string[]) =>
  run([
    'repack',
    '--root',
    root,
    '--manifest',
    at('dist/uilm-manifest.json'),
    '--out',
    at('live'),
    ...args,
  ])
const pointer = async () =>
  JSON.parse(await readFile(at('live/uilm-current.json'), 'utf8')) as LivePointer

describe('servicekit repack', () => {
  it('compiles the current translations of the service for a build, in all its languages', async () => {
    const { code, stdout, stderr } = await repack()
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^6 languages: packs of 1 of 1 chunk differ from the build\n6 files, .* 6 written; uilm-current\.json written, .*\n$/,
      ),
    ])
    expect(stderr).toBe('cart CART_GONE: no longer exists; the built translations remain\n')
    const { packs, languages, rtl } = await pointer()
    expect(Object.keys(languages)).toEqual(['en-US', 'ar-EG', 'bn-BD', 'de-DE', 'fr-FR', 'ja-JP'])
    expect(rtl).toEqual(['ar-EG'])
    const [hash] = Object.values(packs)
    expect((await readdir(at('live'))).sort()).toEqual(
      [
        'uilm-current.json',
        ...Object.keys(languages).map((language) => `uilm-${hash}.${language}.js`),
      ].sort(),
    )
    const german = await readFile(at(`live/uilm-${hash}.de-DE.js`), 'utf8')
    expect(german).toContain('"Ihr Warenkorb ist leer."')
    expect(german).toContain('"Alt"')
    // The committed translations belong to the application, and are not touched.
    expect(await readdir(root)).not.toContain('uilm')
  })

  it('writes nothing the second time', async () => {
    await repack()
    const before = await stat(at('live/uilm-current.json'))
    const { stdout } = await repack('--json')
    expect(JSON.parse(stdout)).toMatchObject({
      languages: 6,
      chunks: 1,
      changedChunks: 1,
      files: 6,
      written: 0,
      pointer: false,
      problems: [{ code: 'KEY_REMOVED', module: 'cart', key: 'CART_GONE' }],
    })
    expect((await stat(at('live/uilm-current.json'))).ino).toBe(before.ino)
  })

  it('reads a folder, reports refused translations, and keeps the packs of before', async () => {
    await writeTexts('new', 'en-US', { CART_EMPTY: 'Empty', CART_ITEMS: '{{count}} of {{max}}' })
    await repack('--from', at('new'))
    const first = await readdir(at('live'))
    await writeTexts('new', 'en-US', { CART_EMPTY: 'Nothing', CART_ITEMS: '{{count}} of {{max}}' })
    const { stderr } = await repack('--from', at('new'))
    expect(stderr).toContain(
      'cart CART_ITEMS (en-US): the build passes no parameter max; the built translation remains\n',
    )
    const [hash] = Object.values((await pointer()).packs)
    expect(await readFile(at(`live/uilm-${hash}.en-US.js`), 'utf8')).toMatch(
      /^export default \["Nothing","CART_GONE",.*"Old one"/,
    )
    expect(await readdir(at('live'))).toEqual(expect.arrayContaining(first))
  })

  it('compiles the committed translations with --frozen, without network', async () => {
    expect((await run(['pull', '--root', root])).code).toBe(0)
    vi.stubEnv('SERVICEKIT_URL', 'http://127.0.0.1:1')
    expect(await repack('--frozen')).toMatchObject({ code: 0 })
    expect(await repack()).toMatchObject({ code: 4 })
  })

  it('compiles some languages', async () => {
    expect(await repack('--languages', 'en-US,fr-FR')).toMatchObject({ code: 0 })
    expect(Object.keys((await pointer()).languages)).toEqual(['en-US', 'fr-FR'])
  })

  it.each([
    [['--out', 'live'], '--manifest is required'],
    [['--manifest', 'dist/uilm-manifest.json'], 'Cannot read dist/uilm-manifest.json'],
    [['--manifest', '/dev/null', '--out', 'live'], 'Cannot read /dev/null'],
    [['--manifest', 'package.json', '--out', 'live'], 'package.json is not a build manifest'],
  ])('fails for %j', async (args, message) => {
    const { code, stderr } = await run(['repack', ...args])
    expect([code, stderr.split('\n')[0]]).toEqual([2, message])
  })

  it('fails without --out, and for flags that cannot be used together', async () => {
    const manifest = ['--manifest', at('dist/uilm-manifest.json')]
    expect(await run(['repack', ...manifest])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--out is required\n/),
    })
    expect(await repack('--frozen', '--from', at('old'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Cannot use --frozen together with --from\n/),
    })
  })
})

describe('a lock file or manifest from somebody else', () => {
  const hostile = '/../../../victim'
  const repackFrozen = () =>
    run(
      `repack --manifest ${at('dist/uilm-manifest.json')} --out ${at('a/b/out')} --root ${at('build')} --frozen`.split(
        ' ',
      ),
    )
  const edit = async (file: string, change: (value: Record<string, object>) => void) => {
    const value = JSON.parse(await readFile(at(file), 'utf8')) as Record<string, object>
    change(value)
    await writeFile(at(file), JSON.stringify(value))
  }

  it.each([
    [
      'a language in the lock file',
      () =>
        edit('build/uilm.lock.json', ({ languages }) =>
          Object.assign(languages!, { [hostile]: '' }),
        ),
    ],
    [
      'a pseudo-locale in the manifest',
      () =>
        edit('dist/uilm-manifest.json', ({ options }) =>
          Object.assign(options!, { pseudo: { ltr: hostile } }),
        ),
    ],
  ])('writes nothing outside of --out: %s', async (_, change) => {
    await change()
    await mkdir(at('a/b'), { recursive: true })
    const victims = ['victim.js', 'a/victim.js', 'a/b/victim.js'].map((one) => at(one))
    for (const victim of victims) await writeFile(victim, 'precious')
    const { code, stderr } = await repackFrozen()
    expect(stderr).toContain(hostile)
    expect(code).toBeGreaterThan(0)
    for (const victim of victims) expect(await readFile(victim, 'utf8')).toBe('precious')
  })
})
