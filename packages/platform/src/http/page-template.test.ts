import { expect, it } from 'vitest'
import { renderTemplate } from './page-template.ts'

it('escapes strings, and inserts rendered templates as they are', () => {
  const content = renderTemplate('message', { code: `<b>"&'`, link: undefined })
  expect(String(content)).toContain('<code>&lt;b&gt;&quot;&amp;&#39;</code>')
  const document = { title: 'Sign in', head: '', bodyClass: '', content }
  const page = String(renderTemplate('document', document))
  expect(page).toContain('<title>Sign in</title>')
  expect(page).toContain('<code>&lt;b&gt;&quot;&amp;&#39;</code>')
})

it('keeps a section only if its value is truthy', () => {
  const render = (code: string) => String(renderTemplate('message', { code, link: undefined }))
  expect(render('invalid_request')).toContain('<code>invalid_request</code>')
  expect(render('')).not.toContain('code')
})

it('names the placeholder that has no value', () => {
  expect(() => renderTemplate('message', {})).toThrow(
    'The template "message" has no value for "code".',
  )
})
