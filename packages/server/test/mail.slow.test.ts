import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { people } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import type { ServerConfig } from '../src/index.ts'
import { createMailer } from '../src/mail/create-mailer.ts'
import { openServer, settingsOf } from '@servicekit/testing/open-server'
import { startSmtp } from '@servicekit/testing/smtp'

type Server = Awaited<ReturnType<typeof openServer>>

let folder: string
let smtp: Awaited<ReturnType<typeof startSmtp>>
let server: Server | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-mail-'))
  smtp = await startSmtp(folder)
})
afterAll(async () => {
  await smtp?.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => smtp.react())
afterEach(async () => {
  await server?.stop()
  server = undefined
})

/** Opens a server with a project and its users. */
async function open(mail: ServerConfig['mail'], dataDir = join(folder, crypto.randomUUID())) {
  server = await openServer({ dataDir, storage: { strategy: 'Local' }, ...(mail && { mail }) })
  await server.platform.loadProject({
    ...project('P', { en: { m: { A: 'a' } } }, { identity: people }),
    name: 'Shop & Co',
  })
  return server
}

const queue = async (one: Server) => (await one.control('GET', '/queue')).json()
const json = { 'x-service-key': 'P', 'content-type': 'application/json' }

/** Invites a user, as a program with the role of an administrator. */
async function invite(one: Server, email: string, changes: object = {}): Promise<void> {
  const issued = await one.send('/iam/v4/oidc/token', {
    method: 'POST',
    headers: { 'x-service-key': 'P' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'boss',
      client_secret: 'the secret of the boss',
      org_id: 'default',
    }),
  })
  const { accessToken } = (await issued.json()) as { accessToken: string }
  const created = await one.send('/idp/v1/Iam/Create', {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ email, userName: email, password: '', ...changes }),
  })
  expect(await created.json()).toMatchObject({ email, active: false })
}

/** Decodes quoted-printable parts of a mail. */
const decoded = (source: string): string =>
  source
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/(?:=[0-9A-F]{2})+/g, (bytes) =>
      Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'),
    )
    .replaceAll('\r\n', '\n')

it('sends an invitation by SMTP with TLS and authentication, in the language of the user', async () => {
  const one = await open(smtp.settings)
  await invite(one, 'eva@example.com', { language: 'de-DE' })
  const { recipients, source } = await smtp.take()
  expect(recipients).toEqual(['eva@example.com'])
  const text = decoded(source)
  expect(text).toContain('Sie sind zu Shop & Co eingeladen. Wählen Sie ein Passwort')
  expect(text).toContain('<p>Sie sind zu Shop &amp; Co eingeladen. Wählen Sie ein Passwort')
  expect(text).toContain('<html lang="de">')
  expect(text).toMatch(/^From: Shop <no-reply@shop\.example>$/m)
  expect(text).toMatch(/^Auto-Submitted: auto-generated$/m)
  const [, code] = /http:\/\/platform\.local\S+\/activate\?code=([\w-]+)/.exec(text)!

  const activate = async () => {
    const body = JSON.stringify({ code, password: 'another battery' })
    return (await one.send('/iam/v4/auth/activate', { method: 'POST', headers: json, body })).status
  }
  expect([await activate(), await activate()]).toEqual([200, 400])
  expect(decoded((await smtp.take()).source)).toContain('ab jetzt mit Ihrem Passwort')
  await expect.poll(() => queue(one)).toEqual({ all: 0, due: 0 })
  // Delivered codes are not kept, and nothing of a mail is logged.
  expect(await (await one.control('GET', '/projects/P/inbox')).json()).toEqual([])
  expect(one.entries('mail')).toMatchObject([
    { level: 'info', purpose: 'Invitation', tries: 1 },
    { level: 'info', purpose: 'AccountActivated', tries: 1 },
  ])
  expect(one.lines.join('')).not.toMatch(/canary|eva@example|code=/)
})

it('resets a password by a link in a mail, in the language of the user', async () => {
  const one = await open(smtp.settings)
  const issuer = `${one.baseUrl}/iam/v4/oidc/projects/P`
  const post = (path: string, form: Record<string, string>) =>
    fetch(`${issuer}${path}`, { method: 'POST', body: new URLSearchParams(form) })
  const users = [{ itemId: 'bob', email: 'bob@example.com', language: 'fr-CA' }]
  expect((await one.control('PUT', '/projects/P/identity', { users })).ok).toBe(true)
  const [unknown, known] = [
    await post('/forgot', { username: 'nobody' }),
    await post('/forgot', { username: 'bob@example.com' }),
  ]
  expect([unknown.status, await unknown.text()]).toEqual([known.status, await known.text()])
  const { recipients, source } = await smtp.take()
  expect(recipients).toEqual(['bob@example.com'])
  const text = decoded(source)
  expect(text).toContain('Choisissez un nouveau mot de passe pour Shop & Co.')
  const [, code] = /http:\/\/platform\.local\S+\/reset\?code=([\w-]+)/.exec(text)!
  const reset = async () =>
    (await post(`/reset?code=${code}`, { password: 'another battery' })).status
  expect([await reset(), await reset()]).toEqual([200, 400])
  const changed = decoded((await smtp.take()).source)
  expect(changed).toContain('Le mot de passe de votre compte pour Shop & Co a été modifié')
  expect(changed).not.toContain('attendiez')
  await expect.poll(() => queue(one)).toEqual({ all: 0, due: 0 })
  expect(smtp.waiting()).toBe(0)
  expect(one.lines.join('')).not.toMatch(new RegExp(`canary|bob@example|${code}`))
})

