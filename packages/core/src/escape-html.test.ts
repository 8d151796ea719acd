import { expect, it } from 'vitest'
import { escapeHtml } from './escape-html.ts'

it('escapes the characters that end text or a quoted attribute', () => {
  expect(escapeHtml(`<a title="b" id='c'>&amp;`)).toBe(
    '&lt;a title=&quot;b&quot; id=&#39;c&#39;&gt;&amp;amp;',
  )
})
