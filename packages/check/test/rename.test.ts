import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyDraft, KeyRename, KeyWriter } from '@servicekit/catalog'
import { describe, expect, it } from 'vitest'
import { readSources, readUsage, rename, type RenameOptions } from '../src/index.ts'
import { application } from '@servicekit/testing/application'
import { bytesIn } from '@servicekit/testing/folder'

const texts = {
  'en-US/cart': { PAY: 'Pay', OTHER: 'Other', ITEMS_one: 'one', ITEMS_other: 'many' },
  'de-DE/cart': { PAY: 'Zahlen' },
}

/** Writer with keys in memory. It stops at a call of `rename` if `failing` is set. */
function memoryWriter() {
  const state = { keys: new Set(Object.keys(texts['en-US/cart'])), failing: '' }
  const writer: KeyWriter = {
    name: 'the memory',
    list: async () => [...state.keys].map((key): KeyDraft => ({ module: 'cart', key, text: 'x' })),
    create: async () => true,
    rename: async (renames: readonly KeyRename[]) => {
      if (state.failing === 'before') throw new Error('cut off')
      for (const { from, to } of renames) if (state.keys.delete(from)) state.keys.add(to)
      if (state.failing === 'after') throw new Error('cut off')
      return true
    },
  }
  return { state, writer }
}

async function open(code: Record<string, string>) {
  const { root, project } = await application(texts, code)
  await project.writeTypes(await project.load())
  const { state, writer } = memoryWriter()
  const run = (more: Partial<RenameOptions> = {}) =>
    rename({ project, writer, module: 'cart', from: 'PAY', to: 'PAY_NOW', ...more })
  const read = (path: string) => readFile(join(root, path), 'utf8')
  /** Returns the unknown keys of the code, and the number of uses of a key. */
  const usage = async (key: string) => {
    const { unknown, usages } = readUsage(
      await project.load(),
      readSources(project.options, ['src']),
    )
    return { unknown, uses: usages.filter((one) => one.key === key).length }
  }
  return { root, project, state, run, read, usage }
}

