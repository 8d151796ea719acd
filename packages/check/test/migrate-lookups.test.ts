import { describe, expect, it } from 'vitest'
import { application } from '@servicekit/testing/application'
import { finish, migrate } from '../src/index.ts'
import { type ReadableReport, readableReport, reasons } from './migrate-report.ts'

const texts = {
  'en-US/common': {
    APRIL: 'April',
    MAY: 'May',
    SAVE: 'Save',
    'May I?': 'May I?',
    COUNT: '{{count}}',
  },
}
const months = `export const months = [
  { value: 4, label: 'APRIL' },
  { value: 5, label: 'MAY' },
]
`
const page = (code: string, imports = '') => `import { useTranslation } from 'react-i18next'
${imports}
export function Page() {
  const { t } = useTranslation('common')
  return ${code}
}
`
const importMonths = `import { months } from './months'\n`

async function run(code: Readonly<Record<string, string>>): Promise<ReadableReport> {
  const { project } = await application(texts, code)
  return readableReport(await finish(migrate({ project, sources: ['src'] })))
}

describe('a key that is computed from constants', () => {
  it('selects one of its messages', async () => {
    const report = await run({
      'src/months.ts': months,
      'src/page.tsx': page(
        `[...months.map((month) => t(month.label)), ...months.map(({ label }) => t(label!))]`,
        importMonths,
      ),
      'src/page.jsx': page(
        `Object.keys(names).map((one) => t(names[one].toUpperCase()))`,
        `const names = { a: 'april', b: 'may' }\n`,
      ),
    })
    expect(reasons(report)).toEqual([])
    expect(report.text('src/page.tsx')).toMatchInlineSnapshot(`
      "import { months } from './months'
      import { APRIL, MAY } from '~uilm/common'
      import { useLanguage } from '~uilm/react'

      const labelMessages: Partial<Record<string, () => string>> = { APRIL, MAY }

      export function Page() {
        useLanguage()
        return [...months.map((month) => labelMessages[month.label]?.() ?? month.label), ...months.map(({ label }) => labelMessages[label!]?.() ?? label!)]
      }
      "
    `)
    expect(report.text('src/page.jsx')).toMatchInlineSnapshot(`
      "import { APRIL, MAY } from '~uilm/common'
      import { useLanguage } from '~uilm/react'

      const keyMessages = { APRIL, MAY }
      const names = { a: 'april', b: 'may' }

      export function Page() {
        useLanguage()
        return Object.keys(names).map((one) => keyMessages[names[one].toUpperCase()]?.() ?? names[one].toUpperCase())
      }
      "
    `)
  })

  it('is followed through the properties that all elements of a component get', async () => {
    const report = await run({
      'src/dialog.tsx': `import { useTranslation } from 'react-i18next'
interface Props { title: string; button?: string }
export function Dialog({ title, button = 'SAVE' }: Props) {
  const { t } = useTranslation('common')
  return <p title={t(title)}>{t(button)}</p>
}
`,
      'src/page.tsx': page(
        `<><Dialog title="MAY" /><Dialog title={months[0].label} button="May I?" /></>`,
        `import { Dialog } from './dialog'\n${importMonths}`,
      ),
      'src/months.ts': months,
    })
    expect(reasons(report)).toEqual([])
    expect(report.text('src/dialog.tsx')).toMatchInlineSnapshot(`
      "import { APRIL, MAY, 'May I?' as mayI, SAVE } from '~uilm/common'
      import { useLanguage } from '~uilm/react'

      const titleMessages: Partial<Record<string, () => string>> = { APRIL, MAY }
      const buttonMessages: Partial<Record<string, () => string>> = { "May I?": mayI, SAVE }
      interface Props { title: string; button?: string }
      export function Dialog({ title, button = 'SAVE' }: Props) {
        useLanguage()
        return <p title={titleMessages[title]?.() ?? title}>{buttonMessages[button]?.() ?? button}</p>
      }
      "
    `)
  })

  it.each([
    ['a constant that code changes', `months.map((one) => t(one.label))`, `months.push(more)`],
    [
      'a constant whose elements code changes',
      `months.map((one) => t(one.label))`,
      `months[0].label = x`,
    ],
    ['a key that has no message', `t(other ? 'NOPE' : months[0].label)`, ''],
    ['a message with a parameter', `t(other ? 'COUNT' : months[0].label)`, ''],
    ['a list with unknown elements', `[...months, ...more].map((one) => t(one.label))`, ''],
    ['an object with unknown properties', `t({ label: 'MAY', ...more }.label)`, ''],
    ['options', `t(months[other].label, { lng: 'de' })`, ''],
  ])('is kept for %s', async (_title, code, more) => {
    const report = await run({
      'src/months.ts': months,
      'src/page.tsx': page(`[${code}, t('SAVE')]`, `${importMonths}${more}\n`),
    })
    expect(report.calls).toBe(1)
    expect(reasons(report)).toHaveLength(1)
  })

  it.each([
    ['passes a text', `<Title text={other} />`, ''],
    ['spreads its properties', `<Title {...other} />`, ''],
    ['is in a test, with another key', `<Title text="MAY" />`, '<Title text="Other" />'],
    ['passes the component on', `<Wrapper component={Title} />`, ''],
  ])('is kept in a component if an element %s', async (_title, code, test) => {
    const title = `import { useTranslation } from 'react-i18next'
export function Title({ text }) {
  const { t } = useTranslation('common')
  return <h1>{t(text)}</h1>
}
`
    const importTitle = `import { Title } from './title'\n`
    const report = await run({
      'src/title.jsx': title,
      'src/page.jsx': page(`<><Title text="APRIL" />${code}</>`, importTitle),
      ...(test && { 'src/title.test.jsx': `${importTitle}export const shown = ${test}\n` }),
    })
    expect(report.calls).toBe(0)
    expect(reasons(report)).toHaveLength(1)
  })
})

