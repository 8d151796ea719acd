import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPlatform, type Platform, readProject } from '../src/index.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { isDeep } from '@servicekit/testing/is-deep'
import { get, project, storefront } from '@servicekit/testing/projects'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-project-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Writes files of a project; values are serialized as JSON, strings are written unchanged. */
async function write(files: Record<string, unknown>): Promise<void> {
  for (const [name, value] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value))
  }
}
const language = (languageCode: string, isDefault = false) => ({
  itemId: languageCode,
  languageName: languageCode,
  languageCode,
  isDefault,
})
const base = {
  'project.json': { name: 'P', projectKey: 'P' },
  'languages.json': [language('en'), language('de', true)],
  'modules.json': [{ itemId: '1', moduleName: 'm' }],
  'schemas.json': [
    {
      schemaName: 'Note',
      fields: [
        { name: 'When', type: 'DateTime' },
        { name: 'Count', type: 'Long' },
        { name: 'In', type: 'Inner', fields: [{ name: 'Counts', type: 'Long', isArray: true }] },
      ],
    },
    { schemaName: 'Other' },
  ],
  'uilm/en/m.json': '\uFEFF{"A": "a", "B": null}',
  'records/Note.json': [{ ItemId: '1', When: '2025-01-01' }],
}

describe('reading a folder', () => {
  it('reads the sample project', async () => {
    const source = await readProject(storefront)
    expect(source.languages.map(({ languageCode }) => languageCode)).toHaveLength(7)
    expect(source.files).toHaveLength(7 * 8)
    expect([...source.records].map(([name, rows]) => [name, rows.length])).toEqual([
      ['Category', 12],
      ['Customer', 80],
      ['Order', 150],
      ['Product', 120],
    ])
    expect(source.dialect).toMatchObject({
      languageList: 'array',
      languageCode: 'languageCode',
      unknownFile: 'reject',
      queryNaming: 'asGiven',
    })
    expect(source.identity?.users?.map(({ userName }) => userName)).toEqual(['ines', 'tom', 'yuki'])
  })

  it('falls back to the default language, and treats a missing file as empty', async () => {
    await write(base)
    const source = await readProject(folder)
    expect([source.fallback, source.organizationId]).toEqual(['de', ''])
    expect(source.files.map((file) => [file.language, [...file.texts]])).toEqual([
      [
        'en',
        [
          ['A', 'a'],
          ['B', null],
        ],
      ],
      ['de', []],
    ])
  })

  it('requires only project.json', async () => {
    await write({
      'project.json': {
        name: 'P',
        projectKey: 'P',
        fallback: 'en',
        dialect: { unknownFile: 'empty' },
      },
    })
    const source = await readProject(folder)
    expect([source.fallback, source.dialect.unknownFile, source.files]).toEqual(['en', 'empty', []])
  })

  it.each([
    ['project.json', undefined, 'project.json', undefined],
    ['project.json', '{"name": ', 'project.json', undefined],
    ['project.json', { name: 'P' }, 'project.json', 'projectKey'],
    ['project.json', { name: 'P', projectKey: 'x'.repeat(65) }, 'project.json', 'projectKey'],
    ['project.json', { name: 'P', projectKey: 'P\nX' }, 'project.json', 'projectKey'],
    ['project.json', { name: 'P', projectKey: '\u00e4' }, 'project.json', 'projectKey'],
    [
      'schemas.json',
      '[{"schemaName": "Note", "max": 9007199254740993, "fields": []}]',
      'schemas.json',
      '0.max',
    ],
    [
      'schemas.json',
      '[{"schemaName": "Note", "fields": [{"name": "A", "max": [9007199254740993]}]}]',
      'schemas.json',
      '0.fields.0.max.0',
    ],
    ['drafts.json', [null], 'drafts.json', '0'],
    ['drafts.json', [{ module: 'm', key: 'A', language: 'en', value: 1 }], 'drafts.json', '0'],
    [
      'drafts.json',
      '[{"module": "m", "key": "A", "language": "en", "value": 9007199254740993}]',
      'drafts.json',
      '0',
    ],
    [
      'project.json',
      { name: 'P', projectKey: 'P', dialect: { languageList: 'list' } },
      'project.json',
      'dialect.languageList',
    ],
    ['languages.json', {}, 'languages.json', undefined],
    ['languages.json', [language('en'), { languageCode: 'de' }], 'languages.json', '1.itemId'],
    ['languages.json', [language('en'), language('en')], 'languages.json', '1.languageCode'],
    ['modules.json', [{ itemId: '1', moduleName: 'a\u0000' }], 'modules.json', '0'],
    ['schemas.json', [{ schemaName: 1 }], 'schemas.json', '0.schemaName'],
    ['uilm/en/m.json', { A: 1 }, 'uilm/en/m.json', 'A'],
    ['uilm/en/m.json', { A: { B: 'nested' } }, 'uilm/en/m.json', 'A'],
    ['uilm/en/m.json', [], 'uilm/en/m.json', undefined],
    ['uilm/en/m.json', { 'A\u0000': '' }, 'uilm/en/m.json', 'A\u0000'],
    ['uilm/en/m.json', { '': 'x' }, 'uilm/en/m.json', undefined],
    ['uilm/en/unknown.json', {}, 'uilm/en/unknown.json', undefined],
    ['uilm/fr/m.json', {}, 'uilm/fr/m.json', undefined],
    ['records/Unknown.json', [], 'records/Unknown.json', undefined],
    ['records/Note.json', {}, 'records/Note.json', undefined],
    ['records/Note.json', [1], 'records/Note.json', '0'],
    ['records/Note.json', [{ ItemId: '1', x: '\u0000' }], 'records/Note.json', '0'],
  ])('names the file and the member if %s is %j', async (name, value, file, member) => {
    await write(base)
    if (value === undefined) await rm(join(folder, name))
    else await write({ [name]: value })
    const error = await readProject(folder).then(
      () => undefined,
      (reason: unknown) => reason as { code: string; details: Record<string, string> },
    )
    expect(error?.code).toBe('PROJECT_INVALID')
    expect(error?.details['file']).toMatch(new RegExp(`${file}$`))
    expect(error?.details['member']).toBe(member)
  })
})

