import { ProblemDetails } from '@servicekit/contract'
import { createServer } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPlatform, type Platform, type StorageOptions } from '../src/index.ts'
import { machineToken } from '@servicekit/testing/administrator'
import { freePort } from '@servicekit/testing/free-port'
import { project } from '@servicekit/testing/projects'

type Kind = 'Azure' | 'S3Compatible'

const storageAt: Record<Kind, (endpoint: string) => StorageOptions> = {
  Azure: (endpoint) => ({
    name: 'Cloud',
    strategy: 'Azure',
    accountName: 'a',
    accountKey: Buffer.from('canary-key').toString('base64'),
    container: 'files',
    endpoint,
  }),
  S3Compatible: (endpoint) => ({
    name: 'Cloud',
    strategy: 'S3Compatible',
    bucket: 'files',
    region: 'r',
    accessKeyId: 'a',
    secretAccessKey: 'canary-key',
    endpoint,
  }),
}

describe.each<Kind>(['Azure', 'S3Compatible'])('a storage in %s', (kind) => {
  let platform: Platform | undefined
  const faults: string[] = []
  afterEach(async () => {
    await platform?.close()
    vi.unstubAllEnvs()
    faults.length = 0
  })

  let token = ''
  const start = async (endpoint: string) => {
    vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true')
    platform = await createPlatform({
      storage: [storageAt[kind](endpoint)],
      projects: [project('P')],
      onError: ({ message }) => faults.push(message),
    })
    token = await machineToken(platform, 'P')
    // Signing needs no storage; looking up the file does.
    const presigned = await send('/data/v4/Files/GetPreSignedUrlForUpload', { name: 'a.txt' })
    const { fileId } = (await presigned.json()) as { fileId: string }
    return () => send(`/data/v4/Files/GetFile?FileId=${fileId}`)
  }
  const send = (path: string, body?: object) =>
    platform!.fetch(
      new Request(`http://platform.local${path}`, {
        headers: { 'x-service-key': 'P', authorization: `Bearer ${token}` },
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      }),
    )

  it('that cannot be reached causes a 503 with retry-after', async () => {
    const getFile = await start(`http://127.0.0.1:${await freePort()}`)
    const started = performance.now()
    const response = await getFile()
    expect(performance.now() - started).toBeLessThan(15_000)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    const { title } = ProblemDetails.parse(await response.json())
    expect(title).toBe('The storage "Cloud" cannot be reached.')
    // Reported by the request, and by the job that looks for the upload.
    for (const fault of faults) expect(fault).toContain('The storage "Cloud" cannot be reached')
    expect(faults).not.toEqual([])
    expect(faults.join()).not.toContain('canary')
  }, 30_000)

  it('that rejects the platform causes a 502', async () => {
    const server = createServer((_, response) => response.writeHead(403).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as { port: number }
      const response = await (await start(`http://127.0.0.1:${port}`))()
      expect(response.status).toBe(502)
      const { title } = ProblemDetails.parse(await response.json())
      expect(title).toBe('The storage "Cloud" rejected the request with 403.')
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  }, 30_000)
})
