import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type StartedPlatform, startPlatform } from '@servicekit/platform/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { run } from './run.ts'

const storefront = join(import.meta.dirname, '../../../fixtures/projects/storefront')
let platform: StartedPlatform
let root: string

beforeAll(async () => {
  platform = await startPlatform({ projectDir: storefront, port: 0 })
})
afterAll(() => platform?.close())

beforeEach(async () => {
  vi.stubEnv('CI', '')
  vi.stubEnv('SERVICEKIT_URL', platform.baseUrl)
  vi.stubEnv('SERVICEKIT_PROJECT_KEY', platform.projectKeys[0]!)
  root = await mkdtemp(join(tmpdir(), 'servicekit-cli-'))
  return () => rm(root, { recursive: true, force: true })
})

const at = (...parts: string[]): string => join(root, ...parts)

describe('a config file', () => {
  it.each([
    ['export default { localization: { languages: [', /reason: ParseError.*\n {2}at: .*:\d+/],
    [`import { x } from './nope.ts'\nexport default x`, /reason: Cannot find module '.\/nope.ts'/],
    [`throw new Error('mine')`, /reason: mine\n {2}at: .*servicekit\.config\.ts:1:/],
  ])(
    'that cannot be evaluated is reported with the reason and the position: %s',
    async (text, reason) => {
      await writeFile(at('servicekit.config.ts'), text)
      const { code, stderr } = await run(['pull', '--root', root])
      expect([code, stderr.split('\n')[0]]).toEqual([2, 'Cannot read servicekit.config'])
      expect(stderr).toMatch(reason)
      expect(stderr).not.toContain('node_modules')
    },
  )
})

describe('without --root', () => {
  const from = async (folder: string, args: readonly string[]) => {
    const before = process.cwd()
    process.chdir(folder)
    try {
      return await run(args)
    } finally {
      process.chdir(before)
    }
  }

  it('finds the config file upwards, and resolves flags from the working directory', async () => {
    await mkdir(at('src/pages'), { recursive: true })
    await writeFile(at('servicekit.config.json'), '{"localization": {"languages": ["de-DE"]}}')
    await writeFile(at('src/pages/a.ts'), `import { GONE } from '~uilm/auth'\nGONE()\n`)
    expect(await from(at('src/pages'), ['pull'])).toMatchObject({ code: 0 })
    expect(await readdir(at('uilm'))).toEqual(['de-DE'])
    const compiled = await from(at('src'), ['compile', '--out', 'messages'])
    expect(compiled).toMatchObject({ code: 0 })
    expect(await readdir(at('src/messages'))).toContain('auth.js')
    const checked = await from(at('src'), ['check', '--sources', 'pages'])
    expect(checked).toMatchObject({ code: 1, stdout: expect.stringContaining('src/pages/a.ts') })
  })

  it.each([['pull'], ['codegen']])(
    '%s names the folders in which it searched for a config file',
    async (command) => {
      vi.stubEnv('SERVICEKIT_URL', '')
      await mkdir(at('repository/.git'), { recursive: true })
      await mkdir(at('repository/app'))
      const { code, stderr } = await from(at('repository/app'), [command])
      expect(code).toBe(2)
      const [repository, app] = await Promise.all(
        ['repository', 'repository/app'].map((folder) => realpath(at(folder))),
      )
      expect(stderr).toContain(
        `baseUrl is required\n  no servicekit.config in: ${app}, ${repository}\nSet it in`,
      )
      await writeFile(at('repository/servicekit.config.json'), '{}')
      const found = await from(at('repository/app'), [command])
      expect(found.stderr).toContain(`  file: ${repository}/servicekit.config.json\n`)
    },
  )
})

it('rejects a source folder that does not exist', async () => {
  await run(['pull', '--root', root])
  for (const command of ['check', 'migrate']) {
    const { code, stderr } = await run([command, '--root', root, '--sources', 'missing'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('Source folder "missing" does not exist'),
    ])
  }
})

