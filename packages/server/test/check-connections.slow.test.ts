import { CreateBucketCommand, DeleteBucketCommand } from '@aws-sdk/client-s3'
import { startAzurite } from '@servicekit/testing/azurite'
import { createCertificate } from '@servicekit/testing/certificate'
import { freePort } from '@servicekit/testing/free-port'
import { openServer, settingsOf } from '@servicekit/testing/open-server'
import { startSmtp } from '@servicekit/testing/smtp'
import { startSwift, swiftFault } from '@servicekit/testing/swift'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { checkConnections } from '../src/config/check-connections.ts'
import { checkConfig, type ServerConfig } from '../src/index.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-connect-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Checks settings, and returns the results of one part as `state: message`. */
async function check(name: string, given: ServerConfig, isFixing = false) {
  const settings = await settingsOf({
    publicUrl: 'http://platform.local',
    dataDir: folder,
    storage: { strategy: 'Local' },
    ...given,
  })
  const all = await checkConnections(settings, isFixing)
  return all.filter((one) => one.name === name).map(({ state, message }) => `${state}: ${message}`)
}

describe('storage', () => {
  it('names a folder that cannot be written', async () => {
    expect(await check('storage', {})).toEqual(['ok: the folder of files accepts files.'])
    const file = join(folder, 'file')
    await writeFile(file, '')
    expect(await check('storage', { storage: { strategy: 'Local', folder: file } })).toEqual([
      expect.stringMatching(/^failed: Cannot write to the folder .*ENOTDIR/),
    ])
  })

  it('finds, and creates, a container and its rule for browsers on Azure', async () => {
    const azurite = await startAzurite()
    try {
      const given = {
        storage: { ...azurite.storage, container: 'absent' },
        publicUrl: 'https://platform.example.com',
        origins: ['https://shop.example.com'],
      }
      const before = await check('storage', given)
      expect(before).toEqual([
        expect.stringMatching(
          /^failed: Cannot write to the container absent \(SERVICEKIT_STORAGE_CONTAINER\): .*404.* --fix` creates it\.$/,
        ),
      ])
      await azurite.allowOrigin('https://shop.example.com')
      expect(await check('storage', given, true)).toEqual([
        'fixed: the container absent (SERVICEKIT_STORAGE_CONTAINER) is created, and accepts files.',
        'fixed: Pages of https://platform.example.com may use signed URLs now (CORS).',
      ])
      const after = await check('storage', given)
      expect(after).toEqual([
        'ok: the container absent (SERVICEKIT_STORAGE_CONTAINER) accepts files.',
        // The rule that was there is kept.
        'ok: Pages of https://platform.example.com, https://shop.example.com may use signed URLs (CORS).',
      ])
    } finally {
      await azurite.stop()
    }
  })

  it('finds, and creates, a bucket of an S3 server, and says which origins it refuses', async ({
    skip,
  }) => {
    const missing = await swiftFault()
    if (missing) skip(missing)
    vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true')
    const swift = await startSwift()
    try {
      await swift.client.send(new DeleteBucketCommand({ Bucket: 'files' }))
      const given = { storage: swift.storage }
      expect(await check('storage', given)).toEqual([
        expect.stringMatching(/^failed: Cannot write to the bucket files .*404/),
      ])
      const [created, origins] = await check('storage', given, true)
      expect(created).toMatch(/^fixed: the bucket files .* is created, and accepts files\.$/)
      // Swift has no rules of S3 for browsers.
      expect(origins).toMatch(
        /^failed: Pages of http:\/\/platform\.local may not .*the rule cannot be added: /,
      )
      await expect(swift.client.send(new CreateBucketCommand({ Bucket: 'files' }))).rejects.toThrow(
        /own|exist/i,
      )
      const refused = { ...swift.storage, secretAccessKey: 'wrong-secret-key' }
      const [denied] = await check('storage', { storage: refused })
      expect(denied).toContain('403')
      expect(denied).not.toContain('wrong-secret-key')
    } finally {
      await swift.stop()
    }
  })
})

it('signs in to the mail server', async () => {
  const smtp = await startSmtp(folder)
  try {
    const { port } = smtp.settings
    expect(await check('mail', { mail: smtp.settings })).toEqual([
      `ok: localhost:${port} accepts the connection and the user.`,
    ])
    const wrong = { ...smtp.settings, password: 'canary' }
    expect(await check('mail', { mail: wrong })).toEqual([
      `failed: localhost:${port}: it refuses the user or the password (535).`,
    ])
    const { ca: _, ...unknownAuthority } = smtp.settings
    const [refused] = await check('mail', { mail: unknownAuthority })
    expect(refused).toMatch(/^failed: .*certificate/)
    expect(smtp.waiting()).toBe(0)
  } finally {
    await smtp.stop()
  }
})

it('reads the certificate that browsers get', async () => {
  const { key, cert } = await createCertificate(folder)
  const server = createServer({ key, cert }, (_, response) => response.end())
  await new Promise<void>((resolve) => void server.listen(0, () => resolve()))
  const publicUrl = `https://localhost:${(server.address() as AddressInfo).port}`
  try {
    expect(await check('certificate', { publicUrl })).toEqual([
      `failed: Browsers refuse the certificate of ${publicUrl}: DEPTH_ZERO_SELF_SIGNED_CERT.`,
    ])
  } finally {
    server.close()
  }
  const nobody = `https://localhost:${await freePort()}`
  expect(await check('certificate', { publicUrl: nobody })).toEqual([
    expect.stringMatching(/^skipped: Nothing responds at .* yet: ECONNREFUSED\.$/),
  ])
})

it('compares the control token with that of a running server', async () => {
  const server = await openServer({ dataDir: join(folder, 'data'), storage: { strategy: 'Local' } })
  try {
    const given = { publicUrl: server.baseUrl, controlToken: 'canary-control-token' }
    expect(await check('control token', given)).toEqual([
      `ok: The server at ${server.baseUrl} accepts it.`,
    ])
    const [refused] = await check('control token', { ...given, controlToken: 'another-token-123' })
    expect(refused).toMatch(/^failed: .* refuses it \(40[13]\)\. Check SERVICEKIT_CONTROL_TOKEN/)
  } finally {
    await server.stop()
  }
})

it('names the variable of a database that does not respond, and goes on', async () => {
  const given = { databaseUrl: `postgres://a:canary-password@127.0.0.1:${await freePort()}/b` }
  const [database] = await check('database', given)
  expect(database).toMatch(/^failed: .*ECONNREFUSED.* Check SERVICEKIT_DATABASE_URL\.$/)
  expect(database).not.toContain('canary')
  expect(await check('clock', given)).toEqual([expect.stringMatching(/^skipped: /)])
})

it('is printed below the settings, and refuses flags that do nothing', async () => {
  const flags = new Map([
    ['allow', 'embedded-database,local-files,http'],
    ['data-dir', folder],
    ['public-url', 'http://platform.local'],
    ['storage-strategy', 'Local'],
    ['check-config', 'true'],
    ['connect', 'true'],
  ])
  const { text, isComplete } = await checkConfig({ flags, env: {}, folder })
  expect(text).toMatch(/The configuration is valid\.\n\nskipped {2}database +The embedded database/)
  expect(text).toContain('ok       storage')
  expect(isComplete).toBe(true)
  const options = { flags: new Map([['fix', 'true']]), env: {}, folder }
  await expect(checkConfig(options)).rejects.toThrow('--fix needs --connect.')
  expect(await readdir(join(folder, 'files'))).not.toContain('probe')
})
