import { escapeHtml } from '@servicekit/core'
import type { OutgoingMail } from '@servicekit/platform'
import { type MailLanguage, type MailPurpose, mailTexts } from './mail-texts.ts'

/** Subject and body of a mail, as text and as HTML. */
export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string | undefined
}

type MailContent = Pick<
  OutgoingMail,
  'project' | 'purpose' | 'subject' | 'body' | 'code' | 'link' | 'language'
>

/**
 * Renders a mail in the language of its recipient, or in the default language. A purpose that
 * a request named has the template of an account with a link, and otherwise its own text.
 */
export function renderMail(mail: MailContent, defaultLanguage: MailLanguage): RenderedMail {
  const { purpose, link, code, project } = mail
  const known = mailLanguages.find((code) => code === mail.language?.split('-')[0])
  const language = known ?? defaultLanguage
  const { templates, notExpected, copyLink } = mailTexts[language]
  const fallback = link === null ? undefined : templates.AccountCreated
  const template = isMailPurpose(purpose) ? templates[purpose] : fallback
  if (!template) return { subject: mail.subject, text: mail.body, html: undefined }
  const fill = (text: string): string => text.replaceAll('{project}', () => project.name)
  const subject = fill(template.subject)
  const text = fill(template.text)
  // The code of a link is a part of it.
  const shownCode = link === null ? code : null
  const isNotice = link === null && code === null
  const lines = [
    text,
    ...(shownCode === null ? [] : [shownCode]),
    ...(link === null ? [] : [link]),
    ...(isNotice ? [] : [notExpected]),
  ]
  const html = renderHtml({
    language,
    title: subject,
    text,
    code: shownCode,
    link,
    button: fill(template.button ?? ''),
    copyLink,
    notExpected: isNotice ? '' : notExpected,
  })
  return { subject, text: `${lines.join('\n\n')}\n`, html }
}

const mailLanguages = Object.keys(mailTexts) as MailLanguage[]

const isMailPurpose = (purpose: string): purpose is MailPurpose =>
  Object.hasOwn(mailTexts.en.templates, purpose)

function renderHtml({
  language,
  title,
  text,
  code,
  link,
  button,
  copyLink,
  notExpected,
}: {
  readonly language: string
  readonly title: string
  readonly text: string
  readonly code: string | null
  readonly link: string | null
  readonly button: string
  readonly copyLink: string
  /** Empty for a mail that requests no action. */
  readonly notExpected: string
}): string {
  const href = escapeHtml(link ?? '')
  const parts = [
    `<p>${escapeHtml(text)}</p>`,
    code === null ? '' : `<p style="font-size:2em;letter-spacing:.2em">${escapeHtml(code)}</p>`,
    link === null
      ? ''
      : `<p><a href="${href}" style="display:inline-block;padding:12px 20px;background:#1d4ed8;color:#fff;text-decoration:none;border-radius:6px">${escapeHtml(button)}</a></p>
<p style="font-size:.875em;color:#555">${escapeHtml(copyLink)}<br />${href}</p>`,
    notExpected === ''
      ? ''
      : `<p style="font-size:.875em;color:#555">${escapeHtml(notExpected)}</p>`,
  ]
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8" /><title>${escapeHtml(title)}</title></head>
<body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:36em;margin:2em auto;padding:0 1em">
${parts.filter((part) => part !== '').join('\n')}
</body>
</html>
`
}
