import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Prompts } from '../src/io.ts'
import { main } from '../src/main.ts'
import { temporaryFolder, write as writeIn } from './own-files.ts'

// Builds an application and runs the type check on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

const packages = join(import.meta.dirname, '../..')
const execute = promisify(execFile)
const viteProgram = join(
  dirname(createRequire(import.meta.url).resolve('vite/package.json')),
  'bin/vite.js',
)
let root: string
const write = (files: Readonly<Record<string, string>>) => writeIn(root, files)
const read = (path: string) => readFile(join(root, path), 'utf8')

beforeEach(async () => {
  for (const name of ['CI', 'SERVICEKIT_URL', 'SERVICEKIT_PROJECT_KEY']) vi.stubEnv(name, '')
  root = await temporaryFolder()
})

/** Writes an application with vite, in which the packages are installed. */
async function writeApp(
  files: Record<string, string>,
  dependencies: Record<string, string> = {},
): Promise<void> {
  const devDependencies = {
    vite: '*',
    typescript: '*',
    servicekit: '*',
    '@servicekit/unplugin': '*',
    ...dependencies,
  }
  await write({
    'package.json': `${JSON.stringify({ type: 'module', devDependencies }, undefined, 2)}\n`,
    'package-lock.json': '{}',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        module: 'preserve',
        lib: ['es2023', 'dom'],
        types: [],
      },
      include: ['src'],
    }),
    'vite.config.js': 'export default { plugins: [] }\n',
    'index.html': '<script type="module" src="/src/main.ts"></script>\n',
    'src/main.ts': 'document.title = "Title"\n',
    ...files,
  })
  const typescript = join(packages, '../node_modules/typescript-7')
  await mkdir(join(root, 'node_modules/@servicekit'), { recursive: true })
  await mkdir(join(root, 'node_modules/.bin'))
  for (const [name, target] of [
    ['servicekit', join(packages, 'cli')],
    ['@servicekit/unplugin', join(packages, 'unplugin')],
    ['typescript', typescript],
    ['.bin/servicekit', join(packages, 'cli/bin/servicekit.js')],
    ['.bin/tsc', join(typescript, 'bin/tsc')],
  ] as const) {
    await symlink(target, join(root, 'node_modules', name))
  }
}

async function servicekit(args: readonly string[], prompts?: Partial<Prompts>) {
  let stdout = ''
  let stderr = ''
  const code = await main([...args, '--root', root], {
    stdout: (text) => (stdout += text),
    stderr: (text) => (stderr += text),
    isTerminal: false,
    progressIntervalMs: Infinity,
    ...(prompts && { prompts: prompts as Prompts }),
    signal: new AbortController().signal,
  })
  return { code, stdout, stderr }
}
const init = (...args: readonly string[]) => servicekit(['init', '--yes', ...args])

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
const i18next = {
  'locales/en/cart.json': json({
    TITLE: 'Cart',
    ITEMS_one: '{{count}} item',
    ITEMS_other: '{{count}} items',
  }),
  'locales/de/cart.json': json({
    TITLE: 'Korb',
    ITEMS_one: '{{count}} Artikel',
    ITEMS_other: '{{count}} Artikel',
  }),
  'locales/en/shop/form.json': json({ send: { label: 'Send' } }),
}

