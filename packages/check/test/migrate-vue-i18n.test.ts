import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { CatalogOptions } from '@servicekit/catalog'
import { finish, migrate } from '../src/index.ts'
import { application } from '@servicekit/testing/application'
import { type ReadableReport, readableReport, reasons } from './migrate-report.ts'

const vueApp = fileURLToPath(new URL('../../../fixtures/apps/vite-vue', import.meta.url))

const texts = {
  'en-US/common': {
    SAVE: 'Save',
    'More info on:': 'More info on: {0}',
    Date: 'Date',
    status: 'Status',
    HELLO: 'Hello {name}',
    DAYS: '{n} day | {n} days',
    ITEMS: '{name}: no items | {name}: one item | {name}: {count} items',
    LINKED: 'See @:MISSING',
    'form.title': 'Title',
  },
  'en-US/auth': { LOGIN: 'Sign in' },
}

const setup = {
  'src/i18n.js': `import { createI18n } from 'vue-i18n'
import en from './lang/en.json'

export const i18n = createI18n({ locale: 'en', messages: { en } })
`,
  'src/main.js': `import { createApp } from 'vue'
import App from './app.vue'
import { i18n } from './i18n'

createApp(App).use(i18n).mount('#app')
`,
}

async function run(
  code: Readonly<Record<string, string>>,
  options: CatalogOptions = { syntax: 'vue-i18n' },
): Promise<ReadableReport> {
  const { root, project } = await application(texts, { ...setup, ...code }, options)
  await symlink(join(vueApp, 'node_modules'), join(root, 'node_modules'))
  return readableReport(await finish(migrate({ project, sources: ['src'], write: true })))
}

