import { expect, it } from 'vitest'
import { addLanguageProvider } from './edit-react-root.ts'

const added = "import { LanguageProvider } from '~uilm/react'\n"

it('renders the application in the provider, with the indentation of the file', () => {
  const head = "import { StrictMode } from 'react'\n"
  const text = (...element: readonly string[]): string =>
    `\ncreateRoot(document.getElementById('root')!).render(\n${element.map((line) => `  ${line}\n`).join('')})\n`
  const element = ['<StrictMode>', '  <App />', '</StrictMode>,']
  expect(addLanguageProvider('src/main.tsx', head + text(...element))).toMatchObject({
    after:
      head +
      added +
      text(
        '<LanguageProvider>',
        '  <StrictMode>',
        '    <App />',
        '  </StrictMode>',
        '</LanguageProvider>,',
      ),
  })
})

it.each([
  ['root.render(<App />)', 'root.render(<LanguageProvider><App /></LanguageProvider>)'],
  [
    'hydrateRoot(document, <App />)',
    'hydrateRoot(document, <LanguageProvider><App /></LanguageProvider>)',
  ],
  [
    'export default function App() {\n\treturn <Outlet />\n}',
    'export default function App() {\n\treturn <LanguageProvider><Outlet /></LanguageProvider>\n}',
  ],
])('renders the element in one line in the provider: %s', (before, after) => {
  const head = "import a from 'a'\n"
  expect(addLanguageProvider('src/main.jsx', `${head}${before}\n`)).toMatchObject({
    after: `${head}${added}${after}\n`,
  })
})

it('changes nothing the second time', () => {
  const text = 'root.render(<LanguageProvider><App /></LanguageProvider>)'
  expect(addLanguageProvider('src/main.jsx', text)).toBeUndefined()
})

it.each(['root.render(app)', 'export const a = 1', 'root.render(<App'])(
  'asks for an edit by hand in %s',
  (text) => {
    expect(addLanguageProvider('src/main.jsx', text)).toMatchObject({
      reason: 'it renders no element',
      lines: [
        "import { LanguageProvider } from '~uilm/react'",
        '<LanguageProvider><App /></LanguageProvider>',
      ],
    })
  },
)