describe('pull', () => {
  it('exits with 2 for an unknown language and for an unreadable file', async () => {
    const unknown = await run(['pull', '--root', root, '--languages', 'xx-XX'])
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('"xx-XX"')])
    await mkdir(at('uilm/en-US/auth.json'), { recursive: true })
    const unreadable = await run(['pull', '--root', root])
    expect([unreadable.code, unreadable.stderr]).toEqual([2, expect.stringContaining('auth.json')])
  })

  it('suggests a module, and http for a port that does not speak https', async () => {
    const module = await run(['pull', '--root', root, '--modules', 'cart,auht'])
    expect([module.code, module.stderr]).toEqual([
      2,
      expect.stringContaining('Unknown module "auht". Did you mean "auth"?'),
    ])
    const secure = platform.baseUrl.replace('http:', 'https:')
    const protocol = await run(['pull', '--root', root, '--base-url', secure])
    expect([protocol.code, protocol.stderr]).toEqual([
      4,
      expect.stringContaining('The port does not speak https. Begin the URL with http://.'),
    ])
  })

  it('writes translations, lock file and types, and nothing the second time', async () => {
    const first = await run(['pull', '--root', root])
    expect(first.code).toBe(0)
    expect(first.stdout).toMatch(
      /^6 languages, 8 modules: 48 files, .* 49 written\ntypes: (\d+) files, \1 written/,
    )
    expect((await readdir(at('uilm'))).sort()).toEqual([
      'ar-EG',
      'bn-BD',
      'de-DE',
      'en-US',
      'fr-FR',
      'ja-JP',
    ])
    expect(await readFile(at('.servicekit/types/uilm/auth.d.ts'), 'utf8')).toContain('SIGN_IN')

    const second = JSON.parse((await run(['pull', '--root', root, '--json'])).stdout)
    expect(second).toMatchObject({
      frozen: false,
      files: 48,
      unchanged: 48,
      written: 0,
      types: { written: 0 },
    })
  })

  it('pulls only the given languages and modules', async () => {
    await run(['pull', '--root', root, '--languages', 'de-DE,en-US', '--modules=auth'])
    expect((await readdir(at('uilm'))).sort()).toEqual(['de-DE', 'en-US'])
    expect(await readdir(at('uilm/de-DE'))).toEqual(['auth.json'])

    const fewer = await run(['pull', '--root', root, '--languages', 'en-US', '--modules=auth'])
    expect(fewer.stdout).toMatch(/^1 language, 1 module: 1 file, .*, 1 written, 1 removed\n/)
  })

  it('reads translations from a folder, without network', async () => {
    vi.stubEnv('SERVICEKIT_URL', '')
    const { code, stdout } = await run(['pull', '--root', root, '--from', join(storefront, 'uilm')])
    expect(code).toBe(0)
    expect(stdout).toContain('6 languages, 8 modules: 48 files')
    expect(await run(['pull', '--root', root, '--from', root])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/contains no languages\n.*<language>\/<module>\.json/),
    })
  })

  it('checks a frozen snapshot without the service', async () => {
    const args = ['pull', '--root', root, '--frozen', '--base-url', 'http://127.0.0.1:1']
    expect(await run(args)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('uilm.lock.json'),
    })
    await run(['pull', '--root', root])
    expect(await run(args)).toMatchObject({ code: 0, stderr: '' })

    await writeFile(at('uilm/de-DE/auth.json'), '{"SIGN_IN": "Hinein"}\n')
    const { code, stderr } = await run(args)
    expect(code).toBe(3)
    expect(stderr).toContain('de-DE/auth.json')
  })

  it('is frozen by default with CI=true and a lock file', async () => {
    await run(['pull', '--root', root])
    vi.stubEnv('CI', 'true')
    expect(JSON.parse((await run(['pull', '--root', root, '--json'])).stdout).frozen).toBe(true)
    expect(
      JSON.parse((await run(['pull', '--root', root, '--json', '--no-frozen'])).stdout).frozen,
    ).toBe(false)
  })

  it('names a wrong project and keeps the last good files', async () => {
    await run(['pull', '--root', root])
    const before = await readFile(at('uilm.lock.json'), 'utf8')
    const { code, stderr } = await run(['pull', '--root', root, '--project-key', 'Pnone'])
    expect(code).toBe(4)
    expect(stderr).toContain('Pnone')
    expect(await readFile(at('uilm.lock.json'), 'utf8')).toBe(before)
    expect(await run(['pull', '--root', root, '--frozen'])).toMatchObject({ code: 0 })
  })

  it('prints errors as JSON with --json', async () => {
    const { code, stdout, stderr } = await run([
      'pull',
      '--root',
      root,
      '--json',
      '--modules',
      'atuh',
    ])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(JSON.parse(stderr).error).toMatchObject({ message: expect.stringContaining('atuh') })
  })

  it('requires the URL of the service', async () => {
    vi.stubEnv('SERVICEKIT_URL', '')
    const { code, stderr } = await run(['pull', '--root', root])
    expect(code).toBe(2)
    expect(stderr).toContain('SERVICEKIT_URL')
  })
})

