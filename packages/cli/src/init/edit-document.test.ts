import { expect, it } from 'vitest'
import { addLanguageAttributes } from './edit-document.ts'

const layout = (attributes: string): string =>
  `import { Links } from "react-router";\n\nexport function Layout() {\n  return (\n    <html${attributes}>\n      <body />\n    </html>\n  );\n}\n`

it.each([
  [' lang="en"', ' {...htmlAttributes()}'],
  ['', ' {...htmlAttributes()}'],
  [' lang="en" className="a"', ' {...htmlAttributes()} className="a"'],
])('replaces the language in <html%s>', (before, after) => {
  expect(addLanguageAttributes('app/root.tsx', layout(before))).toMatchObject({
    after: layout(after).replace(
      '"react-router";\n',
      '"react-router";\nimport { htmlAttributes } from "~uilm";\n',
    ),
  })
})

it('changes nothing the second time', () => {
  expect(addLanguageAttributes('root.tsx', layout(' {...htmlAttributes()}'))).toBeUndefined()
})

it('refuses a file without <html>', () => {
  expect(addLanguageAttributes('root.tsx', 'export const a = 1')).toMatchObject({
    reason: 'it has no <html>',
    lines: ["import { htmlAttributes } from '~uilm'", '<html {...htmlAttributes()}>'],
  })
})
