import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import { createPlatform, type Platform } from '@servicekit/platform'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { azuriteProgram } from '@servicekit/testing/azurite'
import { isDeep } from '@servicekit/testing/is-deep'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindClient, type Client } from '../src/index.ts'
import { createServerClient } from '../src/server.ts'
import type { UploadState } from '../src/storage.ts'
import { handlerTransport } from '../src/testing.ts'
import { hashOf, sampleBytes } from './sample-bytes.ts'
import { credentials, storefront } from './storefront.ts'

/** Default account of Azurite. */
const accountName = 'devstoreaccount1'
const accountKey =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

const partBytes = 4 * 2 ** 20

describe('files in an Azure Blob Storage that checks signatures', () => {
  let folder: string
  let azurite: ChildProcess
  let platform: Platform
  let client: Client
  let endpoint: string
  const container = () => {
    const credential = new StorageSharedKeyCredential(accountName, accountKey)
    return new BlobServiceClient(endpoint, credential).getContainerClient('files')
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'servicekit-azurite-'))
    const args = ['--location', folder, '--skipApiVersionCheck', '--disableTelemetry']
    azurite = spawn(process.execPath, [azuriteProgram, ...args, '--silent', '--blobPort', '0'])
    const port = await new Promise<string>((resolve, reject) => {
      let said = ''
      azurite.stdout!.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        const found =
          /successfully listens? on http:\/\/[\d.]+:(\d+)|listening at http:\/\/[\d.]+:(\d+)/.exec(
            said,
          )
        if (found) resolve((found[1] ?? found[2])!)
      })
      azurite.once('exit', () => reject(new Error(said)))
    })
    endpoint = `http://127.0.0.1:${port}/${accountName}`
    await container().create()
    platform = await createPlatform({
      projects: [storefront],
      maxUploadBytes: 4 * 2 ** 30,
      storage: [
        { name: 'Cloud', strategy: 'Azure', accountName, accountKey, container: 'files', endpoint },
      ],
    })
    const [projectKey] = await platform.projectKeys()
    const transport = handlerTransport((request) => platform.fetch(request))
    const { core } = createServerClient({
      baseUrl: 'http://local',
      projectKey: projectKey!,
      transport,
      credentials,
    })
    client = bindClient(core)
  })
  afterAll(async () => {
    await platform?.close()
    if (azurite) {
      const ended = once(azurite, 'exit')
      azurite.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  })

  it('are uploaded in one piece and downloaded', async () => {
    const bytes = new TextEncoder().encode('hello')
    const { fileId } = await client.storage.upload(bytes, { name: 'a.txt', type: 'text/plain' })
    const { body, type } = await client.storage.download({ fileId })
    expect([await new Response(body).text(), type]).toEqual(['hello', 'text/plain'])
  })

  it('are uploaded in blocks, and resumed with at most one block sent twice', async () => {
    const source = sampleBytes(6 * partBytes + 12_345)
    const controller = new AbortController()
    let state: UploadState | undefined
    let sent = 0
    const count = sampleBytes(source.size, (bytes) => void (sent += bytes))
    const options = { name: 'large.bin', type: 'application/x-large', partBytes }
    const cut = client.storage.upload(count, {
      ...options,
      signal: controller.signal,
      onState: (now) => {
        state = now
        if (now.sentParts === 3) controller.abort(new Error('enough'))
      },
    })
    await expect(cut).rejects.toMatchObject({ code: 'REQUEST_ABORTED' })
    const { fileId, sizeBytes } = await client.storage.upload(count, { ...options, resume: state! })
    expect(sizeBytes).toBe(source.size)
    expect(sent).toBeLessThanOrEqual(source.size + partBytes)
    const { body, type } = await client.storage.download({ fileId })
    expect(type).toBe('application/x-large')
    expect(await hashOf(body)).toEqual(await hashOf(source.open(0)))
  })

  it('are read at most one block ahead of the storage', async () => {
    let [read, sentParts, most] = [0, 0, 0]
    const source = sampleBytes(6 * partBytes, (bytes) => {
      read += bytes
      most = Math.max(most, read - sentParts * partBytes)
    })
    const onState = (state: UploadState) => void (sentParts = state.sentParts)
    await client.storage.upload(source, { name: 'ahead.bin', partBytes, onState })
    expect(sentParts).toBe(6)
    expect(most).toBeLessThanOrEqual(partBytes + 65_536)
  })

  it.skipIf(!isDeep)('arrive unchanged at 2 GB', { timeout: 1_200_000 }, async () => {
    const source = sampleBytes(2 * 2 ** 30)
    const { fileId } = await client.storage.upload(source, { name: '2gb.bin', partBytes })
    const { body } = await client.storage.download({ fileId })
    expect(await hashOf(body)).toEqual(await hashOf(source.open(0)))
  })

  it('leave nothing visible after an aborted upload', async () => {
    const names = async (): Promise<string[]> => {
      const found: string[] = []
      for await (const { name } of container().listBlobsFlat()) found.push(name)
      return found
    }
    const before = await names()
    const controller = new AbortController()
    const source = sampleBytes(6 * partBytes, () => sent++ === 200 && controller.abort())
    let sent = 0
    const { signal } = controller
    const upload = client.storage.upload(source, { name: 'given-up.bin', partBytes, signal })
    await expect(upload).rejects.toMatchObject({ code: 'REQUEST_ABORTED' })
    // Uncommitted blocks are deleted by the storage after a week.
    expect(await names()).toEqual(before)
  })
})