describe('compile', () => {
  it('writes modules that a program imports', async () => {
    await run(['pull', '--root', root])
    const report = JSON.parse(
      (await run(['compile', '--root', root, '--out', 'out', '--json'])).stdout,
    )
    expect(report).toMatchObject({ languages: 6, modules: 8, keys: 613, files: 137, written: 137 })
    // The package.json makes Node load the files as modules.
    await writeFile(at('package.json'), '{"type": "module"}\n')
    const { PRODUCTS_COUNT } = await import(pathToFileURL(at('out/catalog.js')).href)
    const { setLanguage } = await import(pathToFileURL(at('out/runtime.js')).href)
    expect(PRODUCTS_COUNT({ count: 2 })).toBe('2 products')
    await setLanguage('de-DE')
    expect(PRODUCTS_COUNT({ count: 1 })).toBe('1 Produkt')
    expect((await run(['compile', '--root', root, '--out', 'out'])).stdout).toContain(' 0 written')
  })

  it('writes CommonJS with --sync', async () => {
    await run(['pull', '--root', root])
    const args = ['compile', '--root', root, '--out', 'out', '--sync']
    expect(await run(args)).toMatchObject({ code: 0 })
    const require = createRequire(at('main.cjs'))
    const { PRODUCTS_COUNT } = require(at('out/catalog.cjs'))
    void require(at('out/runtime.cjs')).setLanguage('de-DE')
    expect(PRODUCTS_COUNT({ count: 1 })).toBe('1 Produkt')
  })

  it('writes keys with --show-keys, for tests', async () => {
    await run(['pull', '--root', root])
    await run(['compile', '--root', root, '--out', 'out', '--sync', '--show-keys'])
    const { PRODUCTS_COUNT } = createRequire(at('main.cjs'))(at('out/catalog.cjs'))
    expect(PRODUCTS_COUNT({ count: 1 })).toBe('PRODUCTS_COUNT')
  })

  it('writes the backend of i18next for applications that have it', async () => {
    await run(['pull', '--root', root])
    const args = ['compile', '--root', root, '--out', 'out', '--languages', 'de-DE']
    await run(args)
    expect(await readdir(at('out'))).not.toContain('i18next.js')
    // A keyword is no dependency.
    await writeFile(at('package.json'), '{"type": "module", "keywords": ["i18next"]}\n')
    await run(args)
    expect(await readdir(at('out'))).not.toContain('i18next.js')
    await writeFile(at('package.json'), '{"type": "module", "dependencies": {"i18next": "*"}}\n')
    await run(args)
    const { load } = await import(pathToFileURL(at('out/i18next.js')).href)
    expect(await load('de-DE', 'auth')).toMatchObject({ SIGN_IN: 'Anmelden' })
  })

  it('writes the languages that are named', async () => {
    await run(['pull', '--root', root])
    const args = ['compile', '--root', root, '--out', 'out']
    const { code, stdout } = await run([...args, '--languages', 'de-DE,fr-FR', '--json'])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { languages: 2, keys: 613 }])
    expect((await readdir(at('out/languages$'))).toSorted()).toEqual(['de-DE', 'fr-FR'])
    const unknown = await run([...args, '--languages', 'de'])
    expect(unknown).toMatchObject({ code: 2, stdout: '' })
    expect(unknown.stderr).toContain('Unknown language "de"')
    expect(unknown.stderr).toContain('Did you mean "de-DE"?')
  })

  it('requires a folder and committed translations', async () => {
    expect(await run(['compile', '--root', root])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--out is required\nUse --out DIR.'),
    })
    expect(await run(['compile', '--root', root, '--out', 'out'])).toMatchObject({ code: 5 })
    expect(await readdir(root)).toEqual([])
  })
})

