import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CatalogOptions } from '../src/index.ts'
import {
  bytesIn,
  changedLines,
  filesIn,
  stampsIn,
  temporaryFolder,
} from '@servicekit/testing/folder'
import { type Fake, fakeService, projectOver } from '@servicekit/testing/translation-service'

const files = () => ({
  'en-US/auth': { SIGN_IN: 'Sign in', WELCOME: 'Hello {{name}}', TERMS: null },
  'en-US/cart': { EMPTY: ' Nothing here\n', TOTAL: '' },
  'de-DE/auth': { SIGN_IN: 'Anmelden', WELCOME: 'Hallo {{name}}', TERMS: '[ KEY MISSING ]' },
  'de-DE/cart': { EMPTY: ' Nichts da\n', TOTAL: 'Summe' },
})

/** Creates a project that was pulled once. */
async function pulled(
  options: CatalogOptions = {},
  change: (fake: Fake) => void = () => undefined,
) {
  const root = await temporaryFolder()
  const fake = fakeService(files())
  change(fake)
  const open = (more: CatalogOptions = {}) => projectOver(fake.fetch, { root, ...options, ...more })
  const first = await open().pull()
  fake.requests.length = 0
  const committed = async () => {
    const all = Object.entries(await bytesIn(root))
    return Object.fromEntries(all.filter(([file]) => !file.startsWith('.servicekit/')))
  }
  return { root, ...fake, open, first, committed }
}

describe('the first pull', () => {
  it('writes every translation and a lock file', async () => {
    const { root, first, open } = await pulled()
    expect(first).toMatchObject({
      languages: 2,
      modules: 2,
      files: 4,
      unchanged: 0,
      written: 5,
      reshaped: true,
      problems: [],
    })
    expect(first.changed.map(({ language, module }) => `${language}/${module}`)).toEqual([
      'en-US/auth',
      'en-US/cart',
      'de-DE/auth',
      'de-DE/cart',
    ])
    expect(await filesIn(root)).toEqual([
      '.servicekit/cache/etags.json',
      'uilm.lock.json',
      'uilm/de-DE/auth.json',
      'uilm/de-DE/cart.json',
      'uilm/en-US/auth.json',
      'uilm/en-US/cart.json',
    ])
    expect(await readFile(join(root, 'uilm/de-DE/auth.json'), 'utf8')).toBe(
      '{\n  "SIGN_IN": "Anmelden",\n  "TERMS": null,\n  "WELCOME": "Hallo {{name}}"\n}\n',
    )
    const { catalog } = await open().load()
    expect(catalog.languages.map(({ code }) => code)).toEqual(['en-US', 'de-DE'])
    expect(catalog.modules[1]!.translations.get('en-US')!.get('EMPTY')).toBe(' Nothing here\n')
  })

  it('reports its progress', async () => {
    const progress: string[] = []
    await projectOver(fakeService(files()).fetch, { root: await temporaryFolder() }).pull({
      onProgress: ({ done, total }) => progress.push(`${done}/${total}`),
    })
    expect(progress).toEqual(['0/4', '1/4', '2/4', '3/4', '4/4'])
  })

  it('pulls only the selected languages and modules', async () => {
    const { first, root, requests, open } = await pulled({
      languages: ['de-DE'],
      modules: ['cart'],
    })
    expect(first).toMatchObject({ languages: 1, modules: 1, files: 1 })
    expect(await filesIn(join(root, 'uilm'))).toEqual(['de-DE/cart.json'])
    await open().pull()
    expect(requests.map(({ url }) => url.pathname)).not.toContain('/localization/v4/Module/Gets')
  })

  it('ignores the language `key`', async () => {
    const { root } = await pulled({}, ({ served }) => {
      served.languages = [{ code: 'key', isDefault: true }, { code: 'en-US' }, { culture: 'de-DE' }]
    })
    expect(JSON.parse(await readFile(join(root, 'uilm.lock.json'), 'utf8'))).toMatchObject({
      defaultLanguage: 'en-US',
      languages: { 'de-DE': 'de-DE', 'en-US': 'en-US' },
    })
  })

  it('reports empty modules and continues', async () => {
    const { first, open } = await pulled({}, ({ served }) => served.files.delete('de-DE/cart'))
    expect(first.problems).toEqual([
      {
        severity: 'warning',
        code: 'EMPTY_FILE',
        language: 'de-DE',
        module: 'cart',
        message:
          'project P1 at http://platform.test returned an empty body, which counts as a module without keys',
      },
    ])
    const { catalog } = await open().load()
    expect([...catalog.modules[1]!.translations.keys()]).toEqual(['en-US'])
  })

  it('reports language, module and key of unusual values', async () => {
    const { first, open } = await pulled({}, ({ served }) => {
      served.files.set(
        'de-DE/auth',
        '{"N": 7, "__proto__": "p", "L": ["a"], "O": {"x": "y"}, "": "z", "B": true}',
      )
      served.files.set('en-US/auth', '{"9": "nine", "10": "ten", "a-b": " "}')
    })
    expect(
      first.problems.map(({ language, module, key, code }) =>
        [language, module, key, code].join(' '),
      ),
    ).toMatchInlineSnapshot(`
      [
        "de-DE auth N INVALID_TRANSLATION",
        "de-DE auth L INVALID_TRANSLATION",
        "de-DE auth  INVALID_KEY",
        "de-DE auth B INVALID_TRANSLATION",
        "de-DE auth O NESTED_TRANSLATION",
      ]
    `)
    const { catalog } = await open().load()
    const german = catalog.modules[0]!.translations.get('de-DE')!
    expect([...german]).toEqual([
      ['B', 'true'],
      ['L', null],
      ['N', '7'],
      ['O.x', 'y'],
      ['__proto__', 'p'],
    ])
    expect([...catalog.modules[0]!.translations.get('en-US')!.keys()]).toEqual(['10', '9', 'a-b'])
  })

  it('writes modules with any name to distinct files inside its folder', async () => {
    const names = [
      '../../x',
      'a/b',
      'a\\b',
      '.',
      '..',
      'con',
      'größe',
      ' ',
      '%2e',
      'খবর'.repeat(40),
      'auth',
    ]
    const root = await temporaryFolder()
    const fake = fakeService(Object.fromEntries(names.map((name) => [`en-US/x`, name])))
    fake.served.modules = names.map((moduleName) => ({ moduleName }))
    for (const name of names) fake.served.files.set(`en-US/${name}`, { NAME: name })
    const project = projectOver(fake.fetch, { root })
    expect((await project.pull()).files).toBe(names.length)
    expect((await filesIn(root)).every((file) => /^(?:uilm|\.servicekit)/.test(file))).toBe(true)
    const { catalog } = await project.load()
    expect(
      Object.fromEntries(
        catalog.modules.map(({ name, translations }) => [
          name,
          translations.get('en-US')!.get('NAME'),
        ]),
      ),
    ).toEqual(Object.fromEntries(names.map((name) => [name, name])))
  })
})

