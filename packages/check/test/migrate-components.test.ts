import { symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { CatalogOptions } from '@servicekit/catalog'
import { finish } from '../src/index.ts'
import { migrate, type MigrateReport } from '../src/index.ts'
import { extractScript } from '../src/usage/extract-script.ts'
import { application } from '@servicekit/testing/application'
import { diagnosticsOf, writeApplication } from '@servicekit/testing/type-check'

const apps = fileURLToPath(new URL('../../../fixtures/apps', import.meta.url))

const texts = {
  'en-US/shop': {
    TITLE: 'Shop',
    HELLO: 'Hello {{name}}',
    ITEMS_one: '{{count}} item',
    ITEMS_other: '{{count}} items',
    PLACE_ordinal_one: '{{count}}st',
    PLACE_ordinal_two: '{{count}}nd',
    PLACE_ordinal_few: '{{count}}rd',
    PLACE_ordinal_other: '{{count}}th',
    BOLD: 'A <1>bold</1> word',
    TERMS: '{{name}}, <link>read</link> the <strong>terms</strong><br/>',
    FILES_one: '<b>One</b> file',
    FILES_other: '<b>{{count}}</b> files',
    NESTED: '<1>a <1>b</1></1>',
    SHARED: 'here',
  },
  'en-US/common': { SAVE: 'Save', SHARED: 'there', 'a.b': 'dotted' },
}

/** Declarations of the i18next packages, as far as the applications below use them. */
const packages = `
declare module 'i18next' {
  const i18next: { t: (key: string, options?: object) => string }
  export default i18next
}
declare module 'react-i18next' {
  export const useTranslation: (ns?: string | string[], options?: object) => { t: (key: string, options?: object) => string }
  export const Trans: (props: any) => any
}
declare module 'i18next-vue' {
  export const useTranslation: (ns?: string) => { t: (key: string, options?: object) => string }
  const plugin: object
  export default plugin
}
declare module 'next-intl' {
  type T = ((key: string, values?: object, formats?: object) => string) & { rich: (key: string, values?: object) => import('react').ReactNode, raw: (key: string) => unknown }
  export const useTranslations: (namespace?: string) => T
}
declare module 'next-intl/server' {
  export const getTranslations: (namespace?: string | { locale: string; namespace: string }) => Promise<import('next-intl').T>
}
declare module 'svelte-i18next' {
  export const createI18nStore: (i18n: object) => any
}
`

/**
 * Migrates an application with the packages of a sample application, and compiles the
 * result.
 */
async function run(
  app: 'react' | 'vue' | 'svelte',
  code: Readonly<Record<string, string>>,
  options: CatalogOptions = {},
): Promise<MigrateReport & { readonly root: string; readonly text: (file: string) => string }> {
  const { root, project } = await application(texts, code, options)
  await symlink(join(apps, `vite-${app}`, 'node_modules'), join(root, 'node_modules'))
  const report = await finish(migrate({ project, sources: ['src'], write: true }))
  await project.writeTypes(await project.load())
  const text = (file: string) => {
    const found = report.files.find((one) => one.file === file)?.text
    if (found === undefined) throw new Error(`${file} is as it was`)
    return found
  }
  return { ...report, root, text }
}

const reasons = ({ skipped }: MigrateReport): string[] =>
  skipped.map(({ file, line, code, reason }) => `${file.slice(4)}:${line} ${code}: ${reason}`)

describe('a component of Vue', () => {
  const card = `<script setup lang="ts">
import { ref } from 'vue'
import { useTranslation } from 'i18next-vue'

const props = defineProps<{ name: string }>()
const { t } = useTranslation('shop')
const count = ref(2)
const label = t('TITLE')
</script>

<template>
  <!-- {{ t('TITLE') }} -->
  <h1 :title="t('HELLO', { name: props.name })">{{ t('TITLE') }}</h1>
  <p v-if="t('TITLE')" @click="count++; label.at(0); t('TITLE')">{{ t('ITEMS', { count }) }}</p>
  <li v-for="one in [t('common:SAVE'), 'x']" :key="one">{{ one }}</li>
</template>
`

  it('is rewritten in script and template, which Vue parses and TypeScript compiles', async () => {
    const report = await run('vue', { 'src/card.vue': card })
    expect(report.skipped).toEqual([])
    expect(report.calls).toBe(7)
    const text = report.text('src/card.vue')
    expect(text).toMatchInlineSnapshot(`
      "<script setup lang="ts">
      import { ref } from 'vue'
      import { SAVE } from '~uilm/common'
      import { HELLO, ITEMS, TITLE } from '~uilm/shop'

      const props = defineProps<{ name: string }>()
      const count = ref(2)
      const label = TITLE()
      </script>

      <template>
        <!-- {{ t('TITLE') }} -->
        <h1 :title="HELLO({ name: props.name })">{{ TITLE() }}</h1>
        <p v-if="TITLE()" @click="count++; label.at(0); TITLE()">{{ ITEMS({ count }) }}</p>
        <li v-for="one in [SAVE(), 'x']" :key="one">{{ one }}</li>
      </template>
      "
    `)

    const require = createRequire(join(apps, 'vite-vue/package.json'))
    const name = 'vue/compiler-sfc'
    const { parse, compileScript } = require(name) as {
      parse: (text: string) => { descriptor: object }
      compileScript: (descriptor: object, options: object) => { content: string }
    }
    const compiled = (code: string) =>
      compileScript(parse(code).descriptor, { id: 'x', inlineTemplate: true }).content
    await writeApplication(
      report.root,
      'bundler',
      {
        'src/card.ts': compiled(text),
        'src/wrong.ts': compiled(text.replace('{ count }', '')),
        'src/packages.d.ts': packages,
      },
      { lib: ['es2023', 'dom'], skipLibCheck: true, noImplicitAny: false },
    )
    expect(diagnosticsOf(report.root)).toEqual([
      expect.stringMatching(/wrong\.ts.*Expected 1 arguments/),
    ])
  })

  it('is not rewritten if the template declares the name', async () => {
    const report = await run('vue', {
      'src/shadow.vue': `<script setup>
import { useTranslation } from 'i18next-vue'
const { t } = useTranslation('shop')
</script>
<template>
  <p v-for="t in []">{{ t('TITLE') }}</p>
  <TITLE />
</template>
`,
      'src/options.vue': `<script>
import i18next from 'i18next'
export default { computed: { title: () => i18next.t('shop:TITLE') } }
</script>
<template><p>{{ i18next.t('shop:TITLE') }}</p></template>
`,
    })
    expect(reasons(report)).toEqual([
      "options.vue:5 i18next.t('shop:TITLE'): the template cannot use names of its script",
      "shadow.vue:6 t('TITLE'): t is declared in the template",
    ])
    expect(report.text('src/options.vue')).toContain(`import i18next from 'i18next'
import { TITLE } from '~uilm/shop'
export default { computed: { title: () => TITLE() } }`)
  })

  it('uses $t of i18next unless something else defines it', async () => {
    const main = {
      'src/main.ts': `import I18NextVue from 'i18next-vue'\nexport const start = (app: any) => app.use(I18NextVue)\n`,
    }
    const page = {
      'src/page.vue': `<script setup>\nconst a = 1\n</script>\n<template><p>{{ $t('TITLE') }} {{ $t('SHARED') }}</p></template>\n`,
    }
    const report = await run('vue', { ...main, ...page })
    expect(report.text('src/page.vue')).toBe(
      `<script setup>\nimport { TITLE } from '~uilm/shop'\nconst a = 1\n</script>\n<template><p>{{ TITLE() }} {{ $t('SHARED') }}</p></template>\n`,
    )
    expect(reasons(report)).toEqual([
      "page.vue:4 $t('SHARED'): the namespace is unknown and may be common, shop",
    ])
    expect(reasons(await run('vue', page))).toEqual([
      "page.vue:4 $t('TITLE'): the origin of t is unknown",
      "page.vue:4 $t('SHARED'): the origin of t is unknown",
    ])
  })
})

describe('a component of Svelte', () => {
  it('is rewritten in script and template, which Svelte parses and TypeScript compiles', async () => {
    const report = await run('svelte', {
      'src/i18n.ts': `import i18next from 'i18next'\nimport { createI18nStore } from 'svelte-i18next'\nexport const i18n = createI18nStore(i18next)\n`,
      'src/card.svelte': `<script lang="ts">
  import i18next from 'i18next';
  import { i18n } from './i18n';

  let { name } = $props();
  let count = $state(2);
</script>

<h1 title={$i18n.t('shop:TITLE')}>{i18next.t('shop:HELLO', { name })}</h1>
{#each [$i18n.t('common:SAVE')] as one, at (one)}
  {@const label = $i18n.t('shop:ITEMS', { count })}
  <p>{one} {at} {label} {@html i18next.t('common:a.b')}</p>
{/each}
`,
      'src/shadow.svelte': `<script>
  import i18next from 'i18next'
</script>
{#snippet row(i18next)}<p>{i18next.t('shop:TITLE')}</p>{/snippet}
{@render row(i18next)}
`,
    })
    expect(reasons(report)).toEqual([
      "shadow.svelte:4 i18next.t('shop:TITLE'): t is declared in the template",
    ])
    const text = report.text('src/card.svelte')
    expect(text).toMatchInlineSnapshot(`
      "<script lang="ts">
        import i18next from 'i18next';
        import { i18n } from './i18n';
        import { SAVE, 'a.b' as aB } from '~uilm/common';
        import { HELLO, ITEMS, TITLE } from '~uilm/shop';

        let { name } = $props();
        let count = $state(2);
      </script>

      <h1 title={TITLE()}>{HELLO({ name })}</h1>
      {#each [SAVE()] as one, at (one)}
        {@const label = ITEMS({ count })}
        <p>{one} {at} {label} {@html aB()}</p>
      {/each}
      "
    `)
    const { text: script } = extractScript('card.svelte', text)
    const declared = 'declare const $props: any, $state: any, one: any, at: any;'
    await writeApplication(
      report.root,
      'bundler',
      { 'src/card.ts': `${script}\n${declared}`, 'src/packages.d.ts': packages },
      { skipLibCheck: true, noImplicitAny: false },
    )
    // The constant of the template becomes a separate statement there.
    expect(diagnosticsOf(report.root).filter((line) => !line.includes("'label'"))).toEqual([])
  })
})

describe('a call of next-intl', () => {
  it('becomes a call of the message, with the functions of its tags', async () => {
    const report = await run(
      'react',
      {
        'src/intl.tsx': `import { useTranslations } from 'next-intl'

export function Intl({ name, count }: { name: string; count: number }) {
  const t = useTranslations('shop')
  const form = useTranslations('common.a')
  const all = useTranslations()
  return (
    <main title={t('TITLE')}>
      {t('HELLO', { name })} {form('b')} {all('shop.TITLE')}
      {t.rich('TERMS', {
        name: t('TITLE'),
        link: (chunks) => <a href="/terms" title={t('TITLE')}>{chunks}</a>,
        strong: (chunks) => <strong>{chunks}</strong>,
        br: () => <br />,
      })}
      {t.rich('FILES', { count, b: (text) => <b>{text}</b> })}
      {t.rich('FILES', { count })}
      {t.rich('TITLE', { b: (text: string) => <b>{text}</b> })}
    </main>
  )
}
`,
        'src/page.tsx': `import { getTranslations } from 'next-intl/server'

export async function Page({ locale }: { locale: string }) {
  const t = await getTranslations('shop')
  const other = await getTranslations({ locale, namespace: 'shop' })
  return <h1 title={other('TITLE')}>{t.rich('BOLD', { 1: (text) => <b>{text}</b> })}</h1>
}
`,
        'src/raw.tsx': `import { useTranslations } from 'next-intl'

export function Raw({ name }: { name: string }) {
  const t = useTranslations('shop')
  return <p title={String(t.raw('TITLE'))}>{t('HELLO', { name }, {})}</p>
}
`,
      },
      { markup: { framework: 'react', numbered: true, selfClosing: true } },
    )
    expect(report.text('src/intl.tsx')).toMatchInlineSnapshot(`
      "import { useTranslations } from 'next-intl'
      import { 'a.b' as aB } from '~uilm/common'
      import { useLanguage } from '~uilm/react'
      import { FILES, HELLO, TERMS, TITLE } from '~uilm/shop'

      export function Intl({ name, count }: { name: string; count: number }) {
        const t = useTranslations('shop')
        useLanguage()
        const all = useTranslations()
        return (
          <main title={TITLE()}>
            {HELLO({ name })} {aB()} {all('shop.TITLE')}
            {TERMS({
              name: TITLE(),
              link: (chunks) => <a href="/terms" title={TITLE()}>{chunks}</a>,
              strong: (chunks) => <strong>{chunks}</strong>,
              br: () => <br />,
            })}
            {FILES({ count, b: (text) => <b>{text}</b> })}
            {t.rich('FILES', { count })}
            {t.rich('TITLE', { b: (text: string) => <b>{text}</b> })}
          </main>
        )
      }
      "
    `)
    expect(report.text('src/page.tsx')).toMatchInlineSnapshot(`
      "import { getTranslations } from 'next-intl/server'
      import { BOLD } from '~uilm/shop'

      export async function Page({ locale }: { locale: string }) {
        const other = await getTranslations({ locale, namespace: 'shop' })
        return <h1 title={other('TITLE')}>{BOLD({ 1: (text) => <b>{text}</b> })}</h1>
      }
      "
    `)
    expect(reasons(report)).toMatchInlineSnapshot(`
      [
        "intl.tsx:9 all('shop.TITLE'): the key does not exist",
        "intl.tsx:17 t.rich('FILES', { count }): it omits the argument b",
        "intl.tsx:18 t.rich('TITLE', { b: (text: string) => <b>{text}</b> }): the message has no tag b, or the option markup: 'react' is missing",
        "page.tsx:6 other('TITLE'): t has a fixed language",
        "raw.tsx:5 t('HELLO', { name }, {}): it has too many arguments",
      ]
    `)
    await writeApplication(
      report.root,
      'bundler',
      { 'src/packages.d.ts': packages },
      { jsx: 'react-jsx', skipLibCheck: true, lib: ['es2023', 'dom'] },
    )
    expect(diagnosticsOf(report.root)).toEqual([])
  })
})

describe('an element <Trans>', () => {
  it('becomes a call with a function for each of its elements', async () => {
    const report = await run(
      'react',
      {
        'src/rich.tsx': `import { Trans, useTranslation } from 'react-i18next'

export function Rich({ name, count }: { name: string; count: number }) {
  const { t } = useTranslation('shop')
  return (
    <main>
      <Trans i18nKey="BOLD" t={t}>A <b className="x">bold</b> word</Trans>
      <Trans i18nKey="BOLD" t={t} components={[<i />, <b />]} />
      <Trans i18nKey="BOLD" t={t} components={{ 1: <b title={name}></b> }} />
      <Trans i18nKey="TERMS" t={t} values={{ name, }} components={{ link: <a href="/terms" /> }} />
      <Trans i18nKey="FILES" t={t} count={count} components={{ b: <b /> }} />
      <Trans i18nKey="FILES" t={t} count={count} components={{ b: <b title={t('TITLE')} /> }} />
      <Trans i18nKey="FILES" t={t} count={count} />
      <Trans i18nKey="NESTED" t={t}>{''}<b>a <i>b</i></b></Trans>
      <Trans i18nKey="TITLE" t={t} components={{ b: <b /> }} />
    </main>
  )
}
`,
      },
      { markup: { framework: 'react', numbered: true, selfClosing: true } },
    )
    expect(report.text('src/rich.tsx')).toMatchInlineSnapshot(`
      "import { Trans, useTranslation } from 'react-i18next'
      import { useLanguage } from '~uilm/react'
      import { BOLD, FILES, TERMS, TITLE } from '~uilm/shop'

      export function Rich({ name, count }: { name: string; count: number }) {
        const { t } = useTranslation('shop')
        useLanguage()
        return (
          <main>
            {BOLD({ 1: (children) => <b className="x">{children}</b> })}
            <Trans i18nKey="BOLD" t={t} components={[<i />, <b />]} />
            {BOLD({ 1: (children) => <b title={name}>{children}</b> })}
            {TERMS({ name, link: (children) => <a href="/terms">{children}</a>, strong: (children) => <strong>{children}</strong>, br: () => <br /> })}
            {FILES({ count, b: (children) => <b>{children}</b> })}
            <Trans i18nKey="FILES" t={t} count={count} components={{ b: <b title={TITLE()} /> }} />
            <Trans i18nKey="FILES" t={t} count={count} />
            <Trans i18nKey="NESTED" t={t}>{''}<b>a <i>b</i></b></Trans>
            <Trans i18nKey="TITLE" t={t} components={{ b: <b /> }} />
          </main>
        )
      }
      "
    `)
    expect(reasons(report)).toMatchInlineSnapshot(`
      [
        "rich.tsx:8 "BOLD": the message has no tag 0",
        "rich.tsx:12 "FILES": its component for the tag b contains a call",
        "rich.tsx:13 "FILES": it has no component for the tag b",
        "rich.tsx:14 "NESTED": <Trans> nests elements",
        "rich.tsx:15 "TITLE": the message has no tags for its components",
      ]
    `)
    await writeApplication(
      report.root,
      'bundler',
      { 'src/packages.d.ts': packages },
      { jsx: 'react-jsx', skipLibCheck: true, lib: ['es2023', 'dom'] },
    )
    expect(diagnosticsOf(report.root)).toEqual([])
  })

  it('becomes a call if it renders only a message, in a component that re-renders', async () => {
    const report = await run('react', {
      'src/page.tsx': `import { Trans, useTranslation } from 'react-i18next'

export function Page({ name, count }: { name: string; count: number }) {
  const { t } = useTranslation('shop')
  return (
    <main>
      <Trans i18nKey="TITLE" t={t} />
      <Trans i18nKey="HELLO" ns="shop" values={{ name }}>
        Hello somebody
      </Trans>
      <Trans i18nKey="ITEMS" t={t} count={count} />
      {count > 1 && <Trans i18nKey="common:SAVE" />}
    </main>
  )
}
`,
      'src/other.tsx': `import { Trans } from 'react-i18next'

export const Other = () => {
  return [1].map((one) => <p key={one}><Trans i18nKey="TITLE" ns="shop" /></p>)
}
export const Short = () => <Trans i18nKey="TITLE" ns="shop" />
export const Rich = ({ name }: { name: string }) => {
  return (
    <>
      <Trans i18nKey="BOLD" ns="shop">A <b>bold</b> word</Trans>
      <Trans i18nKey="BOLD" ns="shop" components={[<b />]} />
      <Trans i18nKey="BOLD" ns="shop" />
      <Trans i18nKey="SHARED" />
      <Trans i18nKey="HELLO" ns="shop">Hello {{ name }}</Trans>
    </>
  )
}
`,
    })
    expect(report.text('src/page.tsx')).toMatchInlineSnapshot(`
      "import { SAVE } from '~uilm/common'
      import { useLanguage } from '~uilm/react'
      import { HELLO, ITEMS, TITLE } from '~uilm/shop'

      export function Page({ name, count }: { name: string; count: number }) {
        useLanguage()
        return (
          <main>
            {TITLE()}
            {HELLO({ name })}
            {ITEMS({ count })}
            {count > 1 && <>{SAVE()}</>}
          </main>
        )
      }
      "
    `)
    expect(report.text('src/other.tsx').split('export const Short')[0]).toMatchInlineSnapshot(`
      "import { Trans } from 'react-i18next'
      import { useLanguage } from '~uilm/react'
      import { TITLE } from '~uilm/shop'

      export const Other = () => {
        useLanguage()
        return [1].map((one) => <p key={one}>{TITLE()}</p>)
      }
      "
    `)
    expect(reasons(report)).toMatchInlineSnapshot(`
      [
        "other.tsx:6 "TITLE": it is not in the body of a component",
        "other.tsx:10 "BOLD": <Trans> contains elements",
        "other.tsx:11 "BOLD": the translation contains tags, which need the option markup: 'react'",
        "other.tsx:12 "BOLD": the translation contains tags, which need the option markup: 'react'",
        "other.tsx:13 "SHARED": the namespace is unknown and may be common, shop",
        "other.tsx:14 "HELLO": <Trans> contains elements",
      ]
    `)
    await writeApplication(
      report.root,
      'bundler',
      { 'src/packages.d.ts': packages },
      { jsx: 'react-jsx', skipLibCheck: true, lib: ['es2023', 'dom'] },
    )
    expect(diagnosticsOf(report.root)).toEqual([])
  })
})

describe('an ordinal', () => {
  it('is a separate message', async () => {
    const report = await run('react', {
      'src/a.ts': `import i18next from 'i18next'
export const all = (count: number, ordinal: boolean) => [
  i18next.t('shop:PLACE', { count, ordinal: true }),
  i18next.t('PLACE', { ordinal: true, count: 2, ns: 'shop' }),
  i18next.t('shop:ITEMS', { count, ordinal: true }),
  i18next.t('shop:PLACE', { count, ordinal }),
]
`,
    })
    expect(report.text('src/a.ts')).toContain(`  PLACE_ordinal({ count }),
  PLACE_ordinal({ count: 2 }),
`)
    expect(reasons(report)).toEqual([
      "a.ts:5 i18next.t('shop:ITEMS', { count, ordinal: true }): cardinal and ordinal forms do not match",
      "a.ts:6 i18next.t('shop:PLACE', { count, ordinal }): it uses ordinal",
    ])
    await writeApplication(report.root, 'bundler', { 'src/packages.d.ts': packages })
    expect(diagnosticsOf(report.root)).toEqual([])
  })
})

describe('a namespace', () => {
  it('is the first of several, or the one named in the key', async () => {
    const report = await run('react', {
      'src/a.tsx': `import { useTranslation } from 'react-i18next'
const NS = 'shop'
export function A() {
  const { t } = useTranslation(['shop', 'common'])
  const { t: own } = useTranslation(NS)
  return [t('SHARED'), t('SAVE'), t('SAVE', { ns: 'common' }), t('common:SAVE'), own('TITLE')].join()
}
`,
    })
    expect(reasons(report)).toEqual(["a.tsx:6 t('SAVE'): the namespace shop has no such key"])
    expect(report.text('src/a.tsx')).toContain(
      `[SHARED(), t('SAVE'), SAVE(), SAVE(), TITLE()].join()`,
    )
  })
})
