import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addKeys, type KeyDraft, type KeyWriter } from '@servicekit/catalog'
import { describe, expect, it } from 'vitest'
import { push, type PushOptions } from '../src/index.ts'
import { readComments } from '../src/push/comments.ts'
import { application } from '@servicekit/testing/application'
import { bytesIn } from '@servicekit/testing/folder'

const texts = {
  'en-US/cart': { PAY: 'Pay', OLD: 'Old', ITEMS_one: 'one', ITEMS_other: 'many' },
  'de-DE/cart': { PAY: 'Zahlen' },
}

/** Writer with keys in memory. */
function memoryWriter(keys: readonly KeyDraft[]) {
  const known = new Map(keys.map((one) => [`${one.module} ${one.key}`, one]))
  const writer: KeyWriter = {
    name: 'the memory',
    list: async () => [...known.values()],
    create: async (drafts) => {
      for (const one of drafts) known.set(`${one.module} ${one.key}`, one)
      return true
    },
    remove: async (ids) => {
      for (const { module, key } of ids) known.delete(`${module} ${key}`)
    },
  }
  return { known, writer }
}

async function run(code: Record<string, string>, options: Partial<PushOptions> = {}) {
  const { root, project } = await application(texts, code)
  const { known, writer } = memoryWriter(
    Object.entries(texts['en-US/cart']).map(([key, text]) => ({ module: 'cart', key, text })),
  )
  const again = (more: Partial<PushOptions> = {}) => push({ project, writer, ...options, ...more })
  return { root, project, known, again, report: await again() }
}