describe('the next pull', () => {
  it.each([true, false])('writes nothing if nothing changed (ETags: %s)', async (sendsEtags) => {
    const { root, open, requests } = await pulled({}, ({ served }) => {
      served.sendsEtags = sendsEtags
    })
    const before = await stampsIn(root)
    const report = await open().pull()
    expect(report).toMatchObject({
      files: 4,
      unchanged: sendsEtags ? 4 : 0,
      written: 0,
      changed: [],
      reshaped: false,
    })
    expect(await stampsIn(root)).toEqual(before)
    const conditional = requests.filter(({ condition }) => condition !== null)
    expect(conditional).toHaveLength(sendsEtags ? 4 : 0)
  })

  it.each([true, false])(
    'changes two lines for one changed translation (ETags: %s)',
    async (sendsEtags) => {
      const { served, open, committed } = await pulled({}, (fake) => {
        fake.served.sendsEtags = sendsEtags
      })
      const before = await committed()
      served.files.set('de-DE/auth', { ...files()['de-DE/auth'], SIGN_IN: 'Einloggen' })
      const report = await open().pull()
      expect(report).toMatchObject({ written: 2, reshaped: false })
      expect(report.changed).toEqual([
        {
          language: 'de-DE',
          module: 'auth',
          translations: new Map([
            ['SIGN_IN', 'Einloggen'],
            ['TERMS', null],
            ['WELCOME', 'Hallo {{name}}'],
          ]),
        },
      ])
      const lines = changedLines(before, await committed())
      expect(lines).toHaveLength(2)
      expect(lines).toContain('  "SIGN_IN": "Einloggen",')
    },
  )

  it('requests only the files of the module that changed', async () => {
    const { root, open, served, requests, committed } = await pulled({}, (fake) => {
      fake.served.modules = [
        { itemId: 'm1', moduleName: 'auth' },
        { itemId: 'm2', moduleName: 'cart' },
      ]
    })
    const asked = () =>
      requests
        .splice(0)
        .flatMap(({ url }) => url.searchParams.get('ModuleName') ?? [])
        .sort()
    served.files.set('de-DE/cart', { EMPTY: 'Leer', TOTAL: 'Summe' })
    const report = await open().pull({ moduleId: 'm2' })
    expect(asked()).toEqual(['cart', 'cart'])
    expect(report).toMatchObject({ files: 4, reshaped: false, written: 2 })
    expect(report.changed.map(({ module }) => module)).toEqual(['cart'])

    // Of other modules, only files that do not exist.
    await rm(join(root, 'uilm/de-DE/auth.json'))
    await open().pull({ moduleId: 'm2' })
    expect(asked()).toEqual(['auth', 'cart', 'cart'])
    const before = await committed()

    // With an unknown id, nothing is skipped.
    await open().pull({ moduleId: 'm3' })
    expect(asked()).toHaveLength(4)
    expect(await committed()).toEqual(before)
  })

  it('accepts a 304 only for the file of the ETag', async () => {
    const { root, open, requests, committed } = await pulled({}, ({ served }) => {
      served.sendsEtags = true
    })
    const before = await committed()
    const file = join(root, 'uilm/de-DE/auth.json')
    await writeFile(file, before['uilm/de-DE/auth.json']!.replace('Anmelden', 'Verfälscht'))
    const report = await open().pull()
    expect(report).toMatchObject({ unchanged: 3, written: 1 })
    expect(await committed()).toEqual(before)
    const asked = requests.find(({ url }) => url.search.includes('Language=de-DE&ModuleName=auth'))
    expect(asked!.condition).toBeNull()

    await rm(file)
    expect(await open().pull()).toMatchObject({ unchanged: 3, written: 1 })
    expect(await committed()).toEqual(before)
  })

  it('does not send the ETags of one instance to another', async () => {
    const { open, requests } = await pulled({}, ({ served }) => {
      served.sendsEtags = true
    })
    await open({ baseUrl: 'http://other.test' }).pull()
    expect(requests.filter(({ condition }) => condition !== null)).toHaveLength(0)
  })

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"source":"project P1 at http://platform.test","etags":{"de-DE/auth.json":null}}',
  ])('ignores stored ETags that are invalid: %j', async (saved) => {
    const { root, open } = await pulled({}, ({ served }) => {
      served.sendsEtags = true
    })
    await writeFile(join(root, '.servicekit/cache/etags.json'), saved)
    expect(await open().pull()).toMatchObject({ unchanged: 0, written: 0 })
  })

  it('removes files that no longer exist, and empty folders', async () => {
    const { served, root, open, committed } = await pulled()
    served.languages = [{ code: 'en-US', languageName: 'Language en-US' }]
    served.modules = [{ moduleName: 'auth' }]
    expect(await open().pull()).toMatchObject({ reshaped: true, written: 4, changed: [] })
    expect(Object.keys(await committed())).toEqual(['uilm.lock.json', 'uilm/en-US/auth.json'])
    await expect(readFile(join(root, 'uilm/de-DE'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect((await open().load()).modules.map(({ name }) => name)).toEqual(['auth'])
  })

  it('adds new languages and modules', async () => {
    const { served, open } = await pulled()
    served.modules = [{ moduleName: 'auth' }, { moduleName: 'cart' }, { moduleName: 'help' }]
    served.files.set('en-US/help', { TITLE: 'Help' }).set('de-DE/help', { TITLE: 'Hilfe' })
    const report = await open().pull()
    expect(report).toMatchObject({ reshaped: true, written: 3 })
    expect(report.changed).toHaveLength(2)
  })

  it('accepts a module whose keys were deleted', async () => {
    const { served, open } = await pulled()
    served.files.set('de-DE/cart', {})
    expect(await open().pull()).toMatchObject({ written: 2, problems: [] })
    expect((await open().load()).catalog.modules[1]!.translations.get('de-DE')!.size).toBe(0)
  })

  it.each([true, false])('does not change a checkout with CRLF (ETags: %s)', async (sendsEtags) => {
    const { root, open, served } = await pulled({}, (fake) => {
      fake.served.sendsEtags = sendsEtags
    })
    for (const file of (await filesIn(root)).filter((name) => name.startsWith('uilm'))) {
      const text = await readFile(join(root, file), 'utf8')
      await writeFile(join(root, file), text.replaceAll('\n', '\r\n'))
    }
    const before = await stampsIn(root)
    expect(await open().pull()).toMatchObject({ written: 0, reshaped: false, changed: [] })
    expect(await stampsIn(root)).toEqual(before)
    served.files.set('de-DE/cart', { EMPTY: ' Leer\n', TOTAL: 'Summe' })
    expect(await open().pull()).toMatchObject({ written: 2 })
    expect((await open().load()).catalog.modules[1]!.translations.get('de-DE')!.get('EMPTY')).toBe(
      ' Leer\n',
    )
  })

  it('replaces a lock file with merge conflict markers', async () => {
    const { root, open, committed } = await pulled()
    const before = await committed()
    const lock = before['uilm.lock.json']!
    await writeFile(
      join(root, 'uilm.lock.json'),
      `<<<<<<< HEAD\n${lock}=======\n${lock}>>>>>>> x\n`,
    )
    expect(await open().pull()).toMatchObject({ written: 1, reshaped: true })
    expect(await committed()).toEqual(before)
  })

  it('removes nothing outside its folder', async () => {
    const { root, open } = await pulled()
    await writeFile(join(root, 'precious.json'), 'mine')
    const lock = await readFile(join(root, 'uilm.lock.json'), 'utf8')
    await writeFile(
      join(root, 'uilm.lock.json'),
      lock.replace('"files": {', '"files": {\n    "../precious.json": "1 sha256-x",'),
    )
    await open().pull()
    expect(await readFile(join(root, 'precious.json'), 'utf8')).toBe('mine')
  })

  it('tolerates a concurrent pull', async () => {
    const { open, served, committed } = await pulled()
    served.files.set('de-DE/auth', { SIGN_IN: 'Einloggen' })
    await Promise.all([open().pull(), open().pull(), open().pull()])
    expect(
      (await open().load()).catalog.modules[0]!.translations.get('de-DE')!.get('SIGN_IN'),
    ).toBe('Einloggen')
    expect(Object.keys(await committed()).filter((file) => file.endsWith('.tmp'))).toEqual([])
  })

  it('retries after temporary errors', async () => {
    const { served, open, requests } = await pulled()
    const left = new Map([
      ['auth', 2],
      ['cart', 1],
    ])
    served.instead = (url) => {
      const module = url.searchParams.get('ModuleName') ?? ''
      const n = left.get(module) ?? 0
      left.set(module, n - 1)
      if (n <= 0) return undefined
      return new Response('', { status: n === 2 ? 429 : 503, headers: { 'retry-after': '1' } })
    }
    expect(await open().pull()).toMatchObject({ files: 4, written: 0 })
    expect(requests).toHaveLength(2 + 4 + 3)
  })
})

/** Failures and the expected error messages. */
const failures: readonly [string, (fake: Fake) => void, CatalogOptions, RegExp[]][] = [
  [
    'an empty body for a module that had translations',
    ({ served }) => served.files.delete('de-DE/cart'),
    {},
    [/^Module "cart" in de-DE is empty/, /source: project P1 at http/, /keysBefore: 2/],
  ],
  [
    'a service that is broken for good',
    ({ served }) => {
      served.instead = (url) =>
        url.search.includes('ModuleName=cart') ? new Response('oh', { status: 500 }) : undefined
    },
    {},
    [
      /^Cannot read the translations of module "cart" in (en-US|de-DE): the service responded with 500/,
      /project: P1/,
      /attempts: 5/,
      /message: oh/,
    ],
  ],
  [
    'a rate limit that does not end',
    ({ served }) => {
      served.instead = (url) =>
        url.pathname.endsWith('GetUilmFile') ? new Response('', { status: 429 }) : undefined
    },
    {},
    [
      /^Cannot read the translations of module "\w+" in [\w-]+: the service responded with 429/,
      /Try again in a minute/,
    ],
  ],
  [
    'JSON that was cut',
    ({ served }) => served.files.set('de-DE/auth', '{"SIGN_IN": "Anmel'),
    {},
    [
      /^Cannot read the translations of module "auth" in de-DE: the response is not JSON/,
      /project: P1/,
      /is not JSON/,
    ],
  ],
  [
    'a page of a proxy',
    ({ served }) => served.files.set('de-DE/auth', '<html><title>Sign in</title>'),
    {},
    [/module "auth" in de-DE: the response is not JSON/, /received: <html>/],
  ],
  [
    'a list instead of translations',
    ({ served }) => served.files.set('de-DE/auth', '["SIGN_IN"]'),
    {},
    [/module "auth" in de-DE: unexpected response/, /project: P1/, /received: an array/],
  ],
  [
    'a connection that fails',
    ({ served }) => {
      served.instead = () => {
        throw Object.assign(new Error('gone'), { code: 'ECONNRESET' })
      }
    },
    {},
    [/^Cannot list the (languages|modules): the connection failed \(ECONNRESET\)/, /project: P1/],
  ],
  [
    'a project key that is wrong',
    ({ served }) => {
      served.instead = () =>
        Response.json(
          { code: 401, message: { title: 'Unauthorized', errors: {} } },
          { status: 401 },
        )
    },
    { family: 'uilm' },
    [
      /^Cannot list the (languages|modules): the service responded with 401/,
      /project: P1/,
      /Check the project key/,
    ],
  ],
  [
    'a project key that the file route alone refuses',
    ({ served }) => {
      served.instead = (url) =>
        url.pathname.endsWith('GetUilmFile') ? new Response('', { status: 401 }) : undefined
    },
    {},
    [/module "\w+" in [\w-]+: the service responded with 401/, /Check the project key/],
  ],
  [
    'an instance that lists no modules',
    ({ served }) => {
      served.modules = undefined
    },
    {},
    [/^The service has no list of modules/, /project: P1/, /List them in the option modules/],
  ],
  [
    'an unknown project',
    ({ served }) => {
      served.instead = () =>
        Response.json({ Errors: { Message: 'No such project' }, IsSuccess: false }, { status: 404 })
    },
    {},
    [
      /^Cannot list the languages: the service responded with 404/,
      /project: P1/,
      /message: No such project/,
    ],
  ],
  [
    'a language code that is a path',
    ({ served }) => {
      served.languages = [{ code: 'en-US' }, { code: '../../x' }]
    },
    {},
    [/^Invalid language code "\.\.\/\.\.\/x"/, /source: project P1 at http/],
  ],
  [
    'a language code with a line break',
    ({ served }) => {
      served.languages = [{ code: 'en-US' }, { code: 'de\nDE' }]
    },
    {},
    [/^Invalid language code "de DE"/, /project P1/],
  ],
  [
    'modules that differ in case alone',
    ({ served }) => {
      served.modules = [{ moduleName: 'auth' }, { moduleName: 'Auth' }]
      served.files.set('en-US/Auth', { A: 'a' }).set('de-DE/Auth', { A: 'a' })
    },
    {},
    [/^The modules "Auth" and "auth" have the same file name/, /source: project P1/, /Rename one/],
  ],
  [
    'languages that differ in case alone',
    ({ served }) => {
      served.languages = [{ code: 'en-US' }, { code: 'en-us' }]
    },
    {},
    [/^The languages "en-US" and "en-us" have the same file name/, /project P1/],
  ],
  [
    'a project without languages',
    ({ served }) => {
      served.languages = [{ code: 'key' }]
    },
    {},
    [/^The project has no languages/, /source: project P1/],
  ],
  [
    'a language that the project does not have',
    () => undefined,
    { languages: ['en-US', 'fr-FR'] },
    [/^Unknown language "fr-FR"/, /languages: en-US, de-DE/, /Correct the option languages/],
  ],
  [
    'a default language that is not selected',
    () => undefined,
    { defaultLanguage: 'fr-FR' },
    [/^Default language "fr-FR" is not one of the languages/, /project P1/],
  ],
  [
    'a list of languages that is none',
    ({ served }) => {
      served.languages = { languages: [] }
    },
    {},
    [/^Cannot list the languages: unexpected response/, /project: P1/],
  ],
  [
    'an unexpected 304',
    ({ served }) => {
      served.instead = (url) =>
        url.search.includes('ModuleName=cart') ? new Response(null, { status: 304 }) : undefined
    },
    {},
    [/module "cart" in (en-US|de-DE): the service responded with 304/, /project: P1/],
  ],
]

describe('a failed pull', () => {
  it.each(failures)('reports %s and changes no file', async (_, change, options, said) => {
    const { served, requests, fetch, root, open } = await pulled()
    const before = [await bytesIn(root), await stampsIn(root)]
    change({ served, requests, fetch })
    const error = await open(options)
      .pull()
      .then(
        () => expect.unreachable('it worked'),
        (cause: unknown) => cause as Error,
      )
    for (const part of said) expect(error.message).toMatch(part)
    expect([await bytesIn(root), await stampsIn(root)]).toEqual(before)
    // The previous snapshot can still be built.
    expect((await open().load()).catalog.modules).toHaveLength(2)
  })

  it('reports an empty body even if the local file is damaged or missing', async () => {
    const { served, root, open } = await pulled()
    served.files.delete('de-DE/cart')
    await writeFile(join(root, 'uilm/de-DE/cart.json'), 'damaged')
    await expect(open().pull()).rejects.toThrow('Module "cart" in de-DE is empty')
    await rm(join(root, 'uilm/de-DE/cart.json'))
    await expect(open().pull()).rejects.toThrow('keysBefore: 2')
  })

  it('changes no file and sends no more requests after an abort', async () => {
    const { served, requests, root, open } = await pulled({ concurrency: 1 })
    const before = await bytesIn(root)
    served.files.set('en-US/auth', { SIGN_IN: 'Log in' })
    const controller = new AbortController()
    served.instead = (url) => {
      if (url.search.includes('ModuleName=cart')) controller.abort(new Error('enough'))
      return undefined
    }
    await expect(open().pull({ signal: controller.signal })).rejects.toThrow(/aborted|enough/)
    expect(await bytesIn(root)).toEqual(before)
    expect(requests.filter(({ url }) => url.search.includes('Language=de-DE'))).toEqual([])
  })

  it('names the file that cannot be written, and is detected as drift', async () => {
    const { served, root, open } = await pulled()
    await rm(join(root, 'uilm/en-US/cart.json'))
    await mkdir(join(root, 'uilm/en-US/cart.json'))
    served.files.set('en-US/auth', { SIGN_IN: 'Log in' })
    await expect(open().pull()).rejects.toThrow(/cart\.json/)
    await expect(open().load()).rejects.toMatchObject({
      code: expect.stringMatching(/SNAPSHOT_DRIFT|READ_FAILED/),
    })
  })
})

describe('the requests of a pull', () => {
  const wide = () =>
    fakeService(
      Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`en-US/m${n}`, { A: 'a' }])),
    )

  it.each([5, 40])('sends exactly %d requests concurrently', async (concurrency) => {
    const fake = wide()
    let inFlight = 0
    let most = 0
    let release = (): void => undefined
    const full = new Promise<void>((resolve) => {
      release = resolve
    })
    fake.served.instead = async (url) => {
      if (!url.pathname.endsWith('GetUilmFile')) return undefined as unknown as Response
      most = Math.max(most, ++inFlight)
      if (inFlight === concurrency) release()
      await full
      inFlight--
      return Response.json({ A: 'a' })
    }
    await projectOver(fake.fetch, { root: await temporaryFolder(), concurrency }).pull()
    expect(most).toBe(concurrency)
  })

  it('can be aborted while it waits for the rate limit', async () => {
    const { openProject } = await import('../src/index.ts')
    const fake = wide()
    const { fetchTransport } = await import('@servicekit/client')
    const project = openProject(
      {
        root: await temporaryFolder(),
        baseUrl: 'http://platform.test',
        projectKey: 'P1',
        requestsPerMinute: 3,
        concurrency: 30,
      },
      { transport: fetchTransport(fake.fetch), environment: {} },
    )
    const controller = new AbortController()
    const pull = project.pull({
      signal: controller.signal,
      onProgress({ pauseMs }) {
        // The requests that were allowed have been sent by then.
        if (pauseMs) setTimeout(() => controller.abort(new Error('enough')), 50)
      },
    })
    await expect(pull).rejects.toThrow('enough')
    expect(fake.requests.filter(({ url }) => url.pathname.endsWith('GetUilmFile'))).toHaveLength(3)
  })
})