describe('an application of vue-i18n', () => {
  it('calls messages in the template of a component with options through its methods', async () => {
    const report = await run({
      'src/card.vue': `<template>
  <h1 :title="$t('HELLO', { name: name.trim() })">{{ $t("SAVE") }}</h1>
  <p>{{ $t('More info on:', [$t('auth.LOGIN')]) }} {{ $t('DAYS', 3) }} {{ $t('form.title') }}</p>
</template>

<script>
export default {
  props: ["status", "name"],
  computed: {
    label() {
      return this.$t("status") + this.$t("ITEMS", { name: this.name }, this.list.length);
    },
  },
  methods: {
    save() {},
  },
};
</script>
`,
    })
    expect(reasons(report)).toEqual([])
    expect(report.text('src/card.vue')).toMatchInlineSnapshot(`
      "<template>
        <h1 :title="HELLO({ name: name.trim() })">{{ SAVE() }}</h1>
        <p>{{ moreInfoOn({ 0: LOGIN() }) }} {{ DAYS({ n: 3 }) }} {{ formTitle() }}</p>
      </template>

      <script>
      import { LOGIN } from '~uilm/auth'
      import {
        DAYS,
        HELLO,
        ITEMS,
        'More info on:' as moreInfoOn,
        SAVE,
        'form.title' as formTitle,
        status as statusText,
      } from '~uilm/common'
      export default {
        props: ["status", "name"],
        computed: {
          label() {
            return statusText() + ITEMS({ name: this.name, count: this.list.length });
          },
        },
        methods: {
          DAYS,
          HELLO,
          LOGIN,
          SAVE,
          formTitle,
          moreInfoOn,
          save() {},
        },
      };
      </script>
      "
    `)
  })

  it('adds the methods, or a script, to a component without them', async () => {
    const report = await run({
      'src/options.vue': `<script lang="ts">
import { defineComponent } from 'vue'
export default defineComponent({
  name: 'Options',
})
</script>
<template><p>{{ $t('SAVE') }}</p></template>
`,
      'src/template.vue': `<template><p>{{ $t('SAVE') }}</p></template>\n`,
    })
    expect(reasons(report)).toEqual([])
    expect(report.text('src/options.vue')).toMatchInlineSnapshot(`
      "<script lang="ts">
      import { defineComponent } from 'vue'
      import { SAVE } from '~uilm/common'
      export default defineComponent({
        methods: { SAVE },
        name: 'Options',
      })
      </script>
      <template><p>{{ SAVE() }}</p></template>
      "
    `)
    expect(report.text('src/template.vue')).toMatchInlineSnapshot(`
      "<template><p>{{ SAVE() }}</p></template>

      <script setup>
      import { SAVE } from '~uilm/common'
      </script>
      "
    `)
  })

  it('avoids names of the template, of mixins and of the global object', async () => {
    const report = await run({
      'src/mixin.js': `export default { data: () => ({ SAVE: 1 }), created() { this.SAVE++ } }\n`,
      'src/page.vue': `<template><p>{{ $t('SAVE') }} {{ $t('Date') }}</p></template>
<script>
import mixin from './mixin'
export default { mixins: [mixin] }
</script>
`,
    })
    expect(report.text('src/page.vue')).toMatchInlineSnapshot(`
      "<template><p>{{ SAVE_TEXT() }} {{ DateText() }}</p></template>
      <script>
      import mixin from './mixin'
      import { Date as DateText, SAVE as SAVE_TEXT } from '~uilm/common'
      export default { methods: { DateText, SAVE_TEXT }, mixins: [mixin] }
      </script>
      "
    `)
  })

  it('is rewritten in script setup and in modules, and then followed in both directions', async () => {
    const report = await run({
      'src/setup.vue': `<script setup>
import { useI18n } from 'vue-i18n'
const { t } = useI18n()
const label = t('SAVE')
</script>
<template><p>{{ t('HELLO', { name: label }) }} {{ $t('DAYS', { n: 2 }) }}</p></template>
`,
      'src/toast.js': `import { i18n } from './i18n'
export const toast = () => i18n.global.t('SAVE')
`,
    })
    expect(reasons(report)).toEqual([])
    expect(report.text('src/setup.vue')).toMatchInlineSnapshot(`
      "<script setup>
      import { DAYS, HELLO, SAVE } from '~uilm/common'
      const label = SAVE()
      </script>
      <template><p>{{ HELLO({ name: label }) }} {{ DAYS({ n: 2 }) }}</p></template>
      "
    `)
    expect(report.text('src/toast.js')).toMatchInlineSnapshot(`
      "import './i18n'
      import { SAVE } from '~uilm/common'
      export const toast = () => SAVE()
      "
    `)
    expect(report.text('src/i18n.js')).toBe(`import { createI18n } from 'vue-i18n'
import en from './lang/en.json'
import { syncLanguage } from '~uilm/vue'

export const i18n = createI18n({ locale: 'en', messages: { en } })
syncLanguage(i18n)
`)
  })

  it('keeps calls whose arguments or messages are not visible, with the reason', async () => {
    const report = await run({
      'src/page.vue': `<template>
  <p>{{ $t('DAYS', days) }}</p>
  <p>{{ $t('SAVE', 'a default') }}</p>
  <p>{{ $t('LINKED') }}</p>
  <p>{{ $t('DAYS') }}</p>
  <p>{{ $t('HELLO', { name: 'x' }, { locale: 'de' }) }}</p>
  <p>{{ $t(key) }}</p>
  <p>{{ $t('SAVE', 2) }}</p>
  <p>{{ $t('SAVE', ['x']) }}</p>
</template>
<script>
export default { data: () => ({ key: 'SAVE', days: 2 }) }
</script>
`,
      'src/own.vue': `<script>
export default { i18n: { messages: { en: { SAVE: 'Keep' } } } }
</script>
<template><p>{{ $t('SAVE') }}</p></template>
`,
      'src/block.vue': `<i18n>{ "en": { "SAVE": "Keep" } }</i18n>
<template><p>{{ $t('SAVE') }}</p></template>
`,
      'src/local.vue': `<script setup>
import { useI18n } from 'vue-i18n'
const { t } = useI18n({ messages: { en: { SAVE: 'Keep' } } })
</script>
<template><p>{{ t('SAVE') }}</p></template>
`,
    })
    expect(report.calls).toBe(0)
    expect(reasons(report)).toMatchInlineSnapshot(`
      [
        "block.vue:2 $t('SAVE'): the component has messages of its own",
        "local.vue:5 t('SAVE'): t may have messages of its own",
        "own.vue:4 $t('SAVE'): the component has messages of its own",
        "page.vue:2 $t('DAYS', days): it is not visible whether its argument is a number, a list or an object",
        "page.vue:3 $t('SAVE', 'a default'): it uses a default message or a language",
        "page.vue:4 $t('LINKED'): the translation links another message with @:",
        "page.vue:5 $t('DAYS'): it omits the argument n",
        "page.vue:6 $t('HELLO', { name: 'x' }, { locale: 'de' }): it uses options",
        "page.vue:7 $t(key): the key is known only at run time",
        "page.vue:8 $t('SAVE', 2): the message has no plural forms for its number",
        "page.vue:9 $t('SAVE', ['x']): the message has no parameter 0",
      ]
    `)
  })

  it('replaces <i18n-t> by <Markup>, whose slots fill the parameters', async () => {
    const report = await run({
      'src/setup.vue': `<script setup>
import { ref } from 'vue'
const shown = ref(true)
const days = 2
</script>
<template>
  <!-- <i18n-t keypath="SAVE" /> -->
  <i18n-t keypath="HELLO" tag="p" class="text" v-if="shown" scope="global">
    <template #name><b :title="$t('SAVE')">you</b></template>
  </i18n-t>
  <i18n-t tag="span" keypath="More info on:"><a href="/x">{{ $t('SAVE') }}</a></i18n-t>
  <I18nT keypath="More info on:">text {{ days }}</I18nT>
  <i18n-t keypath="DAYS" :plural="days"></i18n-t>
  <i18n-t keypath='SAVE' tag="i" />
</template>
`,
      'src/options.vue': `<template>
  <i18n-t keypath="HELLO" tag="p"><template v-slot:name>you</template></i18n-t>
</template>
<script>
export default { components: { Other } }
</script>
`,
    })
    expect(reasons(report)).toEqual([])
    expect(report.calls).toBe(8)
    expect(report.text('src/setup.vue')).toMatchInlineSnapshot(`
      "<script setup>
      import { ref } from 'vue'
      import { DAYS, HELLO, 'More info on:' as moreInfoOn, SAVE } from '~uilm/common'
      import { Markup } from '~uilm/vue'
      const shown = ref(true)
      const days = 2
      </script>
      <template>
        <!-- <i18n-t keypath="SAVE" /> -->
        <p class="text" v-if="shown"><Markup :message="HELLO" :slots="['name']">
          <template #name><b :title="SAVE()">you</b></template>
        </Markup></p>
        <span><Markup :message="moreInfoOn" :slots="[0]"><template #0><a href="/x">{{ SAVE() }}</a></template></Markup></span>
        <Markup :message="moreInfoOn" :slots="[0]"><template #0>text {{ days }}</template></Markup>
        <Markup :message="DAYS" :args="{ n: days }"></Markup>
        <i><Markup :message="SAVE" /></i>
      </template>
      "
    `)
    expect(report.text('src/options.vue')).toMatchInlineSnapshot(`
      "<template>
        <p><Markup :message="HELLO" :slots="['name']"><template v-slot:name>you</template></Markup></p>
      </template>
      <script>
      import { HELLO } from '~uilm/common'
      import { Markup } from '~uilm/vue'
      export default { methods: { HELLO }, components: { Markup, Other } }
      </script>
      "
    `)
  })

  it('keeps an <i18n-t> whose parameters are not visible, with the reason', async () => {
    const report = await run({
      'src/page.vue': `<template>
  <i18n-t :keypath="key" tag="p"><b>you</b></i18n-t>
  <i18n-t keypath="NOPE" tag="p" />
  <i18n-t keypath="HELLO" tag="p" />
  <i18n-t keypath="HELLO" tag="p"><b>you</b></i18n-t>
  <i18n-t keypath="HELLO" class="x"><template #name>you</template></i18n-t>
  <i18n-t keypath="HELLO" :tag="tag"><template #name>you</template></i18n-t>
  <i18n-t keypath="HELLO" locale="de"><template #name>you</template></i18n-t>
  <i18n-t keypath="HELLO"><template #name>you</template><b>more</b></i18n-t>
  <i18n-t keypath="More info on:"><b v-for="one of list">{{ one }}</b></i18n-t>
  <i18n-t keypath="More info on:"><b>a</b> <b>b</b></i18n-t>
  <i18n-t keypath="DAYS" :plural="count()"></i18n-t>
</template>
<script setup>
const key = 'SAVE'
</script>
`,
    })
    expect(report.calls).toBe(0)
    expect(reasons(report)).toMatchInlineSnapshot(`
      [
        "page.vue:3 "NOPE": the key does not exist",
        "page.vue:4 "HELLO": it omits the argument name",
        "page.vue:5 "HELLO": it omits the argument name",
        "page.vue:6 "HELLO": it has attributes, but no tag",
        "page.vue:7 "HELLO": its tag is known only at run time",
        "page.vue:8 "HELLO": it has a fixed language",
        "page.vue:9 "HELLO": it has both slots and other content",
        "page.vue:10 "More info on:": the number of the values in its content is not visible",
        "page.vue:11 "More info on:": its content has white space between elements of one line",
        "page.vue:12 "DAYS": its number is not a name",
        "page.vue:2 <i18n-t :keypath="key" tag="p"><b>you</b></i18n-t>: the key is known only at run time",
      ]
    `)
  })

  it('needs the syntax of vue-i18n for messages with plurals and parameters', async () => {
    const report = await run(
      { 'src/page.vue': `<template><p>{{ $t('SAVE') }} {{ $t('DAYS', 1) }}</p></template>\n` },
      {},
    )
    expect(report.calls).toBe(1)
    expect(reasons(report)).toEqual([
      "page.vue:1 $t('DAYS', 1): the translation needs the option syntax: 'vue-i18n'",
    ])
  })
})
