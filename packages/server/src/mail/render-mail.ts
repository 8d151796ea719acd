import { escapeHtml } from '@servicekit/core'
import type { OutgoingMail } from '@servicekit/platform'
import * as messages from './messages/mail.js'
import { createLocalizer, type Language, languages } from './messages/runtime.js'

/** Subject and body of a mail, as text and as HTML. */
export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string | undefined
}

type Message = (parameters: { readonly project: string }) => string

interface Template {
  readonly subject: Message
  readonly text: Message
  readonly button?: Message
}

const templates: Readonly<Record<string, Template>> = {
  Invitation: {
    subject: messages.INVITATION_SUBJECT,
    text: messages.INVITATION_TEXT,
    button: messages.INVITATION_BUTTON,
  },
  AccountCreated: {
    subject: messages.CREATED_SUBJECT,
    text: messages.CREATED_TEXT,
    button: messages.CREATED_BUTTON,
  },
  SecondFactor: { subject: messages.CODE_SUBJECT, text: messages.CODE_TEXT },
  PasswordReset: {
    subject: messages.RESET_SUBJECT,
    text: messages.RESET_TEXT,
    button: messages.RESET_BUTTON,
  },
  PasswordChanged: { subject: messages.CHANGED_SUBJECT, text: messages.CHANGED_TEXT },
  AccountActivated: { subject: messages.ACTIVATED_SUBJECT, text: messages.ACTIVATED_TEXT },
}

type MailContent = Pick<
  OutgoingMail,
  'project' | 'purpose' | 'subject' | 'body' | 'code' | 'link' | 'language'
>

/**
 * Renders a mail in the language of its recipient, or in the default language. A purpose that
 * a request named has the template of an account with a link, and otherwise its own text.
 */
export async function renderMail(mail: MailContent, standard: Language): Promise<RenderedMail> {
  const { purpose, link, code, project } = mail
  const template = templates[purpose] ?? (link === null ? undefined : templates['AccountCreated'])
  if (!template) return { subject: mail.subject, text: mail.body, html: undefined }
  const language = languages.find((one) => one === mail.language?.split('-')[0]) ?? standard
  const localizer = await createLocalizer(language)
  return localizer.run(() => {
    const values = { project: project.name }
    const subject = template.subject(values)
    const text = template.text(values)
    // The code of a link is a part of it.
    const shownCode = link === null ? code : null
    const isNotice = link === null && code === null
    const lines = [
      text,
      ...(shownCode === null ? [] : [shownCode]),
      ...(link === null ? [] : [link]),
      ...(isNotice ? [] : [messages.NOT_EXPECTED()]),
    ]
    const content = {
      language,
      title: subject,
      text,
      code: shownCode,
      link,
      button: template.button?.(values),
    }
    return { subject, text: `${lines.join('\n\n')}\n`, html: renderHtml(content) }
  })
}

function renderHtml({
  language,
  title,
  text,
  code,
  link,
  button = '',
}: {
  readonly language: string
  readonly title: string
  readonly text: string
  readonly code: string | null
  readonly link: string | null
  readonly button: string | undefined
}): string {
  const href = escapeHtml(link ?? '')
  const parts = [
    `<p>${escapeHtml(text)}</p>`,
    code === null ? '' : `<p style="font-size:2em;letter-spacing:.2em">${escapeHtml(code)}</p>`,
    link === null
      ? ''
      : `<p><a href="${href}" style="display:inline-block;padding:12px 20px;background:#1d4ed8;color:#fff;text-decoration:none;border-radius:6px">${escapeHtml(button)}</a></p>
<p style="font-size:.875em;color:#555">${escapeHtml(messages.COPY_LINK())}<br />${href}</p>`,
    link === null && code === null
      ? ''
      : `<p style="font-size:.875em;color:#555">${escapeHtml(messages.NOT_EXPECTED())}</p>`,
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
