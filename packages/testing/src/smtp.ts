import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { createCertificate } from './certificate.ts'

/** Mail that the server accepted. */
export interface ReceivedMail {
  readonly recipients: readonly string[]
  /** Headers and body, as they were sent. */
  readonly source: string
}

/** Reaction to a mail: accepts it, rejects it with a status, or closes the connection after it. */
export type Reaction = 'accept' | 'hang' | { readonly status: number; readonly at: 'rcpt' | 'data' }

/** Starts a real SMTP server with TLS and authentication. */
export async function startSmtp(folder: string) {
  const { path: ca, key, cert } = await createCertificate(folder)
  const received: ReceivedMail[] = []
  let arrived = (): void => {}
  let attempts = 0
  let reactions: Reaction[] = []
  let connections = 0
  const reject = (status: number) =>
    Object.assign(new Error('canary@example.com: rejected'), { responseCode: status })
  const server = new SMTPServer({
    key,
    cert,
    authMethods: ['PLAIN', 'LOGIN'],
    onConnect: (_session, done) => {
      connections++
      done()
    },
    onAuth: ({ username, password }, _session, done) =>
      username === 'shop' && password === 'canary-smtp-password'
        ? done(null, { user: username })
        : done(reject(535)),
    onRcptTo: (_address, _session, done) => {
      const [next] = reactions
      attempts++
      if (typeof next !== 'object' || next.at !== 'rcpt') return done()
      reactions.shift()
      arrived()
      return done(reject(next.status))
    },
    onData: (stream, { envelope }, done) => {
      let source = ''
      stream.setEncoding('utf8').on('data', (text: string) => (source += text))
      stream.on('end', () => {
        const next = reactions.shift() ?? 'accept'
        if (next === 'hang') return arrived()
        if (next !== 'accept') {
          done(reject(next.status))
          return arrived()
        }
        received.push({ recipients: envelope.rcptTo.map(({ address }) => address), source })
        done()
        arrived()
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as { port: number }
  return {
    /** Certificate for localhost, whose path is the setting `ca`. */
    certificate: { key, cert },
    /** Settings of a server that sends mails here. */
    settings: {
      host: 'localhost',
      port,
      user: 'shop',
      password: 'canary-smtp-password',
      from: 'Shop <no-reply@shop.example>',
      ca,
    },
    /** Sets the reactions to the next mails; later ones are accepted. */
    react: (...next: Reaction[]): void => {
      reactions = next
    },
    attempts: (): number => attempts,
    connections: (): number => connections,
    /** Waits for the next mail and removes it from the record. */
    take: async (): Promise<ReceivedMail> => {
      while (received.length === 0) {
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      }
      return received.shift()!
    },
    waiting: (): number => received.length,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
      }),
  }
}
