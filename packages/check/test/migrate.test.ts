import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { finish } from '../src/index.ts'
import { migrate, type MigratedFile } from '../src/index.ts'
import { application } from '@servicekit/testing/application'

const texts = {
  'en-US/auth': {
    SIGN_IN: 'Sign in',
    WELCOME: 'Hello {{name}}',
    ITEMS_one: '{{count}} item',
    ITEMS_other: '{{count}} items',
    'form.title': 'Title',
    NESTED: 'See $t(SIGN_IN)',
  },
  'en-US/common': { SAVE: 'Save', CANCEL: 'Cancel' },
}

const page = `'use client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

export function Page({ name, code }) {
  const { t } = useTranslation('auth')
  const [SAVE] = useState(1)
  return (
    <main title={t('SIGN_IN')}>
      <h1>{t('WELCOME', { name })}</h1>
      <p>{t('WELCOME', { name: t('common:SAVE') })}</p>
      <p>{t('ITEMS', { count: 2 })} {t('CANCEL', { ns: 'common' })}</p>
    </main>
  )
}
`

const mixed = `import i18n from "i18next";
import { Trans, useTranslation } from "react-i18next";

export const late = () => i18n.t("common:SAVE");
export function Row({ code, options }) {
  const { t } = useTranslation("auth");
  const form = useTranslation("auth", { keyPrefix: "form" });
  return [
    t("SIGN_IN"),
    form.t("title"),
    t(code),
    t(code ? "SIGN_IN" : "NESTED"),
    t(code ? "SIGN_IN" : code === 1 ? "auth:form.title" : "common:SAVE"),
    t(code ? "SIGN_IN" : "WELCOME", { name: "x" }),
    t("NOPE"),
    t("WELCOME"),
    t("WELCOME", options),
    t("WELCOME", { name: "x", extra: 1 }),
    t("SIGN_IN", { defaultValue: "x" }),
    t("ITEMS_one"),
    t("NESTED"),
    <Trans i18nKey="WELCOME" t={t} />,
  ];
}
export const Cell = (props) => props.t("SAVE");
`

async function run(code: Readonly<Record<string, string>>, write = false) {
  const { root, project } = await application(texts, code)
  const seen: MigratedFile[] = []
  const running = migrate({ project, write })
  const report = await finish(
    (async function* () {
      for (;;) {
        const step = await running.next()
        if (step.done) return step.value
        seen.push(step.value)
        yield
      }
    })(),
  )
  return { root, project, report, seen }
}

