import { once } from 'node:events'
import { ServicekitError } from '@servicekit/client'
import { rejectOnAbort } from '@servicekit/core'
import { localPlatformPort } from '@servicekit/catalog/config'
import { isFree } from '../free-port.ts'
import type { Io } from '../io.ts'
import { findInModules, localCommand, spawnProgram } from '../run-command.ts'
import type { ProjectFacts } from './project-facts.ts'
import type { Service } from './service.ts'

const firstPort = localPlatformPort
/** Ports that are tried if another program uses the first one. */
const portCount = 20

/** Key of the sample project, in fixtures/projects/storefront/project.json. */
const sampleKey = 'P5c1e7a90d2f84b6e8a3f9d41'

/** Address of the sample platform of an application. */
export interface SamplePlatform extends Service {
  readonly port: number
  /** `true` if it already runs, in another terminal. */
  readonly isRunning: boolean
}

/** Finds the sample platform that runs on this machine, or a port for a new one. */
export async function findSamplePlatform(signal: AbortSignal): Promise<SamplePlatform> {
  for (let port = firstPort; port < firstPort + portCount; port++) {
    const sample = { baseUrl: `http://127.0.0.1:${port}`, projectKey: sampleKey, port }
    if (await isFree(port)) return { ...sample, isRunning: false }
    if (await isSample(sample, signal)) return { ...sample, isRunning: true }
  }
  throw new ServicekitError(
    `Ports ${firstPort} to ${firstPort + portCount - 1} are used by other programs`,
    {
      code: 'CONFIG_INVALID',
      help: 'Start the sample platform with `servicekit dev --sample --port N`, and set --url and --key.',
    },
  )
}

async function isSample({ baseUrl }: Service, signal: AbortSignal): Promise<boolean> {
  // Another program may accept the connection and never respond.
  const limit = AbortSignal.timeout(2000)
  const read = async (): Promise<string> =>
    (await fetch(`${baseUrl}/_platform/projects`, { signal: limit })).text()
  const text = await rejectOnAbort(signal, rejectOnAbort(limit, read())).catch(() => '')
  return text.includes(sampleKey)
}

/** Runs the sample platform while `work` runs. */
export async function withSamplePlatform<T>(
  { port, isRunning }: SamplePlatform,
  { facts, io }: { readonly facts: ProjectFacts; readonly io: Io },
  work: () => Promise<T>,
): Promise<T> {
  if (isRunning) return work()
  const flags = ['dev', '--sample', '--port', String(port), '--json']
  const script = findInModules(facts.root, 'servicekit/bin/servicekit.js')
  // Without a program in between, which a signal would end instead.
  const { command, args } =
    script === undefined
      ? localCommand(facts, ['servicekit', ...flags])
      : { command: process.execPath, args: [script, ...flags] }
  const child = spawnProgram(command, args, { cwd: facts.root })
  const closed = once(child, 'close')
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const stop = (): void => void child.kill('SIGTERM')
  io.signal.addEventListener('abort', stop)
  try {
    const ready = await Promise.race([once(child.stdout!, 'data'), closed.then(() => undefined)])
    if (ready === undefined) {
      throw new ServicekitError('Cannot start the sample platform', {
        code: 'REQUEST_FAILED',
        details: { port, reason: errors.trim() },
        help: 'Run `servicekit dev --sample` to see the error.',
      })
    }
    return await work()
  } finally {
    io.signal.removeEventListener('abort', stop)
    stop()
    await closed
  }
}
