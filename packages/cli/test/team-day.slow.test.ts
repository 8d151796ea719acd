import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Browser, browserOn } from '@servicekit/testing/cookie-browser'
import { dumpableDatabases } from '@servicekit/testing/dumpable'
import { onEachEngine } from '@servicekit/testing/engines'
import { appUri, origin, password, signIn } from '@servicekit/testing/people'
import { type Receiver, receiver } from '@servicekit/testing/receiver'
import { startSmtp } from '@servicekit/testing/smtp'
import { type Balancer, startBalancer } from '@servicekit/testing/balancer'
import { isDeep } from '@servicekit/testing/is-deep'
import {
  type Instance,
  runCommand,
  startInstance,
  type Variables,
} from '@servicekit/testing/processes'
import { startStorage, type StorageKind, type TeamStorage, whyMissing } from './team/storages.ts'
import { controlToken, reachable, sendControl } from './team/workload.ts'

const withKey = { 'x-service-key': 'P' }

onEachEngine((engine) => {
  const databases = dumpableDatabases(engine)
  // Several instances need PostgreSQL.
  const isRun = isDeep && engine.name === 'PostgreSQL'

  describe.each<readonly [StorageKind, readonly string[]]>([
    ['S3 server', ['one', 'two']],
    ['Azurite', ['one', 'two', 'three', 'four']],
  ])('with files in %s, by instances %j', (kind, names) => {
    let missing: string | undefined
    let folder: string
    let storage: TeamStorage
    let smtp: Awaited<ReturnType<typeof startSmtp>>
    let hooks: Receiver
    let proxy: Balancer
    let instances: Instance[] = []
    beforeAll(async () => {
      if (!isRun) return
      missing = await whyMissing(kind)
      if (missing) return
      folder = await mkdtemp(join(tmpdir(), 'servicekit-day-'))
      vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true')
      storage = await startStorage(kind, folder)
      smtp = await startSmtp(folder)
      hooks = await receiver()
      proxy = await startBalancer()
    }, 400_000)
    beforeEach(({ skip }) => {
      if (missing) skip(missing)
    })
    afterAll(async () => {
      await Promise.all(instances.map((one) => one.kill()))
      await Promise.all([proxy?.close(), hooks?.close(), smtp?.stop()])
      await storage?.stop()
      if (folder) await rm(folder, { recursive: true, force: true })
      vi.unstubAllEnvs()
    })

    /** Settings of an instance on a new, empty database. */
    const settings = async (): Promise<Variables> => ({
      ...storage.variables,
      DATABASE_URL: (await databases.location()).databaseUrl!,
      SERVICEKIT_SECRET: 'a secret of 16 characters',
      SERVICEKIT_CONTROL_TOKEN: controlToken,
      SERVICEKIT_ALLOW: 'http',
      SERVICEKIT_PUBLIC_URL: origin,
      SERVICEKIT_OUTGOING: 'loopback',
      SERVICEKIT_SHUTDOWN_DELAY_MS: '0',
      SERVICEKIT_MAIL_HOST: smtp.settings.host,
      SERVICEKIT_MAIL_PORT: String(smtp.settings.port),
      SERVICEKIT_MAIL_USER: smtp.settings.user,
      SERVICEKIT_MAIL_PASSWORD: smtp.settings.password,
      SERVICEKIT_MAIL_FROM: smtp.settings.from,
      SERVICEKIT_MAIL_CA: smtp.settings.ca,
    })
    const startInstances = async (variables: Variables): Promise<void> => {
      instances = await Promise.all(
        names.map((name) => startInstance({ ...variables, SERVICEKIT_INSTANCE: name }, folder)),
      )
      proxy.use(instances.map(({ baseUrl }) => baseUrl))
    }
    const runAdmin = async (...args: string[]): Promise<string> => {
      const variables = {
        SERVICEKIT_URL: proxy.baseUrl,
        SERVICEKIT_PROJECT_KEY: 'P',
        SERVICEKIT_CONTROL_TOKEN: controlToken,
      }
      const { code, stdout, stderr } = await runCommand(['admin', ...args], variables, folder)
      expect([code, stderr]).toEqual([0, ''])
      return stdout
    }
    const admin = async <T>(...args: string[]): Promise<T> =>
      JSON.parse(await runAdmin(...args, '--json')) as T
    const control = async (method: string, path: string, body?: unknown) => {
      const response = await sendControl(proxy.baseUrl, method, path, body)
      expect([path, response.ok]).toEqual([path, true])
      return response
    }
    /** Sends requests to the public URL by the proxy. */
    const platform = {
      fetch: async (request: Request): Promise<Response> => {
        const { method, headers } = request
        const body = method === 'GET' ? undefined : await request.arrayBuffer()
        const address = reachable(request.url, proxy.baseUrl)
        return fetch(address, { method, headers, redirect: 'manual', ...(body && { body }) })
      },
    }
    const tokenStatus = async (clientSecret: string): Promise<number> => {
      const response = await fetch(`${proxy.baseUrl}/iam/v4/oidc/token`, {
        method: 'POST',
        headers: withKey,
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: 'job',
          client_secret: clientSecret,
          org_id: 'default',
        }),
      })
      return response.status
    }
    const text = async (): Promise<string> => {
      const query = 'Language=en-US&ModuleName=m&ProjectKey=P'
      const address = `${proxy.baseUrl}/uilm/v1/Key/GetUilmFile?${query}`
      return ((await (await fetch(address, { headers: withKey })).json()) as { ONE: string }).ONE
    }
    const publish = (value: string) =>
      control('PUT', '/projects/P/texts', [{ language: 'en-US', module: 'm', key: 'ONE', value }])
    const upload = async (browser: Browser, content: string): Promise<string> => {
      const signed = await browser.send('/data/v4/Files/GetPreSignedUrlForUpload', {
        method: 'POST',
        headers: { ...withKey, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'plan.txt' }),
      })
      const { fileId, uploadUrl, requiredHeaders } = (await signed.json()) as {
        fileId: string
        uploadUrl: string
        requiredHeaders: Record<string, string>
      }
      const put = await fetch(uploadUrl, { method: 'PUT', headers: requiredHeaders, body: content })
      expect(put.ok).toBe(true)
      return fileId
    }
    const read = async (browser: Browser, id: string): Promise<string> => {
      const path = `/data/v4/Files/GetFile?FileId=${id}`
      const found = await browser.send(path, { headers: withKey })
      const { url } = (await found.json()) as { url: string }
      return (await fetch(url)).text()
    }
    const statusOf = async (browser: Browser): Promise<number> =>
      (await browser.send('/iam/v4/iam/me', { headers: withKey })).status
    /** Requests take turns on the instances. */
    const statusOnEach = async (browser: Browser): Promise<readonly number[]> => {
      const statuses: number[] = []
      for (const _ of names) statuses.push(await statusOf(browser))
      return statuses
    }

    it.skipIf(!isRun)(
      'is a day of a team: create, invite, sign in, publish, upload, crash, rotate, back up, restore',
      async () => {
        const before = await settings()
        await startInstances(before)

        // Projects, keys and people are created from the command line.
        await admin('projects', 'create', 'P', '--title', 'Shop')
        await admin('roles', 'create', 'admin', '--title', 'Administrator')
        const key = await admin<{ clientSecret: string }>(
          'keys',
          'create',
          'job',
          '--role',
          'admin',
        )
        expect(await tokenStatus(key.clientSecret)).toBe(200)
        const clients = [{ clientId: 'web', redirectUris: [appUri] }]
        await control('PUT', '/projects/P/identity', { clients })
        await control('POST', '/projects/P/modules', { moduleName: 'm' })
        await control('POST', '/projects/P/publish')
        await control('PUT', '/projects/P/webhook', {
          url: hooks.address,
          contentType: 'application/json',
          isDisabled: false,
          projectKey: 'P',
        })

        // The administrator receives a mail and chooses a password.
        await admin('users', 'invite', 'ada@example.com', '--role', 'admin')
        const { recipients, source } = await smtp.take()
        expect(recipients).toEqual(['ada@example.com'])
        const joined = source.replaceAll('=\r\n', '').replaceAll('=3D', '=')
        const [link] = /http:\/\/platform\.local\S+\/activate\?code=[\w-]+/.exec(joined)!
        const form = await browserOn(platform).send(link, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
          body: new URLSearchParams({ password }).toString(),
        })
        expect(form.status).toBe(200)
        const { browser, callback } = await signIn(platform, 'P', 'ada@example.com')
        expect(callback.status).toBe(200)
        // Each instance knows the session.
        expect(await statusOnEach(browser)).toEqual(names.map(() => 200))

        await publish('first')
        expect([await text(), await text()]).toEqual(['first', 'first'])
        await hooks.take(1)
        const file = await upload(browser, 'the plan')
        expect(await read(browser, file)).toBe('the plan')

        // One instance crashes; the others continue.
        await instances[0]!.kill('SIGKILL')
        await publish('second')
        expect(await text()).toBe('second')
        await hooks.take(1)
        expect(await statusOf(browser)).toBe(200)

        // A key is rotated with overlap.
        const rotate = ['keys', 'rotate', 'job', '--overlap', '1h']
        const rotated = await admin<{ clientSecret: string }>(...rotate)
        const secrets = [key.clientSecret, rotated.clientSecret]
        expect(await Promise.all(secrets.map(tokenStatus))).toEqual([200, 200])

        // A backup is taken while instances run; then everything is lost.
        const { SERVICEKIT_CONTROL_TOKEN: _, ...store } = before
        const out = join(folder, 'backup')
        const saved = await runCommand(['backup', '--out', out], store, folder)
        expect(saved.code, saved.stderr).toBe(0)
        expect(await readdir(join(out, 'objects'))).toHaveLength(1)
        await Promise.all(instances.slice(1).map((one) => one.kill('SIGTERM')))
        await storage.wipe()

        // Restored into an empty database, all instances continue.
        const after = await settings()
        const { SERVICEKIT_CONTROL_TOKEN: __, ...target } = after
        const restored = await runCommand(
          ['restore', '--from', out],
          { ...target, SERVICEKIT_INSTANCE: 'restoring' },
          folder,
        )
        expect(restored.code, restored.stderr).toBe(0)
        await startInstances(after)
        expect(await statusOnEach(browser)).toEqual(names.map(() => 200))
        expect(await text()).toBe('second')
        expect(await read(browser, file)).toBe('the plan')
        expect(await Promise.all(secrets.map(tokenStatus))).toEqual([200, 200])
        expect((await signIn(platform, 'P', 'ada@example.com')).callback.status).toBe(200)
        await publish('third')
        expect(await text()).toBe('third')
        await hooks.take(1)
        expect(await read(browser, await upload(browser, 'another plan'))).toBe('another plan')

        const lines = (await runAdmin('audit')).trimEnd().split('\n')
        const entries = lines.map(
          (line) => JSON.parse(line) as { instance: string; operation: string },
        )
        expect(entries.map(({ operation }) => operation)).toContain('restore')
        const found = new Set(entries.map(({ instance }) => instance))
        expect(found).toEqual(new Set([...names, 'restoring']))
        await Promise.all(instances.map((one) => one.kill('SIGTERM')))
        const logs = instances.map(({ printed }) => printed.stdout + printed.stderr).join('')
        expect(logs).not.toMatch(/canary|ada@example/)
      },
      300_000,
    )
  })
})
