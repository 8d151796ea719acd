import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openProject } from '@servicekit/catalog'
import { temporaryFolder } from '@servicekit/testing/folder'
import { Linter } from 'eslint'
import { beforeEach, describe, expect, it } from 'vitest'
import servicekit from '../src/eslint.ts'
import { check, finish, migrate, push, rename } from '../src/index.ts'

let root: string
const at = (path: string): string => join(root, path)
const read = (path: string) => readFile(at(path), 'utf8')

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(at(path)), { recursive: true })
    await writeFile(at(path), text)
  }
}
const open = () =>
  openProject(
    { root, from: { folder: 'messages', files: '{language}.json#{module}' }, syntax: 'icu' },
    { environment: {} },
  )

beforeEach(async () => {
  root = await temporaryFolder()
  await write({
    'package.json': '{"type": "module"}',
    'messages/en.json':
      '{\n  "cart": {\n    "title": "Cart",\n    "hello": "Hello {name}",\n    "gone": "Gone"\n  }\n}\n',
    'messages/de.json':
      '{\n  "cart": {\n    "title": "Korb",\n    "hello": "Hallo {nmae}"\n  }\n}\n',
    'src/main.ts': `import { title, hello } from '~uilm/cart'\nexport const all = [title(), hello({ name: 'x' })]\n`,
  })
})

describe('the files of an application', () => {
  it('are checked, with the line and column of each finding', async () => {
    const { findings } = await finish(check({ project: open() }))
    const places = findings.map(({ rule, file, line, column, key }) => [
      rule,
      key,
      file,
      line,
      column,
    ])
    expect(places).toContainEqual(['parameter', 'hello', 'messages/de.json', 4, 5])
    expect(places).toContainEqual(['unused', 'gone', 'messages/en.json', 5, 5])
    expect(places).toContainEqual(['missing', 'gone', 'messages/en.json', 5, 5])
  })

  it('get the keys that the code uses, and lose those that it does not', async () => {
    await write({
      'src/more.ts': `// uilm pay: Pay {sum}\nimport { pay } from '~uilm/cart'\nexport const text = pay({ sum: 1 })\n`,
    })
    const report = await push({ project: open(), prune: true, confirmPrune: async () => true })
    expect(report).toMatchObject({
      missing: [],
      added: [{ key: 'pay' }],
      pruned: [{ key: 'gone' }],
    })
    expect(await read('messages/en.json')).toBe(
      '{\n  "cart": {\n    "title": "Cart",\n    "hello": "Hello {name}",\n    "pay": "Pay {sum}"\n  }\n}\n',
    )
    expect(await read('.servicekit/types/uilm/cart.d.ts')).toMatch(/\bpay\b/)
    expect(await read('.servicekit/types/uilm/cart.d.ts')).not.toMatch(/\bgone\b/)
  })

  it('are renamed with the code', async () => {
    const report = await rename({ project: open(), module: 'cart', from: 'title', to: 'heading' })
    expect(report).toMatchObject({ written: true, unrenamed: [] })
    expect(await read('messages/de.json')).toContain('    "heading": "Korb",\n    "hello"')
    expect(await read('src/main.ts')).toContain('import { heading, hello }')
  })

  it('are read by the lint rules, again when they change', async () => {
    const linter = new Linter({ cwd: root })
    const lint = () =>
      linter
        .verify(
          "import { title, titel } from '~uilm/cart'\nconsole.log(title(), titel())\n",
          [
            {
              plugins: { servicekit: servicekit as never },
              rules: { 'servicekit/no-unknown-key': 'error' },
              settings: {
                servicekit: { from: { folder: 'messages', files: '{language}.json#{module}' } },
              },
            },
          ],
          { filename: at('src/lint.js') },
        )
        .map(({ message }) => message)
    expect(lint()).toEqual([
      expect.stringContaining('Key titel does not exist in the module cart.'),
    ])
    await write({ 'messages/en.json': '{"cart": {"title": "Cart", "titel": "C"}}' })
    expect(lint()).toEqual([])
  })

  it('give migrate the keys of next-intl, whose namespace is the module', async () => {
    await write({
      'src/cart.tsx': `import { useTranslations } from 'next-intl'
export function Cart() {
  const t = useTranslations('cart')
  return <h1>{t('title')}{t('hello', { name: 'x' })}</h1>
}
`,
    })
    const before = await read('messages/en.json')
    const files = []
    for await (const file of migrate({ project: open(), sources: ['src'] })) files.push(file)
    expect(files).toMatchObject([{ file: 'src/cart.tsx' }])
    const migrated = JSON.stringify(files)
    expect(migrated).toContain("from '~uilm/cart'")
    expect(migrated).toContain('hello({ name: ')
    expect(await read('messages/en.json')).toBe(before)
  })
})
