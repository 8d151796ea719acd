import { describe, expect, it } from 'vitest'
import { renderMail } from './render-mail.ts'

const mail = {
  project: { key: 'P', name: '<Shop> & "Co"' },
  purpose: 'Invitation',
  subject: 'Subject',
  body: 'Body',
  code: 'the-code',
  link: 'https://platform.example/activate?a=1&code=the-code',
  language: null,
}

it('renders text and HTML, and escapes what it inserts', () => {
  const { subject, text, html } = renderMail({ ...mail, language: 'fr-CA' }, 'en')
  expect(subject).toBe('Votre compte pour <Shop> & "Co"')
  expect(text).toContain('rejoindre <Shop> & "Co"')
  expect(text).toContain(`\n\n${mail.link}\n\n`)
  expect(html).toContain('rejoindre &lt;Shop&gt; &amp; &quot;Co&quot;')
  expect(html).toContain('href="https://platform.example/activate?a=1&amp;code=the-code"')
  expect(html).not.toContain('<Shop>')
})

describe('the language', () => {
  it.each([
    ['de-DE', 'en', 'Ihr Konto'],
    ['pt-BR', 'fr', 'Votre compte'],
    [null, 'de', 'Ihr Konto'],
    [null, 'en', 'Your account'],
  ] as const)('of a user with %s, and %s by default', (language, standard, start) => {
    const { subject } = renderMail({ ...mail, language }, standard)
    expect(subject.startsWith(start)).toBe(true)
  })
})

it('advises users to ignore a mail only if it requests an action', () => {
  const changed = { ...mail, purpose: 'PasswordChanged', code: null, link: null }
  const { text, html } = renderMail(changed, 'en')
  expect(`${text}${html}`).not.toContain('ignore it')
  expect(renderMail({ ...mail, purpose: 'PasswordReset' }, 'de').text).toContain(
    'Der Link gilt 30 Minuten.',
  )
})

it('shows a code that has no link, and the text of an unknown purpose', () => {
  const factor = { ...mail, purpose: 'SecondFactor', code: '123456', link: null }
  const { text, html } = renderMail(factor, 'en')
  expect([text, html]).toEqual([
    expect.stringContaining('\n\n123456\n\n'),
    expect.stringContaining('>123456</p>'),
  ])
  const other = { ...mail, purpose: 'Newsletter', code: null, link: null }
  expect(renderMail(other, 'en')).toEqual({
    subject: 'Subject',
    text: 'Body',
    html: undefined,
  })
  expect(renderMail({ ...mail, purpose: 'Welcome' }, 'en').text).toContain(mail.link)
})
