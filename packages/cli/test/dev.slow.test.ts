import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { main } from '../src/main.ts'
import { run } from './run.ts'

const storefront = join(import.meta.dirname, '../../../fixtures/projects/storefront')

/** Starts `dev` and resolves with its first line and a function to stop it. */
async function dev(...args: string[]) {
  const controller = new AbortController()
  let print: (line: string) => void
  const first = new Promise<string>((resolve) => (print = resolve))
  const ended = main(['dev', '--port', '0', ...args], {
    stdout: (text) => print(text),
    stderr: (text) => print(text),
    isTerminal: false,
    progressIntervalMs: Infinity,
    signal: controller.signal,
  })
  return {
    line: await first,
    stop: () => {
      controller.abort()
      return ended
    },
  }
}

it('serves a project, prints its URL in one line, and persists changes', async () => {
  vi.stubEnv('DATABASE_URL', '')
  const data = await mkdtemp(join(tmpdir(), 'servicekit-dev-'))
  try {
    const first = await dev('--project', storefront, '--data', data, '--json')
    const { baseUrl, projectKey } = JSON.parse(first.line)
    const changed = await fetch(`${baseUrl}/_platform/projects/${projectKey}/texts`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ language: 'en-US', module: 'common', key: 'OK', value: 'Right' }]),
    })
    expect(changed.status).toBe(200)
    expect(await first.stop()).toBe(0)

    const second = await dev('--project', storefront, '--data', data, '--json')
    const { baseUrl: url } = JSON.parse(second.line)
    const query = `Language=en-US&ModuleName=common&ProjectKey=${projectKey}`
    const file = await fetch(`${url}/uilm/v1/Key/GetUilmFile?${query}`, {
      headers: { 'x-service-key': projectKey },
    })
    expect(await file.json()).toMatchObject({ OK: 'Right' })
    expect(await second.stop()).toBe(0)
    await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}, 60_000)

it('persists nothing with --memory, and prints the environment variables to set', async () => {
  vi.stubEnv('DATABASE_URL', '')
  const before = await readdir('.')
  const { line, stop } = await dev('--sample', '--memory')
  expect(line).toMatch(
    /SERVICEKIT_URL=http:\/\/127\.0\.0\.1:\d+\n {2}SERVICEKIT_PROJECT_KEY=P\w+\n/,
  )
  expect(line).toContain('each with the password storefront: ines@storefront.example (admin), tom@')
  const page = /Edit a message: (http:\S+)/.exec(line)![1]!
  const response = await fetch(page)
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringContaining('<div id="root">'),
  ])
  await stop()
  expect(await readdir('.')).toEqual(before)
})

it('generates the same ids and times with --seed and --clock', async () => {
  vi.stubEnv('DATABASE_URL', '')
  const inserted = async (): Promise<unknown> => {
    const clock = ['--clock', '2026-01-01T00:00:00Z']
    const { line, stop } = await dev(
      '--project',
      storefront,
      '--memory',
      '--json',
      '--seed',
      '1',
      ...clock,
    )
    const { baseUrl, projectKey } = JSON.parse(line)
    const mutation =
      'mutation { insertProduct(input: {Name: "Cup", Price: 9, Sku: "C-1"}) { itemId } }'
    const query = '{ Products(where: {Sku: {eq: "C-1"}}) { items { ItemId CreatedDate } } }'
    const issued = await fetch(`${baseUrl}/iam/v4/oidc/token`, {
      method: 'POST',
      headers: { 'x-service-key': projectKey },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'storefront-job',
        client_secret: 'storefront-job-secret',
        org_id: 'default',
      }),
    })
    const { accessToken } = (await issued.json()) as { accessToken: string }
    const send = async (text: string) => {
      const response = await fetch(`${baseUrl}/data/v4/gateway`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-service-key': projectKey,
          authorization: `Bearer ${accessToken}`,
        },
        body: JSON.stringify({ query: text }),
      })
      return response.json()
    }
    const answers = [await send(mutation), await send(query)]
    await stop()
    return answers
  }
  const first = await inserted()
  expect(JSON.stringify(first)).toContain('2026-01-01T00:00:00')
  expect(await inserted()).toEqual(first)
})

it('exits with 2 for a folder that is not a project', async () => {
  const { line, stop } = await dev('--project', tmpdir(), '--memory')
  expect(line).toContain('project.json')
  expect(await stop()).toBe(2)
})

