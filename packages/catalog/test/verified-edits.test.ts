import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  addKeys,
  folderSource,
  type KeyDraft,
  type KeyWriter,
  openProject,
  openWriter,
  type Project,
  renameLocally,
} from '../src/index.ts'
import { bytesIn, filesIn, temporaryFolder } from '@servicekit/testing/folder'

const added: KeyDraft = { module: 'cart', key: 'NEW', text: 'New' }
const renamed = [{ module: 'cart', from: 'PAY', to: 'BUY' }]
const call = { language: 'en', signal: new AbortController().signal }

let root: string
let project: Project

const at = (path: string): string => join(root, path)
const write = async (path: string, content: string | Buffer): Promise<void> => {
  await mkdir(dirname(at(path)), { recursive: true })
  await writeFile(at(path), content)
}

beforeEach(async () => {
  root = await temporaryFolder()
  await write('locales/en/cart.json', '{\n  "PAY": "Pay"\n}\n')
  await write('locales/de/cart.json', '{\n  "PAY": "Zahlen"\n}\n')
  const writeTo = { folder: at('locales') }
  const source = folderSource(at('locales'))
  project = openProject({ root, writeTo }, { environment: {}, source })
  await project.pull({ types: true })
})

/** What a command does to the files of the project. */
const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  add: () => addKeys(project, [added]),
  'add of a new module': () =>
    addKeys(project, [{ ...added, module: 'shop/cart' }], { newModules: true }),
  'rename of the snapshot': () => renameLocally(project, renamed),
}
const onTarget: typeof commands = {
  'add to the folder': () => addKeys(project, [added]),
  'create of the writer': () => openWriter(project.options).create([added], call),
  'rename of the writer': () => openWriter(project.options).rename!(renamed, call),
  'remove of the writer': () =>
    openWriter(project.options).remove!([{ module: 'cart', key: 'PAY' }], call),
}
const own = async () => {
  const { 'uilm.lock.json': lock, ...files } = await bytesIn(root)
  return { lock, files }
}

