import { expect, it } from 'vitest'
import { renderTemplate } from './template.ts'

it('escapes strings, and inserts rendered templates as they are', () => {
  const content = renderTemplate('message', { title: '<b>', text: `"&'`, code: '' })
  expect(String(content)).toContain('<h1>&lt;b&gt;</h1>')
  expect(String(content)).toContain('&quot;&amp;&#39;')
  const page = String(renderTemplate('layout', { title: 'Sign in', style: '', content }))
  expect(page).toContain('<title>Sign in</title>')
  expect(page).toContain('<h1>&lt;b&gt;</h1>')
})

it('keeps a section only if its value is truthy', () => {
  const render = (code: string) => String(renderTemplate('message', { title: '', text: '', code }))
  expect(render('invalid_request')).toContain('<code>invalid_request</code>')
  expect(render('')).not.toContain('code')
})

it('names the placeholder that has no value', () => {
  expect(() => renderTemplate('message', { title: 'x', code: '' })).toThrow(
    'The template "message" has a placeholder "text" but no value for it.',
  )
})