describe('codegen', () => {
  it.each([['--introspect'], ['--cross-check']])(
    'reads the executable schema of the local platform with client credentials: %s',
    async (flag) => {
      const args = ['codegen', '--root', root, flag]
      const refused = await run(args)
      expect(refused.code).toBe(4)
      expect(refused.stderr).toContain('SERVICEKIT_CLIENT_ID and SERVICEKIT_CLIENT_SECRET')
      vi.stubEnv('SERVICEKIT_CLIENT_ID', 'storefront-job')
      vi.stubEnv('SERVICEKIT_CLIENT_SECRET', 'storefront-job-secret')
      const { code, stderr } = await run(args)
      expect(code, stderr).toBe(0)
    },
  )

  it('generates the same files from the service and from a saved listing', async () => {
    const live = JSON.parse((await run(['codegen', '--root', root, '--json'])).stdout)
    expect(live).toMatchObject({ schemas: 6, isCurrent: false })
    const listing = join(storefront, 'schemas.json')
    const saved = await run(['codegen', '--root', root, '--listing', listing, '--json'])
    expect(JSON.parse(saved.stdout)).toMatchObject({ written: [], isCurrent: true })
  })

  it('reports changes with their own exit codes', async () => {
    await run(['codegen', '--root', root])
    expect(await run(['codegen', '--root', root, '--check'])).toMatchObject({ code: 0 })

    const listing = JSON.parse(await readFile(join(storefront, 'schemas.json'), 'utf8'))
    const saved = async (
      change: (product: { fields: { name: string; type: string }[] }) => void,
    ) => {
      const copy = structuredClone(listing)
      const items = copy.items ?? copy.data?.items ?? copy
      change(items.find((item: { schemaName: string }) => item.schemaName === 'Product'))
      await writeFile(at('listing.json'), JSON.stringify(copy))
      return run(['codegen', '--root', root, '--listing', 'listing.json', '--check'])
    }
    const before = await readFile(at('src/gateway/product.ts'), 'utf8')
    const more = await saved(({ fields }) => fields.push({ name: 'Glaze', type: 'Money' }))
    expect(more.stdout).toContain('additive  Product Glaze')
    expect(more.stdout).toMatch(/^stale     .*src\/gateway\/product\.ts$/m)
    // Warnings are printed in full, notes as a count.
    expect(more.stderr.split('\n').slice(0, -1)).toEqual([
      expect.stringMatching(/^Product Glaze: type Money/),
      '1 note about the listing; use --json to see them',
    ])
    expect(more.code).toBe(3)
    const less = await saved((product) => {
      product.fields = product.fields.filter(({ name }) => name !== 'Price')
    })
    expect(less.stdout).toContain('breaking  Product Price')
    expect(less.code).toBe(1)
    expect(await readFile(at('src/gateway/product.ts'), 'utf8')).toBe(before)
  })

  it('--labels writes the keys to translate, which check then requires', async () => {
    await run(['pull', '--root', root])
    const args = ['codegen', '--root', root, '--labels']
    expect(await run(args)).toMatchObject({ code: 0 })
    expect(await run([...args, '--check'])).toMatchObject({ code: 0 })
    const labels = JSON.parse(await readFile(at('src/gateway/gateway.labels.json'), 'utf8'))
    expect(labels).toMatchObject({ PRODUCT: 'Product', PRODUCT__PRICE: 'Price' })
    const { stdout } = await run(['check', '--root', root, '--json'])
    const found = JSON.parse(stdout).findings.filter(
      ({ file }: { file?: string }) => file === 'src/gateway/gateway.labels.json',
    )
    expect(found).toHaveLength(Object.keys(labels).length)
    expect(found).toContainEqual(
      expect.objectContaining({ rule: 'missing', module: 'labels', key: 'PRODUCT__PRICE' }),
    )
    await rm(at('src/gateway/gateway.labels.json'))
    expect(await run([...args, '--check'])).toMatchObject({ code: 3 })
  })

  it('--long selects the type of fields of type Long', async () => {
    const args = ['codegen', '--root', root, '--long']
    expect(await run([...args, 'bigint'])).toMatchObject({ code: 0 })
    expect(await readFile(at('src/gateway/product.ts'), 'utf8')).toContain(
      'readonly ViewCount: bigint | null',
    )
    expect(await run([...args, 'bigint', '--check'])).toMatchObject({ code: 0 })
    expect(await run(['codegen', '--root', root, '--check'])).toMatchObject({ code: 3 })
    expect(await run([...args, 'integer'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('long must be number, bigint or string') as string,
    })
  })

  it('generates from the lockfile and opens no connection', async () => {
    await run(['codegen', '--root', root])
    await rm(at('src/gateway/product.ts'))
    vi.stubEnv('SERVICEKIT_URL', '')
    expect(await run(['codegen', '--root', root, '--frozen'])).toMatchObject({ code: 0 })
    expect(await readdir(at('src/gateway'))).toContain('product.ts')
  })

  it('reports an edited file of a removed schema that it keeps', async () => {
    await run(['codegen', '--root', root])
    const file = at('src/gateway/category.ts')
    await writeFile(file, `${await readFile(file, 'utf8')}export const mine = 1\n`)
    const listing = JSON.parse(await readFile(join(storefront, 'schemas.json'), 'utf8'))
    const items = (listing.items ?? listing.data?.items ?? listing) as { schemaName: string }[]
    const rest = items.filter(({ schemaName }) => schemaName !== 'Category')
    await writeFile(at('listing.json'), JSON.stringify(rest))
    const { stderr } = await run(['codegen', '--root', root, '--listing', 'listing.json'])
    expect(stderr).toContain('Kept category.ts: its schema was removed, but the file was edited')
  })

  it('removes many modules only with --prune or after confirmation', async () => {
    await run(['codegen', '--root', root])
    const before = await readdir(at('src/gateway'))
    const listing = JSON.parse(await readFile(join(storefront, 'schemas.json'), 'utf8'))
    const items = (listing.items ?? listing.data?.items ?? listing) as object[]
    await writeFile(at('listing.json'), JSON.stringify(items.slice(0, 1)))
    const args = ['codegen', '--root', root, '--listing', 'listing.json']
    const refused = await run(args)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/^Refused to remove \d modules\n[^]*--prune/)
    const questions: string[] = []
    const declined = await run(args, undefined, async (question) => {
      questions.push(question)
      return false
    })
    expect(declined.code).toBe(2)
    expect(questions).toEqual([
      expect.stringMatching(/^Remove \d modules whose schemas no longer exist\?$/),
    ])
    expect(await readdir(at('src/gateway'))).toEqual(before)
    expect(await run(args, undefined, async () => true)).toMatchObject({ code: 0 })
    expect((await readdir(at('src/gateway'))).length).toBeLessThan(before.length - 3)
    await run(['codegen', '--root', root])
    expect(await run([...args, '--prune'])).toMatchObject({ code: 0 })
  })

  it('exits with 4 and changes nothing if the pages of the listing contradict its count', async () => {
    await run(['codegen', '--root', root])
    const file = at('src/gateway/product.ts')
    await appendFile(file, '// changed\n')
    const listing = JSON.parse(await readFile(join(storefront, 'schemas.json'), 'utf8'))
    const items = listing.items ?? listing.data?.items ?? listing
    const server = createServer((_, response) => {
      response.end(JSON.stringify({ data: { totalCount: 0, items } }))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    const { code, stderr } = await run(['codegen', '--root', root, '--base-url', url])
    expect(code).toBe(4)
    expect(stderr).toContain('The pages of the schema listing contradict each other')
    expect(await readFile(file, 'utf8')).toMatch(/changed\n$/)
  })

  it('watches until it is stopped', async () => {
    const controller = new AbortController()
    const watching = run(['codegen', '--root', root, '--watch', '--json'], controller.signal)
    await expect.poll(() => readdir(at('src/gateway')).catch(() => [])).toContain('index.ts')
    controller.abort()
    const { code, stdout } = await watching
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(1)
  })

  it('reads the output folder from the config file', async () => {
    await writeFile(at('servicekit.config.json'), '{"gateway": {"outDir": "generated"}}')
    await run(['codegen', '--root', root])
    expect(await readdir(at('generated'))).toContain('index.ts')
  })
})

describe('codegen --check', () => {
  it('needs no service if there is a lock, and compares with the service by --no-frozen', async () => {
    const generated = await run(['codegen', '--root', root])
    expect(generated).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Money') })
    vi.stubEnv('SERVICEKIT_URL', 'http://127.0.0.1:1')
    const checked = await run(['codegen', '--root', root, '--check'])
    expect(checked).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('add --no-frozen to compare with the service'),
    })
    const live = await run(['codegen', '--root', root, '--check', '--no-frozen'])
    expect(live).toMatchObject({ code: 4, stderr: expect.stringContaining('127.0.0.1:1') })
  })
})