describe('rename', () => {
  it('keeps the permissions of a file', async () => {
    const { root, run } = await open({ 'src/a.js': "import { PAY } from '~uilm/cart'\nPAY()\n" })
    await chmod(join(root, 'src/a.js'), 0o755)
    expect(await run()).toMatchObject({ written: true })
    expect((await stat(join(root, 'src/a.js'))).mode & 0o777).toBe(0o755)
  })

  it.each([
    [
      'an import',
      `import { PAY } from '~uilm/cart'\nf(PAY(), <p a={PAY}/>, x.PAY, { PAY: 1 })`,
      `import { PAY_NOW } from '~uilm/cart'\nf(PAY_NOW(), <p a={PAY_NOW}/>, x.PAY, { PAY: 1 })`,
    ],
    [
      'an alias',
      `import { OTHER, PAY as pay } from "~uilm/cart"; pay()`,
      `import { OTHER, PAY_NOW as pay } from "~uilm/cart"; pay()`,
    ],
    [
      'a taken name',
      `import { PAY } from '~uilm/cart'\nconst PAY_NOW = PAY()`,
      `import { PAY_NOW as PAY } from '~uilm/cart'\nconst PAY_NOW = PAY()`,
    ],
    [
      'a shadowed name',
      `import { PAY } from '~uilm/cart'\nPAY(); const f = (PAY) => PAY()`,
      `import { PAY_NOW } from '~uilm/cart'\nPAY_NOW(); const f = (PAY) => PAY()`,
    ],
    [
      'a shorthand property',
      `import { PAY } from '~uilm/cart'\nexport const all = { PAY }`,
      `import { PAY_NOW } from '~uilm/cart'\nexport const all = { PAY: PAY_NOW }`,
    ],
    [
      'an export of an import',
      `import { PAY } from '~uilm/cart'\nexport { PAY }`,
      `import { PAY_NOW } from '~uilm/cart'\nexport { PAY_NOW as PAY }`,
    ],
    [
      'a re-export',
      `export { PAY, OTHER } from '~uilm/cart'`,
      `export { PAY_NOW as PAY, OTHER } from '~uilm/cart'`,
    ],
    [
      'a namespace',
      `import * as cart from '~uilm/cart'\ncart.PAY() + cart['PAY']() + cart.OTHER()`,
      `import * as cart from '~uilm/cart'\ncart.PAY_NOW() + cart['PAY_NOW']() + cart.OTHER()`,
    ],
    [
      'a dynamic import',
      `const { PAY, OTHER: o } = await import('~uilm/cart')\nPAY(o())`,
      `const { PAY_NOW: PAY, OTHER: o } = await import('~uilm/cart')\nPAY(o())`,
    ],
    [
      'a lookup',
      `import { messages } from '~uilm/cart/messages'\nmessages['PAY']`,
      `import { messages } from '~uilm/cart/messages'\nmessages['PAY_NOW']`,
    ],
    [
      'i18next',
      `import { useTranslation } from 'react-i18next'\nconst { t } = useTranslation('cart')\nt('PAY') + t("cart:PAY") + t('OTHER')`,
      `import { useTranslation } from 'react-i18next'\nconst { t } = useTranslation('cart')\nt('PAY_NOW') + t("cart:PAY_NOW") + t('OTHER')`,
    ],
  ])('changes %s', async (_, before, after) => {
    const { run, read, usage } = await open({ 'src/a.tsx': before })
    const uses = (await usage('PAY')).uses
    const report = await run()
    expect(report).toMatchObject({ written: true, unrenamed: [] })
    expect(await read('src/a.tsx')).toBe(after)
    expect(await usage('PAY_NOW')).toEqual({ unknown: [], uses })
  })

  it.each([
    [
      'a.vue',
      `<script setup>\nimport { PAY } from '~uilm/cart'\n</script>\n<template><p :title="PAY()">{{ PAY() }}</p></template>`,
      `<script setup>\nimport { PAY_NOW } from '~uilm/cart'\n</script>\n<template><p :title="PAY_NOW()">{{ PAY_NOW() }}</p></template>`,
    ],
    [
      'b.svelte',
      `<script>\n  import { PAY } from '~uilm/cart'\n</script>\n{#if PAY()}<p title={PAY()}>{PAY()}</p>{/if}`,
      `<script>\n  import { PAY_NOW } from '~uilm/cart'\n</script>\n{#if PAY_NOW()}<p title={PAY_NOW()}>{PAY_NOW()}</p>{/if}`,
    ],
    [
      'shadowed.svelte',
      `<script>\n  import { PAY } from '~uilm/cart'\n</script>\n{PAY()}{#each list as PAY}{PAY.x}{/each}`,
      `<script>\n  import { PAY_NOW as PAY } from '~uilm/cart'\n</script>\n{PAY()}{#each list as PAY}{PAY.x}{/each}`,
    ],
    [
      'options.vue',
      `<script>\nimport { PAY } from '~uilm/cart'\nexport default { methods: { PAY } }\n</script>\n<template>{{ PAY() }}</template>`,
      `<script>\nimport { PAY_NOW as PAY } from '~uilm/cart'\nexport default { methods: { PAY } }\n</script>\n<template>{{ PAY() }}</template>`,
    ],
  ])('changes the template of %s', async (name, before, after) => {
    const { run, read } = await open({ [`src/${name}`]: before })
    expect(await run()).toMatchObject({ written: true })
    expect(await read(`src/${name}`)).toBe(after)
  })

  it('renames all forms of a plural, and the snapshot with its types in every language', async () => {
    const { run, read, state, project } = await open({
      'src/a.ts': `import { ITEMS } from '~uilm/cart'\nITEMS({ count: 1 })`,
    })
    expect((await run({ from: 'ITEMS', to: 'THINGS' })).keys).toEqual([
      { module: 'cart', from: 'ITEMS_one', to: 'THINGS_one' },
      { module: 'cart', from: 'ITEMS_other', to: 'THINGS_other' },
    ])
    await run()
    expect([...state.keys].sort()).toEqual(['OTHER', 'PAY_NOW', 'THINGS_one', 'THINGS_other'])
    expect(JSON.parse(await read('uilm/de-DE/cart.json'))).toEqual({ PAY_NOW: 'Zahlen' })
    expect(await read('.servicekit/types/uilm/cart.d.ts')).toContain('PAY_NOW')
    // Renaming back leaves nothing pending.
    await run({ from: 'PAY_NOW', to: 'PAY' })
    expect(JSON.parse(await read('uilm.keys.json'))).toMatchObject({
      cart: { THINGS_one: { renamedFrom: 'ITEMS_one' } },
    })
    expect(await read('uilm.keys.json')).not.toContain('PAY')
    await project.load()
  })

  it('refuses an existing key, an unknown one, and computed uses, and writes nothing', async () => {
    const { root, run, state } = await open({
      'src/a.ts': `import { useTranslation } from 'react-i18next'
const { t } = useTranslation('cart')
const key = 'PAY'
t(key)`,
    })
    const before = await bytesIn(root)
    await expect(run({ to: 'OTHER' })).rejects.toThrow('The key OTHER of cart already exists')
    await expect(run({ from: 'PYA' })).rejects.toThrow('Unknown key "PYA". Did you mean "PAY"?')
    await expect(run({ module: 'crat' })).rejects.toThrow('Did you mean "cart"?')
    await expect(run({ to: 'PAY' })).rejects.toThrow('The new key must differ from PAY')
    state.keys.add('DRAFTED')
    await expect(run({ to: 'DRAFTED' })).rejects.toThrow('The key DRAFTED of cart already exists')
    expect(await run()).toMatchObject({
      written: false,
      unrenamed: [{ file: 'src/a.ts', line: 4, reason: 'the key is not written as a literal' }],
    })
    expect(await bytesIn(root)).toEqual(before)
    expect((await run({ force: true })).written).toBe(true)
  })

  it('shows the differences in a dry run', async () => {
    const { root, run, state } = await open({
      'src/a.ts': `import { PAY } from '~uilm/cart'\nPAY()\n`,
    })
    const before = await bytesIn(root)
    const { files } = await run({ dryRun: true })
    expect(files[0]!.diff).toContain(`\n-PAY()\n`)
    expect(files[0]!.diff).toContain(`\n+PAY_NOW()\n`)
    expect(await bytesIn(root)).toEqual(before)
    expect(state.keys.has('PAY_NOW')).toBe(false)
  })

  it.each(['before', 'after'])(
    'is completed by a second run if it is cut off %s the target changes',
    async (failing) => {
      const { root, run, state, usage } = await open({
        'src/a.ts': `import { PAY } from '~uilm/cart'\nPAY()\n`,
        'src/b.ts': `import { PAY } from '~uilm/cart'\nPAY()\n`,
      })
      state.failing = failing
      await expect(run()).rejects.toThrow('cut off')
      state.failing = ''
      await expect(run({ to: 'ELSE' })).rejects.toThrow('Another rename was interrupted')
      // As if the process had also been killed between two files.
      await writeFile(join(root, 'src/a.ts'), `import { PAY_NOW } from '~uilm/cart'\nPAY_NOW()\n`)
      expect(await run()).toMatchObject({ written: true })
      expect(await usage('PAY_NOW')).toEqual({ unknown: [], uses: 2 })
      expect([...state.keys].sort()).toEqual(['ITEMS_one', 'ITEMS_other', 'OTHER', 'PAY_NOW'])
      await expect(run()).rejects.toThrow('Unknown key "PAY"')
    },
  )
})

describe('a source file that is not UTF-8', () => {
  it.each([
    ['latin1', 'latin1', ''],
    ['UTF-16 with a mark', 'utf16le', '\ufeff'],
    ['UTF-16 without a mark', 'utf16le', ''],
  ] as const)('but %s is refused before anything is written', async (_, encoding, mark) => {
    const code = `import { PAY } from '~uilm/cart'\n// Währung\nPAY()\n`
    const { root, state, run } = await open({ 'src/other.ts': code, 'src/page.ts': code })
    await writeFile(join(root, 'src/page.ts'), Buffer.from(mark + code, encoding))
    const before = await bytesIn(root)
    await expect(run()).rejects.toThrow(/src\/page\.ts[\s\S]*UTF-8/)
    expect(await bytesIn(root)).toEqual(before)
    expect([...state.keys]).toContain('PAY')
  })
})