it('sends again after a temporary error, with the same id', async () => {
  const one = await open(smtp.settings)
  smtp.react({ status: 451, at: 'data' })
  await invite(one, 'zoe@example.com')
  await expect.poll(() => queue(one)).toEqual({ all: 1, due: 0 })
  expect(one.entries('error')).toMatchObject([{ message: expect.stringContaining('EMESSAGE 451') }])
  expect(one.lines.join('')).not.toContain('canary')
  const inbox = await (await one.control('GET', '/projects/P/inbox')).json()
  const [{ itemId }] = inbox as [{ itemId: string }]
  await one.control('POST', '/clock', { advanceMs: 5000 })
  const { source } = await smtp.take()
  expect(source).toContain(`Message-ID: <${itemId}@shop.example>`)
  expect(decoded(source)).toContain('You are invited to Shop & Co.')
  expect(one.entries('mail')).toMatchObject([{ purpose: 'Invitation', tries: 2 }])
})

it('sends again after a mail server that stopped responding', async () => {
  const one = await open({ ...smtp.settings, timeoutMs: 500 })
  smtp.react('hang')
  await invite(one, 'zoe@example.com')
  await expect
    .poll(() => one.entries('error'), { timeout: 10_000 })
    .toMatchObject([{ message: expect.stringMatching(/Cannot deliver mail .+ yet: ETIMEDOUT\.$/) }])
  await one.control('POST', '/clock', { advanceMs: 5000 })
  expect((await smtp.take()).recipients).toEqual(['zoe@example.com'])
})

it('drops a mail that the mail server rejects for good, and mails that come too late', async () => {
  const one = await open(smtp.settings)
  smtp.react({ status: 550, at: 'rcpt' })
  await invite(one, 'zoe@example.com')
  await expect
    .poll(() => one.entries('mail'))
    .toMatchObject([
      { level: 'error', message: 'The mail server rejected the mail: EENVELOPE 550.' },
    ])
  await expect.poll(() => queue(one)).toEqual({ all: 0, due: 0 })
  const mailer = createMailer(
    (await settingsOf({ mail: smtp.settings })).mail,
    () => {},
    () => new Date(0),
  )
  const mail = { itemId: 'a', project: { key: 'P', name: 'Shop' }, recipient: 'zoe@example.com' }
  const late = { purpose: 'SecondFactor', subject: '', body: '', code: '1', link: null, tries: 9 }
  const createdDate = new Date(-11 * 60_000)
  const before = smtp.connections()
  await mailer!({ ...mail, ...late, createdDate, language: null })
  expect(smtp.connections()).toBe(before)
})

it('sends no password to a server whose certificate is not trusted', async () => {
  const { ca: _, ...withoutAuthority } = smtp.settings
  const one = await open(withoutAuthority)
  await invite(one, 'zoe@example.com')
  await expect
    .poll(() => one.entries('error'))
    .toMatchObject([{ message: expect.stringMatching(/Cannot deliver mail .+ yet: E\w+\.$/) }])
  expect(smtp.waiting()).toBe(0)
})

it('loses no mail when it is stopped, and delivers it after the next start', async () => {
  const dataDir = join(folder, 'restarted')
  const first = await open({ ...smtp.settings, port: 1 }, dataDir)
  await invite(first, 'zoe@example.com')
  await expect.poll(() => first.entries('error').length).toBeGreaterThan(0)
  await first.stop()
  const second = await open(smtp.settings, dataDir)
  await second.control('POST', '/clock', { advanceMs: 5000 })
  expect((await smtp.take()).recipients).toEqual(['zoe@example.com'])
})

it('keeps mails in the inbox without a mail server, where a test waits for the next one', async () => {
  const one = await open(undefined)
  const wait = (query = '') =>
    one.control('POST', `/projects/P/inbox/wait?recipient=zoe@example.com${query}`)
  const waiting = wait()
  await invite(one, 'zoe@example.com')
  const mail = (await (await waiting).json()) as { code: string; link: string; purpose: string }
  expect(mail).toMatchObject({ purpose: 'Invitation', link: expect.stringContaining(mail.code) })
  expect((await wait('&timeoutMs=0')).status).toBe(404)
  expect((await one.control('POST', '/projects/P/inbox/wait')).status).toBe(400)
})
