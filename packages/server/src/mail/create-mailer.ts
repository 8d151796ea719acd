import type { OutgoingMail } from '@servicekit/platform'
import { readFileSync } from 'node:fs'
import { createTransport } from 'nodemailer'
import type { Settings } from '../config/settings.ts'
import type { Log } from '../log.ts'
import { renderMail } from './render-mail.ts'

/** Time in ms after which a mail is useless: its code has expired, or it is old. */
const lifetimesMs: Readonly<Record<string, number>> = {
  SecondFactor: 10 * 60_000,
  PasswordReset: 30 * 60_000,
}
const defaultLifetimeMs = 3 * 24 * 3_600_000

/** Rejection by a mail server. Not its message, which may contain the address. */
class MailError extends Error {
  override readonly name = 'MailError'
}

/**
 * Creates the function that delivers the mails of the platform by SMTP. A mail that the mail
 * server rejects for good is dropped and logged; the function rejects for every other failure,
 * so that the platform tries again later.
 */
export function createMailer(settings: Settings['mail'], log: Log, now = () => new Date()) {
  const { from } = settings
  if (settings.host === undefined || from === undefined) return undefined
  const transport = createSmtpTransport(settings)
  const domain = from.replace(/>\s*$/, '').split('@').at(-1)
  return async (mail: OutgoingMail): Promise<void> => {
    const { itemId, purpose, recipient, tries, createdDate } = mail
    const drop = (reason: string): void =>
      log({ event: 'mail', level: 'error', mailId: itemId, purpose, tries, message: reason })
    // A second factor may be sent to a phone number.
    if (!recipient.includes('@')) return drop('The recipient is not a mail address.')
    const lifetimeMs = lifetimesMs[purpose] ?? defaultLifetimeMs
    if (now().getTime() - createdDate.getTime() > lifetimeMs) {
      return drop('The mail could not be delivered in time.')
    }
    const rendered = renderMail(mail, settings.language)
    try {
      await transport.sendMail({
        from,
        // An object, because a string may contain several addresses.
        to: { name: '', address: recipient },
        subject: rendered.subject,
        text: rendered.text,
        ...(rendered.html !== undefined && { html: rendered.html }),
        // The same for each attempt, so that mail programs recognise a second delivery.
        messageId: `<${itemId}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    } catch (error) {
      const { code = 'ESMTP', responseCode = 0 } = error as SmtpError
      const reason = responseCode > 0 ? `${code} ${responseCode}` : code
      if (responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')) {
        return drop(`The mail server rejected the mail: ${reason}.`)
      }
      throw new MailError(`Cannot deliver mail ${itemId} yet: ${reason}.`)
    }
    log({ event: 'mail', level: 'info', mailId: itemId, purpose, tries })
  }
}

function createSmtpTransport(settings: Settings['mail']) {
  const { host, port, security, user, password, ca, timeoutMs } = settings
  return createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    ...(ca !== undefined && { tls: { ca: readFileSync(ca) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/**
 * Connects to the mail server and signs in, without sending a mail.
 *
 * @returns why that failed, without secrets.
 */
export async function verifyMail(settings: Settings['mail']): Promise<string | undefined> {
  const transport = createSmtpTransport(settings)
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    const { code, responseCode, message } = error as SmtpError & Error
    if (code === 'EAUTH') return `it refuses the user or the password (${responseCode}).`
    return responseCode === undefined ? message : `it responds with ${responseCode} (${code}).`
  } finally {
    transport.close()
  }
}

interface SmtpError {
  readonly code?: string
  readonly responseCode?: number
}