describe('advice', () => {
  it('names the lines of a tsconfig that older versions needed', async () => {
    const paths =
      '{\n"compilerOptions": { "paths": {\n"~uilm/*": ["./.servicekit/uilm/*.d.ts"]\n}}}'
    await writeFile(at('tsconfig.json'), paths)
    const { stderr } = await run(['pull', '--root', root])
    expect(stderr).toMatch(/^tsconfig\.json: delete line 3 /m)
  })

  it('names --no-frozen where pull would only verify the files', async () => {
    await run(['pull', '--root', root])
    await writeFile(at('uilm.lock.json'), '{')
    const local = await run(['compile', '--root', root, '--out', 'out'])
    expect(local.stderr).toContain('run `servicekit pull` to')
    vi.stubEnv('CI', 'true')
    const { stderr } = await run(['pull', '--root', root])
    expect(stderr).toContain('run `servicekit pull --no-frozen` to')
    expect(await run(['pull', '--root', root, '--no-frozen'])).toMatchObject({ code: 0 })
  })

  it('suggests the languages of an unknown code', async () => {
    const { stderr } = await run(['pull', '--root', root, '--languages', 'de'])
    expect(stderr).toContain('Unknown language "de"')
    expect(stderr).toContain('Did you mean "de-DE"?')
  })
})