describe('init with a folder of translation files', () => {
  it('sets up an application, which then builds without a copy and without a network', async () => {
    await writeApp({ ...i18next, 'locales/notes.json': '{}' })
    const first = await init('--from', join(root, 'locales'))
    expect(first.code, first.stdout + first.stderr).toBe(0)
    expect(first.stdout).toContain(
      [
        'locales:',
        '  layout     {language}/{module}.json (3 files)',
        '  languages  de, en (default)',
        '  modules    cart, shop/form',
        '  keys       4',
        '  syntax     double-brace, such as {{name}}',
        '  not taken  notes.json: is not named like the others',
        '',
      ].join('\n'),
    )
    expect(await read('servicekit.config.ts')).toBe(
      [
        "import { defineConfig } from 'servicekit'",
        '',
        'export default defineConfig({',
        '  localization: {',
        "    from: 'locales',",
        '  },',
        '})',
        '',
      ].join('\n'),
    )
    expect(first.stdout).toContain('Commit servicekit.config, locales and the edited files.')
    expect(first.stdout + first.stderr).not.toMatch(/uilm\/|uilm\.lock|service\b|--url|--key/)
    expect(await readdir(root)).not.toContain('uilm')
    expect(await readdir(root)).not.toContain('uilm.lock.json')

    await write({
      'src/main.ts':
        "import { ITEMS, TITLE } from '~uilm/cart'\nimport { 'send.label' as label } from '~uilm/shop/form'\ndocument.title = TITLE() + ITEMS({ count: 2 }) + label()\n",
    })
    const { NODE_OPTIONS: _, ...env } = process.env
    await execute(process.execPath, [viteProgram, 'build'], { cwd: root, env })
    const names = (await readdir(join(root, 'dist/assets'))).filter((name) =>
      name.includes('uilm-'),
    )
    const packs = await Promise.all(names.map((name) => read(`dist/assets/${name}`)))
    expect(packs.join('\n')).toMatch(/Korb/)

    const again = await init()
    expect(again.stdout).toContain('Servicekit is set up. Nothing to change.')
    const doctor = await servicekit(['doctor'])
    expect(doctor.stdout + doctor.stderr).not.toMatch(/FOLDER_INVALID|SNAPSHOT|SERVICE_/)
    await write({ 'locales/de/cart.json': '{"TITLE": }' })
    expect((await servicekit(['doctor'])).stdout).toMatch(
      /de\/cart\.json:1:11: unexpected "\}"\n[^]*explain FOLDER_INVALID/,
    )
  })

  it('offers the usual folders, and takes the only one with --yes', async () => {
    await writeApp({ 'src/locales/en.json': json({ HELLO: 'Hello' }) })
    const offered: string[] = []
    const asked = await servicekit(['init'], {
      select: async (_, options) => {
        offered.push(...options.map(({ value }) => value))
        return 'folder src/locales'
      },
      confirm: async (question) => question !== 'Make these changes?',
    })
    expect(offered).toEqual(['folder src/locales', 'sample', 'service'])
    expect(asked.stdout).toContain('Nothing was changed.')
    const { code, stdout, stderr } = await init()
    expect(code, stdout + stderr).toBe(0)
    expect(await read('servicekit.config.ts')).toContain(
      "    from: { folder: 'src/locales', files: '{language}.json' },\n",
    )
  })

  it('asks for the language of a name that is none, and refuses it with --yes', async () => {
    const texts = json({ HELLO: 'Hello' })
    await writeApp({
      'locales/en/app.json': texts,
      'locales/zhtw/app.json': texts,
      'locales/ca@valencia/app.json': texts,
      'locales/klingon/app.json': texts,
      'locales/en_GB.bak/app.json': texts,
    })
    const refused = await init('--from', join(root, 'locales'))
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(
      'locales has names that are no language codes: "ca@valencia", "en_GB.bak", "klingon", "zhtw"',
    )
    expect(refused.stderr).toContain(
      "--languages 'ca@valencia=ca-valencia,en_GB.bak=en_GB,klingon=,zhtw=zh-TW'",
    )
    expect(await readdir(root)).not.toContain('servicekit.config.ts')

    const answers = new Map([
      ['ca@valencia', 'ca-valencia'],
      ['en_GB.bak', '-'],
      ['klingon', '-'],
      ['zhtw', 'zh-TW'],
    ])
    const questions: string[] = []
    const done = await servicekit(['init', '--from', join(root, 'locales')], {
      select: async () => 'sample',
      confirm: async (question) => question === 'Make these changes?',
      text: async (question) => {
        questions.push(question)
        return answers.get(/"(.*)"/.exec(question)![1]!)!
      },
    })
    expect(done.code, done.stdout + done.stderr).toBe(0)
    expect(questions).toHaveLength(4)
    expect(done.stdout).toContain('zhtw = zh-TW')
    expect(done.stdout).toContain('klingon/app.json: is ignored')
    expect(await read('servicekit.config.ts')).toContain(
      "languages: { 'ca@valencia': 'ca-valencia', 'en_GB.bak': false, klingon: false, zhtw: 'zh-TW' }",
    )
  })

  it.each([
    [
      'next-intl',
      {
        'messages/en.json': json({
          auth: { form: { hi: 'Hi {name}' } },
          cart: { n: '{n, plural, one {# item} other {# items}}' },
        }),
      },
      { 'next-intl': '*' },
      ["from: { folder: 'messages', files: '{language}.json#{module}' }", "syntax: 'icu'"],
    ],
    [
      'vue-i18n',
      { 'src/locales/en.json': json({ hi: 'Hi {name}', car: 'car | cars', link: '@:hi' }) },
      { 'vue-i18n': '*' },
      ["files: '{language}.json'", "syntax: 'vue-i18n'"],
    ],
    [
      'Rails',
      {
        'config/locales/en.yml': 'en:\n  hello: Hello %{name}\n',
        'config/locales/devise.en.yml': 'en:\n  sign_in: Sign in\n',
      },
      {},
      ["files: ['{module}.{language}.yml', '{language}.yml']", "syntax: 'percent-brace'"],
    ],
    [
      'a language other than English as the most complete one',
      { 'lang/de/a.json': json({ A: 'a', B: 'b' }), 'lang/cs/a.json': json({ A: 'a' }) },
      {},
      ["from: 'lang'", "defaultLanguage: 'de'"],
    ],
  ])('writes what deviates from the defaults: %s', async (_, files, dependencies, expected) => {
    await writeApp(
      files as unknown as Record<string, string>,
      dependencies as Record<string, string>,
    )
    const { code, stdout, stderr } = await init()
    expect(code, stdout + stderr).toBe(0)
    const config = await read('servicekit.config.ts')
    for (const line of expected) expect(config).toContain(line)
    expect(await readFile(join(root, '.servicekit/types/uilm.d.ts'), 'utf8')).toContain('Language')
  })

  it('names a mistake in a file, and writes nothing', async () => {
    await writeApp({ 'locales/en/a.json': '{\n  "A": "a",\n}\n' })
    const { code, stderr } = await init('--from', join(root, 'locales'))
    expect(code).not.toBe(0)
    expect(stderr).toContain(
      `${join(root, 'locales/en/a.json')}:2:11: there is a comma after the last value`,
    )
    expect(await readdir(root)).not.toContain('servicekit.config.ts')
  })
})