describe('a function with a parameter t', () => {
  const options = (
    name: string,
  ) => `export const ${name} = (t: (key: string) => string) => [t('SAVE')]
`
  it('is converted if nothing calls it', async () => {
    const report = await run({
      'src/options.ts': options('getOptions'),
      'src/types.ts': `import type { x } from './options'\nexport type Options = ReturnType<typeof getOptions>\n`,
    })
    expect(reasons(report)).toEqual([])
    expect(report.text('src/options.ts')).toMatchInlineSnapshot(`
      "import { SAVE } from '~uilm/common'
      export const getOptions = (t: (key: string) => string) => [SAVE()]
      "
    `)
  })

  it('is kept if a test calls it, a framework may call it, or it is published', async () => {
    const report = await run({
      'src/options.ts': options('getOptions'),
      'src/options.test.ts': `import { getOptions } from './options'\ngetOptions((key) => key)\n`,
      'src/callback.ts': `register((t) => t('SAVE'))\n`,
      'src/page.ts': `export default function (t) { return t('SAVE') }\n`,
    })
    expect(report.calls).toBe(0)
    expect(new Set(report.skipped.map(({ reason }) => reason))).toEqual(
      new Set(['the origin of t is unknown']),
    )
    const library = await run({
      'package.json': '{"name": "kit", "exports": "./src/options.ts"}',
      'src/options.ts': options('getOptions'),
    })
    expect(library.calls).toBe(0)
  })

  it('is not kept because of a call in a function that nothing calls', async () => {
    const report = await run({
      'src/sheet.tsx': `export const Sheet = ({ t }) => <p>{t('SAVE')}</p>\n`,
      'src/hooks.tsx': `import { Sheet } from './sheet'
export const useSheet = (t: any) => () => <Sheet t={t} />
`,
      'src/page.tsx': page('<Sheet t={t} />', `import { Sheet } from './sheet'\n`),
    })
    expect(reasons(report)).toEqual([])
    expect(report.text('src/sheet.tsx')).toContain('{SAVE()}')
  })
})