describe('migrate', () => {
  it('prints the changes without writing them', async () => {
    const { root, report, seen } = await run({ 'src/page.jsx': page })
    expect(report).toMatchObject({ calls: 6, written: 0, skipped: [] })
    expect(seen).toEqual(report.files)
    expect(await readFile(join(root, 'src/page.jsx'), 'utf8')).toBe(page)
    expect(report.files[0]!.diff).toMatchInlineSnapshot(`
      "--- a/src/page.jsx
      +++ b/src/page.jsx
      @@ -1,15 +1,17 @@
       'use client'
       import { useState } from 'react'
      -import { useTranslation } from 'react-i18next'
      +import { ITEMS, SIGN_IN, WELCOME } from '~uilm/auth'
      +import { CANCEL, SAVE as SAVE_TEXT } from '~uilm/common'
      +import { useLanguage } from '~uilm/react'
       
       export function Page({ name, code }) {
      -  const { t } = useTranslation('auth')
      +  useLanguage()
         const [SAVE] = useState(1)
         return (
      -    <main title={t('SIGN_IN')}>
      -      <h1>{t('WELCOME', { name })}</h1>
      -      <p>{t('WELCOME', { name: t('common:SAVE') })}</p>
      -      <p>{t('ITEMS', { count: 2 })} {t('CANCEL', { ns: 'common' })}</p>
      +    <main title={SIGN_IN()}>
      +      <h1>{WELCOME({ name })}</h1>
      +      <p>{WELCOME({ name: SAVE_TEXT() })}</p>
      +      <p>{ITEMS({ count: 2 })} {CANCEL()}</p>
           </main>
         )
       }
      "
    `)
  })

  it('imports by the route that a project without the plugin uses', async () => {
    const manifest = {
      imports: { '#messages/*': './messages/*.js' },
      scripts: { build: 'servicekit compile --out messages' },
    }
    const own = `import { SIGN_IN } from '../messages/auth.js'\nconsole.log(SIGN_IN())\n${page.replace("'use client'\n", '')}`
    const { report } = await run({
      'package.json': JSON.stringify(manifest),
      'src/own.jsx': own,
      'src/page.jsx': page,
    })
    const imports = report.files.map(({ text }) =>
      text.match(/^import .*(?:auth|common|\/react\b).*/gm),
    )
    expect(imports).toEqual([
      [
        "import { SIGN_IN } from '../messages/auth.js'",
        "import { ITEMS, WELCOME } from '../messages/auth.js'",
        "import { CANCEL, SAVE as SAVE_TEXT } from '../messages/common.js'",
        "import { useLanguage } from '../messages/react.js'",
      ],
      [
        "import { ITEMS, SIGN_IN, WELCOME } from '#messages/auth'",
        "import { CANCEL, SAVE as SAVE_TEXT } from '#messages/common'",
        "import { useLanguage } from '#messages/react'",
      ],
    ])
  })

  it('skips calls that it cannot prove, with the reason', async () => {
    const { report } = await run({ 'src/row.jsx': mixed })
    expect(report.skipped.map(({ line, code, reason }) => `${line} ${code}: ${reason}`))
      .toMatchInlineSnapshot(`
        [
          "11 t(code): the key is known only at run time",
          "12 t(code ? "SIGN_IN" : "NESTED"): the translation nests other messages with $t(…)",
          "14 t(code ? "SIGN_IN" : "WELCOME", { name: "x" }): it may use one of several keys",
          "15 t("NOPE"): the key does not exist",
          "16 t("WELCOME"): it omits the argument name",
          "17 t("WELCOME", options): it uses an argument that is not an object literal",
          "18 t("WELCOME", { name: "x", extra: 1 }): the message has no parameter extra",
          "19 t("SIGN_IN", { defaultValue: "x" }): it uses defaultValue",
          "20 t("ITEMS_one"): it uses one plural form by name",
          "21 t("NESTED"): the translation nests other messages with $t(…)",
          "22 "WELCOME": it omits the argument name",
          "25 props.t("SAVE"): the origin of t is unknown",
        ]
      `)
    expect(report.files[0]!.text).toMatchInlineSnapshot(`
      "import { Trans, useTranslation } from "react-i18next";
      import { SIGN_IN, "form.title" as formTitle } from "~uilm/auth";
      import { SAVE } from "~uilm/common";
      import { useLanguage } from "~uilm/react";

      export const late = () => SAVE();
      export function Row({ code, options }) {
        const { t } = useTranslation("auth");
        useLanguage();
        return [
          SIGN_IN(),
          formTitle(),
          t(code),
          t(code ? "SIGN_IN" : "NESTED"),
          (code ? SIGN_IN : code === 1 ? formTitle : SAVE)(),
          t(code ? "SIGN_IN" : "WELCOME", { name: "x" }),
          t("NOPE"),
          t("WELCOME"),
          t("WELCOME", options),
          t("WELCOME", { name: "x", extra: 1 }),
          t("SIGN_IN", { defaultValue: "x" }),
          t("ITEMS_one"),
          t("NESTED"),
          <Trans i18nKey="WELCOME" t={t} />,
        ];
      }
      export const Cell = (props) => props.t("SAVE");
      "
    `)
  })

  it('writes the files with the option write, and then finds nothing to do', async () => {
    const { root, project, report } = await run({ 'src/page.jsx': page }, true)
    expect(report.written).toBe(1)
    expect(await readFile(join(root, 'src/page.jsx'), 'utf8')).toBe(report.files[0]!.text)
    const again = await finish(migrate({ project, write: true }))
    expect(again).toMatchObject({ calls: 0, written: 0, skipped: [] })
  })

  it('writes no file if one cannot be written', async () => {
    const call = "import i18n from 'i18next'\nconsole.log(i18n.t('common:SAVE'))\n"
    // Too long for a temporary name beside it.
    const [short, long] = ['a.js', `${'b'.repeat(250)}.js`]
    const { root, project } = await application(texts, { [short]: call, [long]: call })
    const migrated = finish(migrate({ project, write: true }))
    await expect(migrated).rejects.toMatchObject({ code: 'EMIT_FAILED' })
    for (const file of [short, long]) expect(await readFile(join(root, file), 'utf8')).toBe(call)
  })

  it('keeps an edit that was made while it ran', async () => {
    const call = "import i18n from 'i18next'\nconsole.log(i18n.t('common:SAVE'))\n"
    const { root, project } = await application(texts, { 'a.js': call, 'b.js': call })
    const steps = migrate({ project, write: true })
    await steps.next()
    await writeFile(join(root, 'b.js'), `${call}// Edited\n`)
    await expect(finish(steps)).rejects.toMatchObject({
      code: 'EMIT_FAILED',
      details: { reason: 'it was changed meanwhile' },
    })
    expect(await readFile(join(root, 'a.js'), 'utf8')).toBe(call)
    expect(await readFile(join(root, 'b.js'), 'utf8')).toBe(`${call}// Edited\n`)
  })

  it('keeps the permissions of a file', async () => {
    const call =
      "#!/usr/bin/env node\nimport i18n from 'i18next'\nconsole.log(i18n.t('common:SAVE'))\n"
    const { root, project } = await application(texts, { 'a.js': call })
    await chmod(join(root, 'a.js'), 0o755)
    expect((await finish(migrate({ project, write: true }))).written).toBe(1)
    expect((await stat(join(root, 'a.js'))).mode & 0o777).toBe(0o755)
  })

  it('reuses existing imports and avoids used names', async () => {
    const { report } = await run({
      'a.ts': `import { SIGN_IN as enter } from '~uilm/auth'
import i18next from 'i18next'
const SAVE = 1
console.log(i18next.t('auth:SIGN_IN'), enter(), i18next.t('common:SAVE'), SAVE)
`,
    })
    expect(report.files[0]!.text).toBe(`import { SIGN_IN as enter } from '~uilm/auth'
import { SAVE as SAVE_TEXT } from '~uilm/common'
const SAVE = 1
console.log(enter(), enter(), SAVE_TEXT(), SAVE)
`)
  })

  it.each([
    ['FormatJS', `import { FormattedMessage } from 'react-intl'\n`, 'react-intl'],
    ['typesafe-i18n', `import { initReact } from 'typesafe-i18n/react'\n`, 'typesafe-i18n'],
  ])('refuses an application of %s before any work is done', async (library, code, name) => {
    await expect(run({ 'src/page.jsx': code }, true)).rejects.toMatchObject({
      message: expect.stringContaining(`Calls of ${library} are not converted yet`),
      details: { package: name, file: 'src/page.jsx' },
    })
    const both = await run({ 'src/page.jsx': code, 'src/other.jsx': page })
    expect(both.report.calls).toBe(6)
  })
})