const damages: readonly (readonly [string, (text: string) => string | Buffer])[] = [
  ['has conflict markers', (text) => `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> other\n`],
  ['is cut off', (text) => text.slice(0, -4)],
  ['is a list', () => '["Pay"]\n'],
  ['is not UTF-8', (text) => Buffer.from(text.replace('Pay', 'Zürich'), 'latin1')],
  ['is UTF-16 with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['is UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le')],
  ['is big-endian UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['is big-endian UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le').swap16()],
]
/** Requires an error about UTF-16 to name the encoding and how to correct the file. */
const expectEncoding = (damage: string, error: unknown): void => {
  if (!damage.includes('UTF-16')) return
  const encoding = damage.includes('big-endian') ? 'UTF-16BE' : 'UTF-16LE'
  expect(String(error)).toContain(`it is encoded as ${encoding}; save it as UTF-8`)
}

describe('a snapshot that somebody edited', () => {
  const edits: typeof damages = [
    ['by hand', (text) => text.replace('Pay', 'Pay now')],
    ['by adding a key', (text) => text.replace('{', '{\n  "MORE": "x",')],
    ['to nothing', () => ''],
    ...damages,
  ]

  it.each(edits)('%s is refused by every command, which writes nothing', async (edit, change) => {
    await write('uilm/en/cart.json', change(await readFile(at('uilm/en/cart.json'), 'utf8')))
    const before = await own()
    for (const [name, run] of Object.entries(commands)) {
      const error: unknown = await run().catch((cause: unknown) => cause)
      expect([name, error]).toMatchObject([
        name,
        { code: expect.stringMatching(/^SNAPSHOT_(?:DRIFT|INVALID)$/) },
      ])
      expectEncoding(edit, error)
      expect(await own()).toEqual(before)
    }
    await expect(project.load()).rejects.toMatchObject({ code: expect.any(String) })
  })

  it.each(
    ['uilm.lock.json', 'uilm.keys.json'].flatMap((file) =>
      damages.map((one) => [file, ...one] as const),
    ),
  )(
    'has a file %s that %s, and every command names it and writes nothing',
    async (file, name, damage) => {
      const text =
        (await readFile(at(file), 'utf8').catch(() => undefined)) ??
        '{\n  "cart": {"PAY": {"context": "Pay"}}\n}\n'
      await write(file, damage(text.replace('English', 'Pay')))
      const before = await bytesIn(root)
      for (const [command, run] of Object.entries(commands)) {
        const error: unknown = await run().catch((cause: unknown) => cause)
        expect([command, error]).toMatchObject([
          command,
          { code: expect.stringMatching(/^(?:SNAPSHOT_INVALID|READ_FAILED)$/) },
        ])
        expect(String(error)).toContain(file)
        expectEncoding(name, error)
        expect(await bytesIn(root)).toEqual(before)
      }
    },
  )

  it('with a byte order mark is read', async () => {
    for (const file of ['uilm.lock.json']) {
      await write(file, `\ufeff${await readFile(at(file), 'utf8')}`)
    }
    await write('uilm.keys.json', '\ufeff{"cart": {"PAY": {"maxLength": 9}}}')
    await addKeys(project, [added])
    expect((await project.load()).catalog.details?.get('cart')?.get('PAY')).toEqual({
      maxLength: 9,
    })
  })

  it('is not looked at after the target was written', async () => {
    const steps: string[] = []
    const writer: KeyWriter = {
      name: 'the test',
      list: async () => [],
      create: async () => steps.push('create') > 0,
    }
    await write('uilm/de/cart.json', '{}')
    await expect(addKeys(project, [added], { writer })).rejects.toMatchObject({
      code: 'SNAPSHOT_DRIFT',
    })
    expect(steps).toEqual([])
  })
})

/** Damages that no file of the service can have. */
const merged: typeof damages = [
  ['has two texts of a key', (text) => text.replace('{', '{\n  "PAY": "Pay now",')],
  ['has two texts of a nested key', () => '{"PAY": "Pay", "a": {"b": "1", "b": "2"}}\n'],
]

describe('a file of the target', () => {
  it.each([...damages, ...merged])(
    'that %s is named, and every command writes nothing',
    async (name, damage) => {
      await write('locales/en/cart.json', damage('{\n  "PAY": "Pay"\n}\n'))
      const before = await bytesIn(root)
      for (const [command, run] of Object.entries(onTarget)) {
        const error: unknown = await run().catch((cause: unknown) => cause)
        expect([command, error]).toMatchObject([command, { code: expect.any(String) }])
        expect(String(error)).toContain(join('en', 'cart.json'))
        expectEncoding(name, error)
        expect(await bytesIn(root)).toEqual(before)
      }
    },
  )

  it('keeps its byte order mark and line endings', async () => {
    await write('locales/en/cart.json', '\ufeff{\r\n  "PAY": "Päy"\r\n}\r\n')
    await project.pull({ types: true })
    await addKeys(project, [added])
    expect(await readFile(at('locales/en/cart.json'), 'utf8')).toBe(
      '\ufeff{\r\n  "PAY": "Päy",\r\n  "NEW": "New"\r\n}\r\n',
    )
  })
})

describe('an edit that was killed', () => {
  it.each([
    ['before the lock file', ['uilm.lock.json']],
    ['before a file of the snapshot', ['uilm.lock.json', 'uilm/en/cart.json']],
  ])('%s was written is completed by the next one', async (_, unwritten) => {
    const before = await bytesIn(root)
    await addKeys(project, [added])
    const lock = await readFile(at('uilm.lock.json'), 'utf8')
    const after = await bytesIn(at('uilm'))
    for (const file of unwritten) await write(file, Buffer.from(before[file]!, 'latin1'))
    await write('.servicekit/cache/next.lock.json', lock)
    expect(await addKeys(project, [added])).toMatchObject({ added: [], existing: [added] })
    expect(await readFile(at('uilm.lock.json'), 'utf8')).toBe(lock)
    expect(await bytesIn(at('uilm'))).toEqual(after)
    expect(await filesIn(at('.servicekit/cache'))).not.toContain('next.lock.json')
  })

  it('does not make a later edit by hand valid', async () => {
    await addKeys(project, [added])
    await write('.servicekit/cache/next.lock.json', await readFile(at('uilm.lock.json'), 'utf8'))
    await write('uilm/en/cart.json', '{\n  "PAY": "by hand"\n}\n')
    await expect(addKeys(project, [added])).rejects.toMatchObject({ code: 'SNAPSHOT_DRIFT' })
    await rm(at('.servicekit/cache/next.lock.json'))
    await expect(addKeys(project, [added])).rejects.toMatchObject({ code: 'SNAPSHOT_DRIFT' })
  })
})
