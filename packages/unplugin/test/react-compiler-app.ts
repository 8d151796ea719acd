/**
 * Application in which each element with the attribute `data-place` shows a message in
 * another way. The folder of the test has the translations.
 */
export const reactCompilerApp: Readonly<Record<string, string>> = {
  'package.json': '{"type": "module"}',
  'index.html': `<!doctype html>
<html><head><link rel="icon" href="data:,"></head><body>
<div id="root"></div><script type="module" src="/src/main.tsx"></script>
</body></html>
`,
  'src/main.tsx': `import { createRoot } from 'react-dom/client'
import { App } from './app'
import { LanguageProvider } from '~uilm/react'

createRoot(document.getElementById('root')!).render(
  <LanguageProvider>
    <App />
  </LanguageProvider>,
)
`,
  'src/app.tsx': `import { Component, createContext, lazy, memo, Suspense, use, useCallback, useMemo, useState } from 'react'
import { GREETING, HEADING, ITEMS } from '~uilm/shop'
import { useTranslate } from '~uilm/react'
import { cartText, tableOf } from './helpers'
import { Switch } from './switch'

const Lazy = lazy(() => import('./lazy'))
const labels = { heading: HEADING }
const Label = createContext('')

/** The parts of the page render once: their element never changes. */
const parts = <Parts />

export function App() {
  return (
    <>
      <Switch />
      {parts}
    </>
  )
}

function Parts() {
  const [count, setCount] = useState(3)
  return (
    <main>
      <button id="count" onClick={() => setCount(count + 1)}>+</button>
      <p data-place="component with state">{ITEMS({ count })}</p>
      <Plain />
      <Memo />
      <MemoOfString />
      <MemoOfHelper />
      <Frame><p data-place="child of a frame">{HEADING()}</p></Frame>
      <Attribute />
      <WithMemo name="Ada" />
      <WithCallback />
      <WithTranslate name="Ada" />
      <FromTable />
      <FromHook />
      <List />
      <Receiver label={HEADING} text={HEADING()} />
      <Provider />
      <Suspense><Lazy /></Suspense>
      <Classic />
    </main>
  )
}

function Plain() {
  return <p data-place="component without properties">{HEADING()}</p>
}
const Memo = memo(function Memo() {
  return <p data-place="memo">{HEADING()}</p>
})
const Text = memo(function Text() {
  const translate = useTranslate()
  return translate(HEADING)
})
function MemoOfString() {
  return <p data-place="memo that returns a string"><Text /></p>
}
const MemoOfHelper = memo(function MemoOfHelper() {
  return <p data-place="memo of a helper">{cartText(3)}</p>
})
const Frame = memo(function Frame({ children }: { children: React.ReactNode }) {
  return <section>{children}</section>
})
function Attribute() {
  return <p data-place="attribute" title={HEADING()}>{document.title}</p>
}
function WithMemo({ name }: { name: string }) {
  const text = useMemo(() => GREETING({ name }), [name])
  return <p data-place="useMemo">{text}</p>
}
function WithCallback() {
  const text = useCallback(() => HEADING(), [])
  return <p data-place="useCallback">{text()}</p>
}
function WithTranslate({ name }: { name: string }) {
  'use no memo'
  const translate = useTranslate()
  const text = useMemo(() => translate(GREETING, { name }), [translate, name])
  return <p data-place="useTranslate in useMemo">{text + translate(HEADING)}</p>
}
function FromTable() {
  return <p data-place="table">{labels.heading() + tableOf('GREETING')({ name: 'Ada' })}</p>
}
function useHeading() {
  return { text: HEADING() }
}
function FromHook() {
  const { text } = useHeading()
  return <p data-place="custom hook">{text}</p>
}
function List() {
  const [counts] = useState([1, 2])
  return <ul data-place="list">{counts.map((count) => <li key={count}>{ITEMS({ count })}</li>)}</ul>
}
const Receiver = memo(function Receiver({ label, text }: { label: () => string; text: string }) {
  return <p data-place="property">{label() + text}</p>
})
function Provider() {
  return <Label value={HEADING()}><Consumer /></Label>
}
function Consumer() {
  return <p data-place="context">{use(Label)}</p>
}
class Classic extends Component {
  override render() {
    return <p data-place="class">{HEADING()}</p>
  }
}
`,
  'src/helpers.ts': `import { GREETING, HEADING, ITEMS } from '~uilm/shop'

const table = { GREETING, HEADING }
export const tableOf = (name: keyof typeof table) => table[name]
export const cartText = (count: number) => HEADING() + ITEMS({ count })
`,
  'src/lazy.tsx': `import { FOOTER } from '~uilm/shop'

export default function Lazy() {
  return <p data-place="lazy component">{FOOTER()}</p>
}
`,
  'src/switch.tsx': `import { useState } from 'react'
import { type Language, languages } from '~uilm'
import { SWITCH } from '~uilm/shop'
import { useLanguage } from '~uilm/react'

export function Switch() {
  const [language, setLanguage] = useLanguage()
  const [name, setName] = useState('')
  return (
    <>
      <label data-place="language switch">{SWITCH()}</label>
      <select value={language} onChange={(event) => void setLanguage(event.target.value as Language)}>
        {languages.map((code) => <option key={code}>{code}</option>)}
      </select>
      <input value={name} onChange={(event) => setName(event.target.value)} />
    </>
  )
}
`,
}