/** Languages of the large project. */
const languageCount = isDeep ? 100 : 2

onEachEngine((engine) => {
  it.each([
    ['no id', [{ When: '2025-01-01' }], '0.ItemId'],
    ['the id of another', [{ ItemId: '1' }, { ItemId: '1' }], '1.ItemId'],
    ['an integer beyond 64 bits', [{ ItemId: '1', Count: 2 ** 63 }], '0.Count'],
    [
      'a nested integer beyond 64 bits',
      [{ ItemId: '1', In: { Counts: [1, -(2 ** 64)] } }],
      '0.In.Counts[1]',
    ],
    ['an impossible date', [{ ItemId: '1', CreatedDate: 'today' }], '0.CreatedDate'],
    ['a date in year 0', [{ ItemId: '1', CreatedDate: '0000-12-31T00:00:00Z' }], '0.CreatedDate'],
    ['tags that are not a list', [{ ItemId: '1', Tags: 'a' }], '0.Tags'],
  ])('loads nothing if a record has %s', async (_, rows, member) => {
    const platform = await engine.open()
    await write({ ...base, 'records/Note.json': rows })
    await expect(platform.loadProject(folder)).rejects.toMatchObject({
      code: 'PROJECT_INVALID',
      details: { file: 'records/Note.json', member },
    })
    expect(await platform.projectKeys()).toEqual(['servicekit-shared'])
    await platform.close()
  })

  it('stores records unchanged', async () => {
    const platform = await engine.open()
    const row = {
      ItemId: `a"b'c\\`,
      CreatedDate: '2025-01-01T00:00:00+01:00',
      Tags: ['x', 'a,b', '{"q"}', 'back\\slash', '', 'NULL'],
      Language: null,
      When: '2025-06-01T00:00:00Z',
    }
    const twin = JSON.parse(`{"ItemId": "2", "__proto__": {"x": 1}}`) as object
    const fields = [{ name: 'When', type: 'DateTime' }]
    await platform.loadProject(
      project(
        'P',
        {},
        {
          schemas: [{ schemaName: 'Note', querySchema: 'Notes', fields }],
          records: { Note: [row, twin as Record<string, unknown>] },
        },
      ),
    )
    const response = await platform.fetch(
      new Request('http://platform.local/data/v4/gateway', {
        method: 'POST',
        headers: { 'x-service-key': 'P' },
        body: JSON.stringify({
          query: '{ Notes { items { ItemId CreatedDate LastUpdatedDate Tags Language When } } }',
        }),
      }),
    )
    const { data } = (await response.json()) as { data: { Notes: { items: object[] } } }
    expect(data.Notes.items[0]).toEqual({
      ...row,
      CreatedDate: '2024-12-31T23:00:00.000Z',
      LastUpdatedDate: '2024-12-31T23:00:00.000Z',
      When: '2025-06-01T00:00:00.000Z',
    })
    expect(data.Notes.items[1]).toMatchObject({ ItemId: '2', Tags: [] })
    await platform.close()
  })

  it(
    `loads ${languageCount * 3000} translations, and again without a write`,
    { timeout: 240_000 },
    async () => {
      const platform = await engine.open()
      const keys = Array.from({ length: 600 }, (_, index) => `KEY_${index}`)
      const module = (code: string, name: string) =>
        Object.fromEntries(keys.map((key) => [key, `${key} of ${name} in ${code}: some words`]))
      const codes = Array.from({ length: languageCount }, (_, index) => `l${index}`)
      const texts = Object.fromEntries(
        codes.map((code) => [
          code,
          Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, module(code, name)])),
        ]),
      )
      const source = project('LARGE', texts)
      expect((await platform.loadProject(source)).changedModules).toHaveLength(5)
      const query = { Language: codes.at(-1)!, ModuleName: 'e', ProjectKey: 'LARGE' }
      const read = () => get(platform, '/uilm/v1/Key/GetUilmFile', query, { key: 'LARGE' })
      expect(Object.keys((await (await read()).json()) as object)).toHaveLength(600)
      expect((await platform.loadProject(source)).changedModules).toEqual([])
      await platform.close()
    },
  )
})

