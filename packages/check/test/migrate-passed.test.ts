import { describe, expect, it } from 'vitest'
import { finish, migrate } from '../src/index.ts'
import { application } from '@servicekit/testing/application'
import { type ReadableReport, readableReport, reasons } from './migrate-report.ts'

const texts = {
  'en-US/common': { SAVE: 'Save', CANCEL: 'Cancel' },
  'en-US/orders': { SAVE: 'Save', STATUS: 'Status', TITLE: 'Orders' },
  'en-US/users': { SAVE: 'Save', STATUS: 'Role', TITLE: 'Orders' },
  'de-DE/common': { SAVE: 'Speichern', CANCEL: 'Abbrechen' },
  'de-DE/orders': { SAVE: 'Speichern', STATUS: 'Status', TITLE: 'Bestellungen' },
  'de-DE/users': { SAVE: 'Speichern', STATUS: 'Rolle', TITLE: 'Aufträge' },
}

async function run(code: Readonly<Record<string, string>>): Promise<ReadableReport> {
  const { project } = await application(texts, code)
  return readableReport(await finish(migrate({ project, sources: ['src'] })))
}

describe('a key in several modules', () => {
  it('is the one of the folder if its translations are the same everywhere', async () => {
    const report = await run({
      'src/orders/page.jsx': `import { useTranslation } from 'react-i18next'
export function Page() {
  const { t } = useTranslation()
  return [t('SAVE'), t('CANCEL'), t('common:SAVE'), t('TITLE'), t('STATUS')]
}
`,
    })
    expect(reasons(report)).toEqual([
      "orders/page.jsx:4 t('TITLE'): the namespace is unknown and may be orders, users",
      "orders/page.jsx:4 t('STATUS'): the namespace is unknown and may be orders, users",
    ])
    expect(report.text('src/orders/page.jsx')).toBe(`import { useTranslation } from 'react-i18next'
import { CANCEL, SAVE as SAVE_TEXT } from '~uilm/common'
import { SAVE } from '~uilm/orders'
import { useLanguage } from '~uilm/react'
export function Page() {
  const { t } = useTranslation()
  useLanguage()
  return [SAVE(), CANCEL(), SAVE_TEXT(), t('TITLE'), t('STATUS')]
}
`)
  })
})

const helpers = {
  'src/schema.js': `export const createSchema = (t) => ({ required: t('STATUS') })
export function createColumns({ t, sort }) {
  return [t('TITLE'), sort]
}
`,
  'src/header.jsx': `export const Header = ({ t }) => <h1>{t('TITLE')}<Sub t={t} /></h1>
const Sub = (props) => <Text {...props} level={2} />
const Text = ({ t }) => <p>{t('STATUS')}</p>
`,
}

describe('t as an argument', () => {
  it('is followed into functions and components that all calls give the same t', async () => {
    const report = await run({
      ...helpers,
      'src/page.jsx': `import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Header } from './header'
import { createColumns, createSchema } from './schema'

export function Page({ sort }) {
  const { t } = useTranslation('orders')
  const columns = useMemo(() => createColumns({ t, sort }), [t, sort])
  const schema = createSchema(t)
  return <Header t={t} schema={schema} columns={columns} />
}
`,
      // The identity of a test is no other t.
      'src/schema.test.js': `import { createSchema } from './schema'
createSchema((key) => key)
`,
    })
    expect(reasons(report)).toEqual([])
    expect(report.text('src/schema.js')).toBe(`import { STATUS, TITLE } from '~uilm/orders'
export const createSchema = (t) => ({ required: STATUS() })
export function createColumns({ t, sort }) {
  return [TITLE(), sort]
}
`)
    expect(report.text('src/header.jsx')).toBe(`import { STATUS, TITLE } from '~uilm/orders'
export const Header = ({ t }) => <h1>{TITLE()}<Sub t={t} /></h1>
const Sub = (props) => <Text {...props} level={2} />
const Text = ({ t }) => <p>{STATUS()}</p>
`)
    // Renders again, with new columns, when the language of the messages changes.
    expect(report.text('src/page.jsx')).toContain(`
  const { t } = useTranslation('orders')
  const translate = useTranslate()
  const columns = useMemo(() => createColumns({ t, sort }), [t, translate, sort])
`)
  })

  it.each([
    ['a call passes another one', `createSchema((key) => key)`],
    ['a call has another namespace', `createSchema(useTranslation('users').t)`],
    ['a call has a fixed language', `createSchema(useTranslation('orders', { lng: 'de' }).t)`],
    ['the function is also passed on', `[1].map(createSchema)`],
    ['another name of its file passes another one', `schema.createSchema((key) => key)`],
  ])('is kept if %s', async (_, code) => {
    const report = await run({
      'src/schema.js': helpers['src/schema.js'],
      'src/page.js': `import { useTranslation } from 'react-i18next'
import * as schema from './schema'
import { createSchema } from './schema'
export const useSchema = () => createSchema(useTranslation('orders').t)
export const other = () => ${code}
`,
    })
    expect(report.calls).toBe(0)
    expect(reasons(report)).toContain("schema.js:1 t('STATUS'): the origin of t is unknown")
  })
})

describe('t as a dependency of a hook', () => {
  it('becomes a function that changes with the messages', async () => {
    const report = await run({
      'src/page.jsx': `import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'

export function Page({ name }) {
  const { t } = useTranslation('orders')
  const title = useMemo(() => t('TITLE'), [t])
  useEffect(() => {
    document.title = t('STATUS') + name
  }, [name, t])
  return title
}
export function Mixed({ name }) {
  const { t } = useTranslation('orders');
  return useMemo(() => t('TITLE') + t(name), [name, t]);
}
`,
    })
    expect(report.text('src/page.jsx')).toBe(`import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { STATUS, TITLE } from '~uilm/orders'
import { useTranslate } from '~uilm/react'

export function Page({ name }) {
  const translate = useTranslate()
  const title = useMemo(() => TITLE(), [translate])
  useEffect(() => {
    document.title = STATUS() + name
  }, [name, translate])
  return title
}
export function Mixed({ name }) {
  const { t } = useTranslation('orders');
  const translateText = useTranslate();
  return useMemo(() => TITLE() + t(name), [name, t, translateText]);
}
`)
  })
})