it('requires the control token, which the other commands send, and never prints it', async () => {
  vi.stubEnv('DATABASE_URL', '')
  vi.stubEnv('SERVICEKIT_CONTROL_TOKEN', 'canary-token')
  const { line, stop } = await dev('--sample', '--memory')
  const baseUrl = /SERVICEKIT_URL=(\S+)/.exec(line)![1]!
  const key = /PROJECT_KEY=(\w+)/.exec(line)![1]!
  expect(line).not.toContain('canary-token')
  const out = await mkdtemp(join(tmpdir(), 'servicekit-token-'))
  try {
    expect((await fetch(`${baseUrl}/_platform/projects`)).status).toBe(401)
    const args = ['export', '--out', out, '--base-url', baseUrl, '--project-key', key]
    expect(await run(args)).toMatchObject({ code: 0, stderr: '' })
    vi.stubEnv('SERVICEKIT_CONTROL_TOKEN', 'canary-wrong')
    const refused = await run(args)
    expect(refused).toMatchObject({ code: 4, stdout: '' })
    expect(refused.stderr).toContain('SERVICEKIT_CONTROL_TOKEN')
    expect(refused.stderr).not.toContain('canary')
  } finally {
    vi.unstubAllEnvs()
    await rm(out, { recursive: true, force: true })
    await stop()
  }
})

it('accepts several origins and host names', async () => {
  vi.stubEnv('DATABASE_URL', '')
  const origins = ['--origin', 'https://a.example', '--origin', 'https://b.example']
  const hosts = ['--allowed-host', 'one.example', '--allowed-host', 'two.example']
  const { line, stop } = await dev('--sample', '--memory', '--json', ...origins, ...hosts)
  const { baseUrl, projectKey } = JSON.parse(line)
  const ask = (headers: Record<string, string>) =>
    new Promise<number>((resolve) => {
      const path = `/localization/v4/Language/Gets?ProjectKey=${projectKey}`
      const all = { 'x-service-key': projectKey, ...headers }
      get(`${baseUrl}${path}`, { headers: all }, (response) => {
        response.resume()
        resolve(response.statusCode!)
      })
    })
  try {
    for (const name of ['a', 'b'])
      expect(await ask({ origin: `https://${name}.example` })).toBe(200)
    for (const host of ['one.example', 'two.example']) expect(await ask({ host })).toBe(200)
    expect(await ask({ origin: 'https://c.example' })).toBe(406)
    expect(await ask({ host: 'three.example' })).toBe(400)
  } finally {
    await stop()
  }
})

it('requires authentication, except with --open on this machine', async () => {
  vi.stubEnv('DATABASE_URL', '')
  for (const [flags, status] of [
    [[], 401],
    [['--open'], 200],
  ] as const) {
    const started = await dev('--project', storefront, '--memory', '--json', ...flags)
    const { baseUrl, projectKey } = JSON.parse(started.line)
    const response = await fetch(`${baseUrl}/idp/v1/Iam/GetUsers`, {
      method: 'POST',
      headers: { 'x-service-key': projectKey, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(response.status).toBe(status)
    await started.stop()
  }
  const open = await run(['dev', '--memory', '--open', '--port', '0', '--host', '0.0.0.0'])
  expect(open.code).toBe(2)
  expect(open.stderr).toContain('Cannot use openProjects on 0.0.0.0')
}, 60_000)

it('runs a command while the platform runs, and ends with its exit code', async () => {
  vi.stubEnv('DATABASE_URL', '')
  const args = ['dev', '--memory', '--port', '0', '--run', 'node -e "process.exit(3)"']
  const { code, stdout } = await run(args)
  expect([code, stdout]).toEqual([3, expect.stringContaining('The local platform is ready')])
  expect(stdout).toMatch(/^Console: http:\/\/127\.0\.0\.1:\d+\/console\/\n/)
  const url = /API reference: (http:\S+)/.exec(stdout)![1]!
  await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})

it('passes the URL of the platform to a command, and overrides the environment', async () => {
  vi.stubEnv('DATABASE_URL', '')
  vi.stubEnv('SERVICEKIT_URL', 'https://elsewhere.example.com')
  vi.stubEnv('SERVICEKIT_PROJECT_KEY', 'other')
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-dev-'))
  try {
    const file = join(folder, 'variables.json')
    const values = '[process.env.SERVICEKIT_URL,process.env.SERVICEKIT_PROJECT_KEY]'
    const script = `fs.writeFileSync('${file}',JSON.stringify(${values}))`
    const args = ['dev', '--sample', '--memory', '--port', '0', '--run', `node -e "${script}"`]
    const { stdout } = await run(args)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual([
      /SERVICEKIT_URL=(\S+)/.exec(stdout)![1],
      /SERVICEKIT_PROJECT_KEY=(\S+)/.exec(stdout)![1],
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