describe('push', () => {
  it('refuses a text whose translation has another parameter', async () => {
    const { project } = await application(
      { 'en-US/cart': { PAY: 'Pay' }, 'de-DE/cart': { PAY: 'Zahlen', HELLO: 'Hallo {{name}}' } },
      { 'src/a.ts': "import { HELLO } from '~uilm/cart'\nHELLO()" },
    )
    const { known, writer } = memoryWriter([])
    const details = { cart: { HELLO: { text: 'Hello' } } }
    await writeFile(join(project.options.root, 'uilm.keys.json'), JSON.stringify(details))
    await expect(push({ project, writer })).rejects.toThrow(
      'The text of "HELLO" (de-DE) uses the unknown parameter name; its fallback is shown',
    )
    expect(known.size).toBe(0)
  })

  it('takes texts from comments beside uses, with context and length', async () => {
    const { report, known, project, again } = await run({
      'src/a.tsx': `import { PAY, CHECKOUT, TOTAL, NEXT, BACK } from '~uilm/cart'
// uilm BACK (link above the list; max 20): Back to the cart:
export const A = () => <p title={CHECKOUT() /* uilm: Check out */}>
  {PAY()} {/* uilm: Total of all items */}
  {TOTAL()}
  {NEXT()} {BACK()}
</p>`,
      'src/b.vue': `<script setup>
import * as cart from '~uilm/cart'
</script>
<template><p>{{ cart.NEXT() }}</p> <!-- uilm: "Next " --></template>`,
    })
    expect(report.added).toEqual([
      { module: 'cart', key: 'CHECKOUT', text: 'Check out', usedIn: ['src/a.tsx'] },
      { module: 'cart', key: 'TOTAL', text: 'Total of all items', usedIn: ['src/a.tsx'] },
      { module: 'cart', key: 'NEXT', text: 'Next ', usedIn: ['src/a.tsx', 'src/b.vue'] },
      {
        module: 'cart',
        key: 'BACK',
        text: 'Back to the cart:',
        context: 'link above the list',
        maxLength: 20,
        usedIn: ['src/a.tsx'],
      },
    ])
    expect(known.has('cart CHECKOUT')).toBe(true)
    const model = await project.load()
    expect(model.modules[0]!.messages.map(({ key }) => key)).toContain('CHECKOUT')
    expect((await again()).added).toEqual([])
  })

  it('takes texts from default values, a file, and the user, in this order of precedence', async () => {
    const asked: string[] = []
    const { report } = await run(
      {
        'src/a.tsx': `import { useTranslation } from 'react-i18next'
import { COUNT, ASKED, LEFT } from '~uilm/cart'
export function A() {
  const { t } = useTranslation('cart')
  t('FIRST', 'First'); t('SECOND', { defaultValue: 'Second' }); t('THIRD', 'not this')
  return COUNT({ count: 1 }) + ASKED() + LEFT()
}`,
      },
      {
        texts: {
          cart: { THIRD: { text: 'Third', context: 'c' }, COUNT_one: 'one', COUNT_other: 'more' },
        },
        ask: async ({ key, file, line }) => {
          asked.push(`${key} ${file}:${line}`)
          return key === 'ASKED' ? 'Typed' : undefined
        },
      },
    )
    expect(asked).toEqual(['ASKED src/a.tsx:2', 'LEFT src/a.tsx:2'])
    expect(report.missing.map(({ key }) => key)).toEqual(['LEFT'])
    expect(Object.fromEntries(report.added.map(({ key, text }) => [key, text]))).toEqual({
      COUNT_one: 'one',
      COUNT_other: 'more',
      ASKED: 'Typed',
      FIRST: 'First',
      SECOND: 'Second',
      THIRD: 'Third',
    })
    expect(report.added.find(({ key }) => key === 'THIRD')).toMatchObject({ context: 'c' })
  })

  it('writes nothing in a dry run, and shows conflicts and unknown modules', async () => {
    const code = {
      'src/a.ts': `import { CHECKOUT } from '~uilm/cart' // uilm: Check out
import { HELLO } from '~uilm/crat' // uilm: Hello
import * as whole from '~uilm/gone'
export const all = [CHECKOUT, HELLO, whole]`,
    }
    const { report, root, known, again } = await run(code, { dryRun: true })
    const before = await bytesIn(root)
    expect(report).toMatchObject({
      added: [{ key: 'CHECKOUT' }],
      newModules: [{ module: 'crat', key: 'HELLO' }],
      unresolved: [{ module: 'gone', file: 'src/a.ts', line: 3 }],
    })
    expect(known.has('cart CHECKOUT')).toBe(false)
    known.set('cart CHECKOUT', { module: 'cart', key: 'CHECKOUT', text: 'Checkout' })
    expect((await again({ dryRun: false })).conflicts).toMatchObject([
      { key: 'CHECKOUT', text: 'Check out', existing: 'Checkout' },
    ])
    expect(known.get('cart CHECKOUT')).toMatchObject({ text: 'Checkout' })
    expect(await bytesIn(root)).toEqual(before)
    expect((await again({ dryRun: false, newModules: true })).added).toMatchObject([
      { module: 'crat', key: 'HELLO' },
    ])
  })

  it('adds a key of the target to the snapshot without a text in the code', async () => {
    const { known, again, project } = await run({
      'src/a.ts': `import { LATER } from '~uilm/cart'\nexport const a = LATER`,
    })
    known.set('cart LATER', { module: 'cart', key: 'LATER', text: 'Later' })
    expect(await again()).toMatchObject({
      missing: [],
      existing: [{ key: 'LATER', text: 'Later' }],
    })
    expect((await project.load()).modules[0]!.messages.map(({ key }) => key)).toContain('LATER')
  })

  it('creates pending keys again in a target that lost them', async () => {
    const { known, again, project } = await run({})
    await addKeys(project, [{ module: 'cart', key: 'KEPT', text: 'Kept' }], {
      writer: memoryWriter([]).writer,
    })
    expect((await again()).added).toEqual([{ module: 'cart', key: 'KEPT', text: 'Kept' }])
    known.set('cart KEPT', { module: 'cart', key: 'KEPT', text: 'Edited there' })
    expect(await again()).toMatchObject({ conflicts: [], existing: [{ text: 'Edited there' }] })
  })

  it('removes unused keys only if asked to', async () => {
    const code = { 'src/a.ts': `import { PAY } from '~uilm/cart'\nexport const a = PAY` }
    const { known, again, report } = await run(code)
    expect(report.pruned).toEqual([])
    const pruned = [
      { module: 'cart', key: 'ITEMS_one', text: 'one' },
      { module: 'cart', key: 'ITEMS_other', text: 'many' },
      { module: 'cart', key: 'OLD', text: 'Old' },
    ]
    expect((await again({ prune: true, dryRun: true })).pruned.toSorted(byKey)).toEqual(pruned)
    expect(known.size).toBe(4)
    expect((await again({ prune: true })).pruned.toSorted(byKey)).toEqual(pruned)
    expect([...known.keys()]).toEqual(['cart PAY'])
    expect((await again({ prune: true })).pruned).toEqual([])
  })

  it('removes nothing while a file is encoded in UTF-16, which TypeScript reads', async () => {
    const { root, known, again } = await run({ 'src/a.ts': '' })
    const code = `import { OLD } from '~uilm/cart'\nexport const a = OLD`
    for (const [name, mark] of [
      ['marked', '\ufeff'],
      ['unmarked', ''],
    ] as const) {
      await writeFile(join(root, `src/${name}.ts`), Buffer.from(mark + code, 'utf16le'))
    }
    await expect(again({ prune: true })).rejects.toThrow(/src\/marked\.ts[^]*src\/unmarked\.ts/)
    expect(known.size).toBe(4)
  })

  it('leaves the key file readable', async () => {
    const { root } = await run({
      'src/a.ts': `import { CHECKOUT } from '~uilm/cart' // uilm: Check out\nexport const a = CHECKOUT`,
    })
    expect(await readFile(join(root, 'uilm.keys.json'), 'utf8')).toBe(
      '{\n  "cart": {\n    "CHECKOUT": {"text":"Check out","usedIn":["src/a.ts"]}\n  }\n}\n',
    )
    await writeFile(join(root, 'src/a.ts'), '')
  })
})

const byKey = (a: { key: string }, b: { key: string }): number => (a.key < b.key ? -1 : 1)

it.each([
  ['// uilm: Check out', { key: undefined, text: 'Check out' }],
  ['x() // uilm A.b: Text: with colon ', { key: 'A.b', text: 'Text: with colon' }],
  ['{/* uilm: In JSX */}', { key: undefined, text: 'In JSX' }],
  ['<!-- uilm K: In a template -->', { key: 'K', text: 'In a template' }],
  [' * uilm K (c; max 5): Hi', { key: 'K', text: 'Hi', context: 'c', maxLength: 5 }],
  ['// uilm: " spaced "', { key: undefined, text: ' spaced ' }],
  ["import '~uilm/cart' // not uilm: x", undefined],
  ["const uilm = { a: 'b' }", undefined],
])('reads the comment %j', (line, expected) => {
  expect(readComments(line)).toEqual(expected ? [{ line: 1, ...expected }] : [])
})