describe('watching', () => {
  const errors: Error[] = []
  let platform: Platform | undefined
  afterAll(() => platform?.close())

  it('applies only the files that changed in the folder', async () => {
    await cp(storefront, folder, { recursive: true })
    platform = await createPlatform({
      projects: [folder],
      watch: true,
      onError: (error) => errors.push(error),
    })
    const key = (await platform.projectKeys()).find((one) => one.startsWith('P'))
    const stream = await get(platform, `/_platform/projects/${key}/events`)
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    await reader.read()

    const path = join(folder, 'uilm/de-DE/auth.json')
    const texts = JSON.parse(await readFile(path, 'utf8')) as Record<string, string>
    const query = { Language: 'de-DE', ModuleName: 'auth', ProjectKey: key! }
    const signIn = async () => {
      const response = await get(platform!, '/uilm/v1/Key/GetUilmFile', query, { key: key! })
      return ((await response.json()) as Record<string, string>)['SIGN_IN']
    }
    await writeFile(path, JSON.stringify({ ...texts, SIGN_IN: 'Hereinspaziert' }))
    expect((await reader.read()).value).toMatch(/"ModuleId":"[0-9a-f-]+"/)
    expect(await signIn()).toBe('Hereinspaziert')

    await writeFile(path, '{"half written')
    await expect.poll(() => errors.map(({ message }) => message).join()).toMatch(/auth\.json/)
    expect(await signIn()).toBe('Hereinspaziert')
    await writeFile(path, JSON.stringify(texts))
    expect((await reader.read()).value).toContain('GenerateUilmFilesEvent')
    expect(await signIn()).toBe(texts['SIGN_IN'])
    await reader.cancel()
  })
})