describe('a config file of an unsupported type', () => {
  it('is an error that lists the supported ones', async () => {
    await writeFile(at('servicekit.config.yaml'), 'baseUrl: x')
    const { code, stderr } = await run(['pull', '--root', root])
    expect(code).toBe(2)
    expect(stderr).toContain('Unsupported config file servicekit.config.yaml')
    expect(stderr).toContain('ts, mts, cts, js, mjs, cjs, json')
  })
})

describe('check and migrate', () => {
  const write = async (name: string, text: string) => {
    await mkdir(at('src'), { recursive: true })
    await writeFile(at('src', name), text)
  }

  it('reports findings in every format, without those of the baseline', async () => {
    await run(['pull', '--root', root, '--modules', 'auth', '--languages', 'en-US,de-DE'])
    await write('app.ts', "import { SIGN_IN, SIGN_UPP } from '~uilm/auth'\nSIGN_IN()\nSIGN_UPP()\n")
    const text = await run(['check', '--root', root])
    expect(text.code).toBe(1)
    expect(text.stdout).toMatch(/src\/app\.ts\n +1:19 +error +unknown/)
    const sarif = JSON.parse((await run(['check', '--root', root, '--format', 'sarif'])).stdout)
    expect(sarif.version).toBe('2.1.0')
    expect((await run(['check', '--root', root, '--format', 'github'])).stdout).toMatch(
      /^::error file=/m,
    )

    const page = await run(['check', '--root', root, '--html', 'report.html', '--json'])
    expect(JSON.parse(page.stdout).ok).toBe(false)
    expect(await readFile(at('report.html'), 'utf8')).toContain('de-DE')

    const baseline = ['check', '--root', root, '--baseline', 'known.json']
    expect(await run([...baseline, '--update-baseline'])).toMatchObject({ code: 0 })
    expect(await run(baseline)).toMatchObject({ code: 0 })
    await write('more.ts', "import { NEW_ONE } from '~uilm/auth'\nNEW_ONE()\n")
    expect(await run(baseline)).toMatchObject({ code: 1 })
  })

  it('follows every hook given with --hook', async () => {
    await run(['pull', '--root', root, '--modules', 'auth', '--languages', 'en-US'])
    await write(
      'hooks.ts',
      "import { useWords, useCopy } from '@example/ui'\n" +
        "export const one = () => useWords('auth')('SIGN_IN')\n" +
        "export const two = () => useCopy('auth').t('SIGN_OUT')\n",
    )
    const migrate = ['migrate', '--root', root, '--json']
    expect(JSON.parse((await run(migrate)).stdout)).toMatchObject({ calls: 0 })
    const named = await run([...migrate, '--hook', 'useWords', '--hook=useCopy'])
    expect(JSON.parse(named.stdout)).toMatchObject({ calls: 2, skipped: [] })
    const check = ['check', '--root', root, '--json', '--hook', 'useWords', '--hook', 'useCopy']
    const { findings } = JSON.parse((await run(check)).stdout) as {
      findings: { rule: string; key?: string }[]
    }
    const unused = findings.filter(({ rule }) => rule === 'unused').map(({ key }) => key)
    expect(unused.length).toBeGreaterThan(0)
    expect(unused).not.toEqual(expect.arrayContaining(['SIGN_IN']))
    expect(unused).not.toEqual(expect.arrayContaining(['SIGN_OUT']))
  })

  it.each([
    [
      'servicekit.config.json',
      '{ "localization": { "modules": ["auth"] } }',
      '"storageKey": "i18nextLng"',
    ],
    [
      'servicekit.config.ts',
      "export default { localization: { modules: ['auth'] } }\n",
      "localization: { modules: ['auth'], storageKey: 'i18nextLng' }",
    ],
  ])('stores the language under the key of the other library in %s', async (name, text, option) => {
    await run(['pull', '--root', root, '--modules', 'auth', '--languages', 'en-US'])
    await write(
      'label.ts',
      "import i18next from 'i18next'\nimport Detector from 'i18next-browser-languagedetector'\n" +
        "void i18next.use(Detector).init()\nexport const label = () => i18next.t('auth:SIGN_IN')\n",
    )
    await writeFile(at(name), text)
    const shown = await run(['migrate', '--root', root])
    expect(shown.stdout).toContain(option)
    expect(shown.stdout).toContain('src/label.ts stores the language as i18nextLng.')
    expect(await readFile(at(name), 'utf8')).toBe(text)
    await run(['migrate', '--root', root, '--write'])
    expect(await readFile(at(name), 'utf8')).toContain(option)
  })

  it('names the key of the other library if there is no config, and keeps another one', async () => {
    await run(['pull', '--root', root, '--modules', 'auth', '--languages', 'en-US'])
    const code =
      "import i18next from 'i18next'\nexport const label = () => i18next.t('auth:SIGN_IN')\n" +
      "export const code = localStorage.getItem('lang')\n"
    await write('label.ts', code)
    const { stdout } = await run(['migrate', '--root', root])
    expect(stdout).toContain('servicekit.config.ts: it does not exist. Add by hand:')
    expect(stdout).toContain('localization: { storageKey: "lang" }')
    await writeFile(at('servicekit.config.json'), '{"localization": {"storageKey": "language"}}')
    expect((await run(['migrate', '--root', root])).stdout).not.toContain('storageKey')
  })

  it('prints the migration, and writes it with --write', async () => {
    await run(['pull', '--root', root, '--modules', 'auth', '--languages', 'en-US'])
    const before =
      "import i18next from 'i18next'\n\nexport const label = () => i18next.t('auth:SIGN_IN')\n"
    await write('label.ts', before)
    const shown = await run(['migrate', '--root', root])
    expect(shown.code).toBe(0)
    expect(shown.stdout).toContain("+import { SIGN_IN } from '~uilm/auth'")
    expect(await readFile(at('src/label.ts'), 'utf8')).toBe(before)
    await run(['migrate', '--root', root, '--write'])
    expect(await readFile(at('src/label.ts'), 'utf8')).toContain(
      'export const label = () => SIGN_IN()',
    )
  })
})
