import { project } from '@servicekit/testing/projects'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { LogEntry } from '../src/index.ts'
import { startPlatform } from '../src/node.ts'

/** Starts a platform that records its log. */
async function open() {
  const entries: LogEntry[] = []
  const providers: AbortSignal[] = []
  const platform = await startPlatform({
    onLog: (entry) => entries.push(entry),
    suggestions: {
      name: 'slow',
      propose: (_request, _project, signal) =>
        new Promise((_, reject) => {
          providers.push(signal!)
          signal!.addEventListener('abort', () => reject(signal!.reason as Error))
        }),
    },
  })
  onTestFinished(() => platform.close())
  await platform.platform.loadProject(project('P'))
  const statuses = () => entries.flatMap((entry) => ('status' in entry ? [entry.status] : []))
  const errors = () => entries.filter(({ event }) => event === 'error')
  return { platform, providers, statuses, errors }
}

const path = '/uilm/v1/Assistant/GetTranslationSuggestion'
const head = (length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nx-service-key: P\r\nContent-Length: ${length}\r\n\r\n`

it('logs a request as aborted whose sender goes away while sending, and no error', async () => {
  const { platform, statuses, errors } = await open()
  const socket = connect(platform.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`${head(1000)}{"sourceText":`)
  socket.resetAndDestroy()
  await expect.poll(statuses).toEqual([499])
  expect(errors()).toEqual([])
})

it('logs a request as aborted whose sender goes away while waiting, and no error', async () => {
  const { platform, providers, statuses, errors } = await open()
  const body = JSON.stringify({
    elementType: 'button',
    elementApplicationContext: 'a shop',
    elementDetailContext: 'signs in',
    sourceText: 'Sign in',
    currentLanguage: 'en-US',
    destinationLanguage: 'de-DE',
  })
  const socket = connect(platform.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(head(body.length) + body)
  await expect.poll(() => providers.length).toBe(1)
  socket.resetAndDestroy()
  await expect.poll(statuses).toEqual([499])
  expect(errors()).toEqual([])
})
