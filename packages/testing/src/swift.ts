import {
  CreateBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { S3Storage } from '@servicekit/platform'
import { freePort } from './free-port.mjs'
import { requiredPackages } from './debian-packages.ts'
import { startServer } from './start-server.ts'

const run = promisify(execFile)
const packages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object']
const programs = [...packages.map((name) => `${name}-server`), 'swift-ring-builder']
const isThere = (): boolean => programs.every((name) => existsSync(join('/usr/bin', name)))

/**
 * Returns why there is no S3 server that checks signatures on this machine, or undefined if
 * there is one. With CI=true on Debian as root it is installed; a failed installation is an
 * error.
 */
export const swiftFault = (): Promise<string | undefined> => requiredPackages(packages, isThere)

/** Starts OpenStack Swift as an S3 server in a temporary folder, with an empty bucket. */
export async function startSwift() {
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-swift-'))
  const etc = join(folder, 'etc')
  await mkdir(etc)
  await mkdir(join(folder, 'srv/d1'), { recursive: true })
  const user = process.getuid?.() === 0 ? 'root' : process.env['USER']
  await writeFile(
    join(etc, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n[storage-policy:0]\nname = one\ndefault = yes\n',
  )
  const head = (port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${user}
swift_dir = ${etc}
devices = ${join(folder, 'srv')}
mount_check = false
disable_fallocate = true
log_address = /dev/null
`
  const servers: { stop: () => Promise<void> }[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()))
    await rm(folder, { recursive: true, force: true })
  }
  const start = async (name: string, port: number, config: string) => {
    const path = join(etc, `${name}-server.conf`)
    await writeFile(path, config)
    servers.push(
      await startServer({ command: `/usr/bin/swift-${name}-server`, args: [path], port }),
    )
  }
  try {
    const kinds = ['object', 'container', 'account'] as const
    const ports = await Promise.all(kinds.map(() => freePort()))
    await Promise.all(
      kinds.map(async (kind, index) => {
        const builder = join(etc, `${kind}.builder`)
        await run('swift-ring-builder', [builder, 'create', '6', '1', '1'])
        await run('swift-ring-builder', [builder, 'add', `r1z1-127.0.0.1:${ports[index]}/d1`, '1'])
        await run('swift-ring-builder', [builder, 'rebalance'])
      }),
    )
    const port = await freePort()
    await Promise.all([
      ...kinds.map((kind, index) =>
        start(
          kind,
          ports[index]!,
          `${head(ports[index]!)}[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`,
        ),
      ),
      start(
        'proxy',
        port,
        `${head(port)}[pipeline:main]
pipeline = catch_errors cache listing_formats s3api tempauth bulk slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
dns_compliant_bucket_names = True
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`,
      ),
    ])
    const storage: S3Storage = {
      name: 'Cloud',
      strategy: 'S3Compatible',
      bucket: 'files',
      region: 'us-east-1',
      accessKeyId: 'test:tester',
      secretAccessKey: 'testing',
      endpoint: `http://127.0.0.1:${port}`,
    }
    const { region, accessKeyId, secretAccessKey, endpoint, bucket } = storage
    const client = new S3Client({
      region,
      credentials: { accessKeyId, secretAccessKey },
      endpoint: endpoint!,
      forcePathStyle: true,
    })
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
    /** Removes all objects. */
    const wipe = async (): Promise<void> => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
      for (const { Key } of Contents) {
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
      }
    }
    return { storage, client, wipe, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
