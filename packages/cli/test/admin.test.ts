import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { onEachEngine } from '@servicekit/testing/engines'
import { browserOn } from '@servicekit/testing/cookie-browser'
import { appUri, password, signIn, submitLogin } from '@servicekit/testing/people'
import { controlToken, openServer } from '@servicekit/testing/open-server'
import { run } from './run.ts'

interface Begun {
  readonly redirect_uri: string
}

onEachEngine((engine) => {
  let server: Awaited<ReturnType<typeof openServer>>
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'servicekit-admin-'))
    const { databaseUrl } = await engine.location()
    server = await openServer({
      ...(databaseUrl === undefined ? { dataDir: join(folder, 'data') } : { databaseUrl }),
      storage: { strategy: 'Local', folder: join(folder, 'files') },
      instance: 'one',
      rateLimitPerMinute: 0,
    })
    stub()
    await admin('projects', 'create', 'P', '--title', 'Shop', '--language', 'en-US,de-DE')
  })
  afterAll(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const stub = (): void => {
    vi.stubEnv('SERVICEKIT_URL', server.baseUrl)
    vi.stubEnv('SERVICEKIT_PROJECT_KEY', 'P')
    vi.stubEnv('SERVICEKIT_CONTROL_TOKEN', controlToken)
  }
  beforeEach(() => stub())

  const admin = (...args: string[]) => run(['admin', ...args])
  /** Runs a command with --json and returns its value. */
  const read = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await admin(...args, '--json')
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout) as T
  }
  const tokenStatus = async (clientSecret: string, clientId = 'job'): Promise<number> => {
    const response = await server.send('/iam/v4/oidc/token', {
      method: 'POST',
      headers: { 'x-service-key': 'P' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        org_id: 'default',
      }),
    })
    return response.status
  }

  it('creates, lists and deletes projects, and deletes only with confirmation', async () => {
    expect(await read('projects', 'create', 'Q')).toEqual({
      projectKey: 'Q',
      name: 'Q',
      languages: ['en-US'],
      roles: ['admin'],
    })
    const invite = 'servicekit admin users invite EMAIL --role admin --project-key R'
    expect(await admin('projects', 'create', 'R')).toMatchObject({
      code: 0,
      stdout: `R: created\nInvite its first administrator: ${invite}\n`,
    })
    const invited = ['users', 'invite', 'ada@example.com', '--role', 'admin', '--project-key', 'R']
    expect(await read(...invited)).toMatchObject({ email: 'ada@example.com' })
    expect(await read('projects', 'delete', 'R', '--yes')).toMatchObject({ isDeleted: true })
    const again = await admin('projects', 'create', 'Q')
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The project Q already exists'),
    })
    const listed = await read<{ key: string }[]>('projects', 'list')
    expect(listed.map(({ key }) => key)).toEqual(['P', 'Q', 'servicekit-shared'])
    expect((await admin('projects', 'list')).stdout).toMatch(/^P +Shop +en-US/m)

    const unconfirmed = await admin('projects', 'delete', 'Q')
    expect(unconfirmed).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes') })
    const args = ['admin', 'projects', 'delete', 'Q']
    const refused = await run(args, undefined, async (question) => question === 'no')
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Not confirmed') })
    expect(await read('projects', 'delete', 'Q', '--yes')).toEqual({
      projectKey: 'Q',
      isDeleted: true,
    })
    const absent = await admin('projects', 'delete', 'Q', '--yes')
    expect(absent).toMatchObject({ code: 4, stderr: expect.stringContaining('no project Q') })
  })

  it('rotates a key with an overlap in which both secrets are valid', async () => {
    const first = await read<{ clientSecret: string }>('keys', 'create', 'job', '--role', 'admin')
    expect(await tokenStatus(first.clientSecret)).toBe(200)
    const rotated = await admin('keys', 'rotate', 'job', '--overlap', '1h')
    const second = /^[\w-]{43}$/m.exec(rotated.stdout)![0]
    expect(rotated.stdout).toMatch(/The previous secret is valid until \d{4}-/)
    expect([await tokenStatus(first.clientSecret), await tokenStatus(second)]).toEqual([200, 200])
    expect(await tokenStatus('wrong-secret')).toBe(401)

    await server.control('POST', '/clock', { advanceMs: 3_600_000 })
    expect([await tokenStatus(first.clientSecret), await tokenStatus(second)]).toEqual([401, 200])

    const third = await read<{ clientSecret: string }>('keys', 'rotate', 'job', '--overlap', '0')
    expect([await tokenStatus(second), await tokenStatus(third.clientSecret)]).toEqual([401, 200])
    const listed = await admin('keys', 'list', '--json')
    expect(JSON.parse(listed.stdout)).toMatchObject([{ clientId: 'job', hasSecret: true }])
    expect(listed.stdout).not.toMatch(/hash/i)
    expect(await read('keys', 'revoke', 'job', '--yes')).toMatchObject({ isRevoked: true })
    expect(await tokenStatus(third.clientSecret)).toBe(401)
  })

  it('rotates the signing key of a project', async () => {
    const { stdout } = await admin('signing-key', 'rotate', '--overlap', '1h')
    const kid = /^Signing key ([\w-]{43}): in use\. .* until \d{4}-/.exec(stdout)![1]!
    const published = async () => {
      const response = await server.send('/iam/v4/oidc/projects/P/jwks')
      return ((await response.json()) as { keys: { kid: string }[] }).keys.map((key) => key.kid)
    }
    expect(await published()).toEqual([kid, expect.any(String)])
    const next = await read<{ kid: string }>('signing-key', 'rotate', '--overlap', '0')
    expect(await published()).toEqual([next.kid])
    const mistyped = await admin('signing-key', 'rotate', '--overlap', 'soon')
    expect(mistyped).toMatchObject({ code: 2, stderr: expect.stringContaining('--overlap') })
  })

  it('invites, lists and deactivates users, and replaces their roles', async () => {
    await read('roles', 'create', 'editor', '--title', 'Editor')
    const invited = await read<{ itemId: string }>(
      'users',
      'invite',
      'ada@example.com',
      '--role',
      'editor',
    )
    const inbox = await server.control('GET', '/projects/P/inbox?recipient=ada@example.com')
    expect(await inbox.json()).toMatchObject([{ purpose: 'Invitation' }])
    const again = await admin('users', 'invite', 'ada@example.com')
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already taken') })
    const rolesOf = async () =>
      (await read<{ memberships: { roles: string[] }[] }[]>('users', 'list', 'ada'))[0]!
        .memberships[0]!.roles
    expect(await rolesOf()).toEqual(['editor'])
    await read('users', 'roles', 'ADA@example.com', '--role', 'admin', '--role', 'editor')
    expect(await rolesOf()).toEqual(['admin', 'editor'])
    expect(await read<object[]>('roles', 'list')).toMatchObject([
      { slug: 'admin' },
      { slug: 'editor', count: 1 },
    ])
    expect(await read('users', 'invite', 'eve@example.com')).toMatchObject({
      itemId: expect.any(String),
    })
    const path = ['users', 'deactivate', 'eve@example.com'] as const
    expect(await read(...path)).toMatchObject({ email: 'eve@example.com', active: false })
    expect((await admin('users', 'list')).stdout).toMatch(/eve@example\.com +inactive/)
    const unknown = await admin('users', 'deactivate', invited.itemId.replace(/^./, 'x'))
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no user') })
  })

  it('lists roles beyond the first page', async () => {
    await read('projects', 'create', 'Roles', '--language', 'en-US')
    vi.stubEnv('SERVICEKIT_PROJECT_KEY', 'Roles')
    const roles = Array.from({ length: 1001 }, (_, at) => ({ slug: `role-${at}` }))
    const saved = await server.control('PUT', '/projects/Roles/identity', { roles })
    expect(saved.ok).toBe(true)
    const listed = await read<{ slug: string }[]>('roles', 'list')
    const slugs = [...roles.map(({ slug }) => slug), 'admin'].sort()
    expect(listed.map(({ slug }) => slug).sort()).toEqual(slugs)
  })

  it('signs a user out, deactivates and activates users, and deletes roles', async () => {
    const identity = {
      roles: [
        { slug: 'boss' },
        { slug: 'member' },
        { slug: 'junior', ancestorRoleSlugs: ['member'] },
      ],
      settings: { administratorRoles: ['boss', 'admin'] },
      clients: [
        { clientId: 'web', redirectUris: [appUri] },
        {
          clientId: 'reader',
          clientSecret: 'the secret of the reader',
          roles: ['member', 'admin'],
        },
      ],
      permissions: [
        { name: 'orders.read', type: 1, resource: 'orders', roles: ['member', 'boss'] },
      ],
      organizations: [{ itemId: 'org-boss', name: 'Boss' }],
      users: [
        { email: 'cy@example.com', password, roles: ['member', 'admin'] },
        { email: 'max@example.com', password, roles: ['admin'] },
        {
          email: 'dee@example.com',
          memberships: [{ organizationId: 'org-boss', roles: ['boss'], permissions: [] }],
        },
      ],
    }
    expect((await server.control('PUT', '/projects/P/identity', identity)).status).toBe(204)
    const status = async ({ browser }: Awaited<ReturnType<typeof signIn>>) =>
      (await browser.send('/iam/v4/iam/me', { headers: { 'x-service-key': 'P' } })).status
    const open = () => signIn(server.platform, 'P', 'cy@example.com')
    const first = await open()
    expect(await status(first)).toBe(200)
    expect(await read('users', 'sign-out', 'cy@example.com')).toMatchObject({ isSignedOut: true })
    expect(await status(first)).toBe(401)

    const second = await open()
    expect(await status(second)).toBe(200)
    await read('users', 'deactivate', 'cy@example.com')
    expect(await status(second)).toBe(401)
    const browser = browserOn(server.platform)
    const query = new URLSearchParams({ clientId: 'web', redirectUri: appUri })
    const begun = await browser.send(`/iam/v4/idp/initiate?x-service-key=P&${query}`)
    const { page } = await browser.open(((await begun.json()) as Begun).redirect_uri)
    const refused = await submitLogin(browser, page!, 'cy@example.com')
    expect(await refused.page!.text()).toContain('This account is not active.')
    expect(await read('users', 'activate', 'cy@example.com')).toMatchObject({ active: true })
    // Activating does not bring back sessions that ended.
    expect(await status(second)).toBe(401)
    expect(await status(await open())).toBe(200)

    const unconfirmed = await admin('roles', 'delete', 'member')
    expect(unconfirmed).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes') })
    expect(await read('roles', 'delete', 'member', '--yes')).toEqual({
      slug: 'member',
      isDeleted: true,
    })
    type Listed = { slug: string; ancestorRoleSlugs: string[]; memberships: { roles: string[] }[] }
    const [cy] = await read<Listed[]>('users', 'list', 'cy@')
    expect(cy!.memberships[0]!.roles).toEqual(['admin'])
    const left = await read<Listed[]>('roles', 'list')
    expect(left.map(({ slug }) => slug)).not.toContain('member')
    expect(left.find(({ slug }) => slug === 'junior')).toMatchObject({ ancestorRoleSlugs: [] })
    const keys = await read<{ clientId: string; roles: string[] }[]>('keys', 'list')
    expect(keys.find(({ clientId }) => clientId === 'reader')!.roles).toEqual(['admin'])

    const last = await admin('roles', 'delete', 'boss', '--yes')
    expect(last).toMatchObject({ code: 4, stderr: expect.stringContaining('no administrator') })
    expect((await read<Listed[]>('roles', 'list')).map(({ slug }) => slug)).toContain('boss')
    const [dee] = await read<Listed[]>('users', 'list', 'dee@')
    expect(dee!.memberships[0]!.roles).toEqual(['boss'])
    const unknown = await admin('roles', 'delete', 'member', '--yes')
    expect(unknown).toMatchObject({ code: 4, stderr: expect.stringContaining('role') })
  })

  it('changes origins and the webhook, whose secret it reads from a file', async () => {
    expect(await read('origins', 'add', 'https://app.example')).toEqual({
      origins: ['https://app.example'],
    })
    const invalid = await admin('origins', 'add', 'app.example')
    expect(invalid).toMatchObject({ code: 4, stderr: expect.stringContaining('origin') })
    expect(await read('origins', 'remove', 'https://app.example')).toEqual({ origins: [] })

    const secretFile = join(folder, 'webhook-secret')
    await writeFile(secretFile, 'canary-webhook-secret\n')
    const set = ['webhook', 'set', 'https://receiver.example/hook'] as const
    const saved = await admin(...set, '--secret-file', secretFile, '--header-key', 'x-secret')
    expect(saved).toMatchObject({
      code: 0,
      stdout: 'https://receiver.example/hook (enabled, secret in x-secret)\n',
    })
    expect(await read('webhook', 'show')).toEqual({
      url: 'https://receiver.example/hook',
      isDisabled: false,
      headerKey: 'x-secret',
    })
    const stored = await (await server.control('GET', '/projects/P/webhook')).json()
    expect(stored).toMatchObject({ hasSecret: true })
    expect(await read(...set, '--disabled')).toMatchObject({ isDisabled: true })
  })

  it.each([
    [['projects', 'create', 'my shop'], 'The project key is not valid (received "my shop")'],
    [['projects', 'create', '../x'], 'The project key is not valid (received "../x")'],
    [['projects', 'create', 'x'.repeat(65)], 'The project key is not valid'],
    [['projects', 'create', 'L', '--language', 'de_'], '--language has an invalid code'],
    [['roles', 'create', 'a/b'], 'The role is not valid (received "a/b")'],
    [['keys', 'create', 'a b', '--role', 'admin'], 'The client id is not valid (received "a b")'],
  ])('refuses an invalid name: %j', async (args, message) => {
    const { code, stderr } = await admin(...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it('says that there is no webhook', async () => {
    await admin('projects', 'create', 'W')
    const { code, stdout } = await admin('webhook', 'show', '--project-key', 'W')
    expect([code, stdout]).toEqual([0, 'There is no webhook\n'])
    await admin('projects', 'delete', 'W', '--yes')
  })

  it('exports the audit log as JSON lines and as CSV', async () => {
    const { stdout } = await admin('audit', '--since', '1h', '--project', 'P')
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(entries).toContainEqual(
      expect.objectContaining({
        actor: 'control',
        operation: 'iam.createUser',
        kind: 'users',
        action: 'insert',
        instance: 'one',
        project: 'P',
      }),
    )
    expect(stdout).not.toContain('canary')
    const csv = (await admin('audit', '--format', 'csv')).stdout.split('\r\n')
    expect(csv[0]).toBe(
      'at,project,actor,operation,action,kind,records,total,requestId,instance,id',
    )
    expect(csv.some((line) => /,P,control,iam\.createUser,insert,users,/.test(line))).toBe(true)
    expect((await admin('audit', '--until', '1h')).stdout).toBe('')
    const invalid = await admin('audit', '--since', 'yesterday')
    expect(invalid).toMatchObject({ code: 2, stderr: expect.stringContaining('--since must be') })
  })

  it('reads the control token from a file too, as servers do', async () => {
    vi.stubEnv('SERVICEKIT_CONTROL_TOKEN', undefined)
    const path = join(folder, 'control-token')
    vi.stubEnv('SERVICEKIT_CONTROL_TOKEN_FILE', path)
    const absent = await admin('projects', 'list')
    expect(absent).toMatchObject({ code: 2, stderr: expect.stringContaining(path) })
    await writeFile(path, `${controlToken}\n`)
    expect(await read<object[]>('projects', 'list')).not.toEqual([])
  })

  it('needs the control token, and names what is missing or unknown', async () => {
    vi.stubEnv('SERVICEKIT_CONTROL_TOKEN', 'wrong')
    for (const args of [
      ['projects', 'list'],
      ['users', 'list'],
    ]) {
      const refused = await admin(...args)
      expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('control token') })
    }
    const missing = await admin()
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('projects, keys') })
    const mistyped = await admin('keys', 'rotat')
    expect(mistyped).toMatchObject({ code: 2, stderr: expect.stringContaining('rotate') })
  })

  it('calls no operation for a request with another token, session or path', async () => {
    const call = (path: string, authorization: string) =>
      server.send(path, { method: 'POST', headers: { authorization }, body: '{}' })
    const list = '/_platform/projects/P/interface/iam/v4/iam/users'
    expect((await call(list, `Bearer ${controlToken}`)).status).toBe(200)
    expect((await call(list, 'Bearer wrong')).status).toBe(401)
    // The interface itself does not accept the control token.
    const direct = await server.send('/iam/v4/iam/users', {
      method: 'POST',
      headers: { 'x-service-key': 'P', authorization: `Bearer ${controlToken}` },
      body: '{}',
    })
    expect(direct.status).toBe(401)
    for (const path of [
      '_platform/projects',
      'interface/iam/v4/iam/users',
      'data/v4/gateway/x',
      'uilm/v1/Key/GetUilmFile',
    ]) {
      const response = await call(
        `/_platform/projects/P/interface/${path}`,
        `Bearer ${controlToken}`,
      )
      expect(response.status).toBe(404)
    }
  })
})
