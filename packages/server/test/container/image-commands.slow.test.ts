import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isDeep } from '@servicekit/testing/is-deep'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type PostgresServer, startPostgres } from '@servicekit/testing/postgres'
import { startSwift, swiftFault } from '@servicekit/testing/swift'
import { packPackages, startRegistry } from '@servicekit/testing/local-registry'
import manifest from '../../package.json' with { type: 'json' }
import {
  imageRootFault,
  makeFinalStage,
  runInstallStage,
  startInImage,
  textsOf,
} from './image-root.ts'
import { containerFolder, readCompose, readStages } from './read-container.ts'

const run = promisify(execFile)
const node = '/nodejs/bin/node'

/** The instructions of the Dockerfile run in a root file system of Debian, without an image. */
describe.skipIf(!isDeep)('the commands of the image', () => {
  let missing: string | undefined
  let folder: string
  let image: string
  let postgres: PostgresServer
  let s3: Awaited<ReturnType<typeof startSwift>>
  let variables: Record<string, string>

  beforeAll(async () => {
    missing = (await imageRootFault()) ?? (await swiftFault()) ?? (await portFault(4600))
    if (missing) return
    vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true')
    folder = await mkdtemp(join(tmpdir(), 'servicekit-image-'))
    image = join(folder, 'image')
    const packed = join(folder, 'packed')
    await mkdir(packed)
    ;[postgres, s3] = await Promise.all([startPostgres(), startSwift(), packPackages(packed)])
    const registry = await startRegistry(packed)
    try {
      await runInstallStage(join(folder, 'install'), {
        SERVICEKIT_VERSION: manifest.version,
        npm_config_registry: registry.url,
        ...certificates(),
      })
    } finally {
      await registry.close()
    }
    await makeFinalStage(image, join(folder, 'install'))
    await cp(containerFolder, join(folder, 'deploy'), { recursive: true })
    await run('sh', [join(folder, 'deploy/create-secrets.sh')])
    await writeFile(join(folder, 'deploy/secrets/database-url'), postgres.databaseUrl)
    await writeFile(join(folder, 'deploy/secrets/storage-key'), s3.storage.secretAccessKey)
    for (const name of await readdir(join(folder, 'deploy/secrets'))) {
      await copyFile(join(folder, 'deploy/secrets', name), join(image, 'run/secrets', name))
    }
    const given = Object.entries(readCompose().services['platform']!.environment!)
    variables = {
      ...Object.fromEntries(
        given.map(([name, value]) => [name, value.replace(/\$\{\w+:\?\}/, 'platform.example.com')]),
      ),
      SERVICEKIT_STORAGE_ENDPOINT: s3.storage.endpoint!,
      SERVICEKIT_STORAGE_ACCESS_KEY_ID: s3.storage.accessKeyId,
      SERVICEKIT_SHUTDOWN_DELAY_MS: '0',
    }
  }, 900_000)
  beforeEach(({ skip }) => {
    if (missing) skip(missing)
  })
  afterAll(async () => {
    s3?.client.destroy()
    await Promise.all([s3?.stop(), postgres?.stop()])
    if (folder) await rm(folder, { recursive: true, force: true })
    vi.unstubAllEnvs()
  }, 120_000)

  /** Runs a command whose entrypoint is Node, until it ends. */
  const runNode = (args: readonly string[]) => startInImage(image, [node, ...args], variables).ended
  const commandOf = (service: string) => readCompose().services[service]!.command!
  const final = () => readStages()[1]!
  const checkHealth = () => {
    const command = textsOf(final(), 'HEALTHCHECK')[0]!.replace(/^CMD /, '')
    return startInImage(image, JSON.parse(command) as string[], variables).ended
  }
  const serve = (): string[] => JSON.parse(textsOf(final(), 'CMD')[0]!) as string[]

  it('run as a user without rights, and cannot write to the root file system', async () => {
    const script = `
      const { writeFileSync } = require('node:fs')
      writeFileSync('/tmp/a', '')
      try { writeFileSync('/app/a', '') } catch ({ code }) {
        console.log(process.getuid(), process.getgid(), process.getgroups(), code)
      }`
    expect(await runNode(['-e', script])).toEqual({
      code: 0,
      printed: '65532 65532 [ 65532 ] EROFS\n',
    })
    const { stdout } = await run('find', [join(image, 'app'), '-name', '*.map'])
    expect(stdout).toBe('')
  })

  it('migrate the database, and create the bucket once', async () => {
    expect(await runNode(commandOf('migrate'))).toMatchObject({ code: 0 })
    expect(await runNode([...commandOf('migrate'), '--dry-run'])).toMatchObject({ code: 0 })
    for (const _ of [1, 2]) {
      expect(await runNode(commandOf('bucket'))).toEqual({
        code: 0,
        printed: 'Bucket servicekit exists\n',
      })
    }
  })

  it('check the settings, without secrets', async () => {
    const { code, printed } = await runNode([...serve(), '--check-config'])
    expect([code, printed]).toEqual([0, expect.stringMatching(/^storage\.bucket +"servicekit"/m)])
    const secret = await readFile(join(folder, 'deploy/secrets/servicekit-secret'), 'utf8')
    expect(printed).not.toContain(secret.trim())
  })

  it('serve, are healthy while they do, and stop at SIGTERM with 0', async () => {
    expect(await checkHealth()).toMatchObject({ code: 1 })
    const server = startInImage(image, [node, ...serve()], variables)
    await expect.poll(server.printed, { timeout: 60_000 }).toContain('"event":"started"')
    expect(await checkHealth()).toEqual({ code: 0, printed: '' })
    const ready = await fetch('http://127.0.0.1:4600/ready')
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }])
    server.child.kill('SIGTERM')
    const { code, printed } = await server.ended
    expect([code, printed]).toEqual([0, expect.stringContaining('"event":"stopped"')])
    expect(await checkHealth()).toMatchObject({ code: 1 })
  }, 120_000)
})

const certificates = (): Record<string, string> => {
  const file = process.env['NODE_EXTRA_CA_CERTS']
  return file ? { NODE_EXTRA_CA_CERTS: file, npm_config_cafile: file } : {}
}

/** Returns that a port is in use, or undefined. */
async function portFault(port: number): Promise<string | undefined> {
  const server = createServer()
  try {
    server.listen(port)
    await once(server, 'listening')
    return undefined
  } catch {
    return `the port ${port} is in use`
  } finally {
    server.close()
  }
}
