import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { machineToken } from '@servicekit/testing/administrator'
import { buildPlatform } from '@servicekit/testing/build-platform'
import { missingPackage } from '@servicekit/testing/debian-packages'
import { storefront, storefrontKey } from '@servicekit/testing/projects'

const program = `
const [folder, projectDir] = process.argv.slice(2)
const { baseUrl } = await platform.startPlatform({
  storage: [{ name: 'Default', strategy: 'Local', folder }],
  projectDir,
})
console.log(baseUrl)
`

/** Returns why system calls cannot be traced, or undefined. */
function straceFault(): string | undefined {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'])
    return undefined
  } catch {
    return 'strace is missing or may not trace processes'
  }
}

it('flushes an uploaded file, its name and its folders to disk before the response', async ({
  skip,
}) => {
  const fault = (await missingPackage('strace', '/usr/bin/strace')) ?? straceFault()
  if (fault) skip(fault)
  const root = await realpath(await mkdtemp(join(tmpdir(), 'servicekit-flush-')))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const built = await buildPlatform()
  onTestFinished(built.remove)
  // Neither `new` nor `new/files` exists yet.
  const folder = join(root, 'new/files')
  const child = await built.run(program, [folder, storefront])
  onTestFinished(async () => {
    child.process.kill()
    await child.ended
  })
  const baseUrl = await child.line()
  const server = {
    fetch: (request: Request) => {
      const { pathname, search } = new URL(request.url)
      const { method, headers, body } = request
      return fetch(`${baseUrl}${pathname}${search}`, {
        method,
        headers,
        body,
        duplex: 'half',
      } as never)
    },
  }
  const authorization = `Bearer ${await machineToken(server, storefrontKey)}`
  const presign = async (): Promise<string> => {
    const response = await fetch(`${baseUrl}/data/v4/Files/GetPreSignedUrlForUpload`, {
      method: 'POST',
      headers: {
        'x-service-key': storefrontKey,
        authorization,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'a.txt' }),
    })
    return ((await response.json()) as { preSignedUrl: string }).preSignedUrl
  }

  /** Uploads a file, and returns the traced calls that concern it until the response, in order. */
  const upload = async (): Promise<readonly string[]> => {
    const url = await presign()
    const trace = join(root, 'trace')
    const calls = 'trace=fsync,rename,renameat,renameat2,write,writev'
    const options = ['-f', '-y', '-s', '12', '-e', calls, '-o', trace]
    const strace = spawn('strace', [...options, '-p', String(child.process.pid)])
    // It says so once it has attached to the process.
    await once(strace.stderr, 'data')
    const response = await fetch(url, { method: 'PUT', body: 'text' })
    expect(response.status).toBe(201)
    strace.kill()
    await once(strace, 'close')
    const lines = (await readFile(trace, 'utf8')).split('\n')
    return lines.flatMap((line) => {
      if (line.includes('HTTP/1.1 201')) return ['response']
      if (/rename\w*\(/.test(line)) return ['rename']
      const [, path] = /fsync\(\d+<([^>]*)>/.exec(line) ?? []
      if (path === undefined || !path.startsWith(root)) return []
      return [`flush ${path.slice(root.length).replaceAll(/[\da-f]{32}(?:\.[\da-f-]{36})?/g, '*')}`]
    })
  }
  const file = ['flush /new/files/*/*', 'rename', 'flush /new/files/*', 'flush /new/files']
  expect(await upload()).toEqual([...file, 'flush /new', 'flush ', 'response'])
  expect(await upload()).toEqual([...file, 'response'])
}, 120_000)
