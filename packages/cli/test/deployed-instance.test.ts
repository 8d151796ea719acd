import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient, fetchTransport } from '@servicekit/client'
import { createClientGateway } from '@servicekit/client/gateway'
import { undiciTransport } from '@servicekit/client/undici'
import { deployed, type DeployedInstance, startDeployedInstance } from './deployed/instance.ts'
import { uilm } from '@servicekit/unplugin/vite'
import { build } from 'vite'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { run } from './run.ts'

let instance: DeployedInstance
let root: string

beforeAll(async () => {
  instance = await startDeployedInstance()
})
afterAll(() => instance.close())
beforeEach(async () => {
  for (const name of [
    'CI',
    'SERVICEKIT_URL',
    'SERVICEKIT_PROJECT_KEY',
    'SERVICEKIT_PRESET',
    'SERVICEKIT_KEY_HEADER',
    'SERVICEKIT_TOKEN',
  ])
    vi.stubEnv(name, '')
  vi.stubEnv('SERVICEKIT_CLIENT_ID', deployed.clientId)
  vi.stubEnv('SERVICEKIT_CLIENT_SECRET', deployed.clientSecret)
  root = await mkdtemp(join(tmpdir(), 'servicekit-deployed-'))
  await writeFile(join(root, 'package.json'), '{"type": "module"}')
  return () => rm(root, { recursive: true, force: true })
})

const configure = (options: object = { preset: 'deployed' }): Promise<void> => {
  const { baseUrl } = instance
  const { projectKey } = deployed
  const gateway = { outDir: 'gateway', importExtension: '.ts' }
  const config = { baseUrl, projectKey, gateway, ...options }
  return writeFile(join(root, 'servicekit.config.json'), JSON.stringify(config))
}
const command = (...args: readonly string[]) => run([...args, '--root', root])

/** Returns the text of all files of the application. */
async function allText(): Promise<string> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = files.map((file) => readFile(join(file.parentPath, file.name), 'utf8'))
  return (await Promise.all(texts)).join('\n')
}

describe('pull', () => {
  it('fetches the files with the preset, and reads markers as missing', async () => {
    await configure()
    const { code, stdout, stderr } = await command('pull')
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('2 languages, 1 module: 2 files')
    const german = JSON.parse(await readFile(join(root, 'uilm/de-DE/common.json'), 'utf8'))
    expect(german).toEqual({ APP_TITLE: 'Laden', CHECK_OUT: null })
  })

  it.each([
    ['keyHeader in the config file', { keyHeader: 'X-Blocks-Key' }, []],
    ['the flag --key-header', {}, ['--key-header', 'x-blocks-key']],
    ['the flag --preset', {}, ['--preset', 'deployed']],
  ])('fetches the files with %s', async (_, options, flags) => {
    await configure(options)
    const { code, stderr } = await command('pull', ...flags)
    expect(code, stderr).toBe(0)
  })

  it('fetches the files with variables of the environment', async () => {
    await configure({})
    vi.stubEnv('SERVICEKIT_PRESET', 'deployed')
    expect(await command('pull')).toMatchObject({ code: 0 })
  })

  it('names the option without the preset', async () => {
    await configure({})
    const { code, stderr } = await command('pull')
    expect(code).toBe(4)
    expect(stderr).toContain('The tenant could not be resolved')
    expect(stderr).toContain('preset')
  })

  it('names the presets that exist', async () => {
    await configure({ preset: 'deployd' })
    const { code, stderr } = await command('pull')
    expect(code).toBe(2)
    expect(stderr).toContain('preset must be interface or deployed')
  })
})

describe('codegen', () => {
  it.each(
    [[], ['--introspect'], ['--cross-check']].map((flags) => [flags.join(' '), flags] as const),
  )('generates with the preset and credentials %s', async (_, flags) => {
    await configure()
    const { code, stderr } = await command('codegen', ...flags)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await allText()).toContain('getCategorys')
  })

  it('accepts a token instead of client credentials', async () => {
    await configure()
    vi.stubEnv('SERVICEKIT_CLIENT_ID', '')
    vi.stubEnv('SERVICEKIT_CLIENT_SECRET', '')
    vi.stubEnv('SERVICEKIT_TOKEN', deployed.accessToken)
    expect(await command('codegen', '--cross-check')).toMatchObject({ code: 0, stderr: '' })
  })

  it('names the option without the preset, and the query that exists with keyHeader only', async () => {
    await configure({})
    const refused = await command('codegen')
    expect(refused.code).toBe(4)
    expect(refused.stderr).toContain('preset')
    await configure({ keyHeader: 'x-blocks-key' })
    const { stderr } = await command('codegen', '--cross-check')
    expect(stderr).toContain('it has getCategorys, see queryNaming')
  })

  it.each(
    [[], ['--introspect'], ['--cross-check']].map((flags) => [flags.join(' '), flags] as const),
  )('names the variables without credentials %s', async (_, flags) => {
    await configure()
    vi.stubEnv('SERVICEKIT_CLIENT_ID', '')
    vi.stubEnv('SERVICEKIT_CLIENT_SECRET', '')
    const { code, stderr } = await command('codegen', ...flags)
    expect(code).toBe(4)
    expect(stderr).toContain(
      'set the environment variables SERVICEKIT_CLIENT_ID and SERVICEKIT_CLIENT_SECRET, or SERVICEKIT_TOKEN',
    )
  })

  it('names the variables whose credentials are refused, and not their values', async () => {
    await configure()
    vi.stubEnv('SERVICEKIT_CLIENT_SECRET', 'canary-wrong-secret')
    const { code, stderr } = await command('codegen')
    expect(code).toBe(4)
    expect(stderr).toContain(
      'refused the credentials of SERVICEKIT_CLIENT_ID and SERVICEKIT_CLIENT_SECRET',
    )
    expect(stderr).not.toContain('canary')
  })

  it('names the missing half of client credentials', async () => {
    await configure()
    vi.stubEnv('SERVICEKIT_CLIENT_SECRET', '')
    const { code, stderr } = await command('codegen')
    expect(code).toBe(2)
    expect(stderr).toContain(
      'SERVICEKIT_CLIENT_SECRET is required together with SERVICEKIT_CLIENT_ID',
    )
  })

  it('generates again when the listing changes, and stops', async () => {
    await configure()
    const stop = new AbortController()
    const watching = run(['codegen', '--watch', '--root', root], stop.signal)
    await vi.waitFor(
      async () => expect(await readdir(join(root, 'gateway'))).toContain('category.ts'),
      { timeout: 20_000 },
    )
    stop.abort()
    expect(await watching).toMatchObject({ code: 0 })
  })
})

it('writes no credentials to files or output', async () => {
  await configure()
  const runs = [
    await command('pull'),
    await command('codegen', '--cross-check'),
    await command('doctor'),
  ]
  const output = runs.map(({ stdout, stderr }) => stdout + stderr).join('\n')
  expect(instance.requests.some(({ headers }) => headers.authorization)).toBe(true)
  expect(await allText()).toContain('getCategorys')
  expect((await allText()) + output).not.toContain('canary')
})

it.each([
  ['an option token', { token: 'canary' }],
  ['an option clientSecret', { clientSecret: 'canary' }],
  ['a header with a token', { headers: { Authorization: 'Bearer canary' } }],
])('refuses %s in the config file', async (_, options) => {
  await configure({ preset: 'deployed', ...options })
  for (const name of ['pull', 'codegen']) {
    const { code, stderr } = await command(name)
    expect(code, name).toBe(2)
    expect(stderr).toMatch(/^Credentials do not belong in a configuration/)
    expect(stderr).toContain('SERVICEKIT_TOKEN')
    expect(stderr).not.toContain('canary')
  }
})

describe('doctor', () => {
  it('says which options fit', async () => {
    await configure()
    const { stdout } = await command('doctor')
    expect(stdout).toContain(
      `Service ${instance.baseUrl}: preset deployed, keyHeader x-blocks-key, queryNaming get-prefix\n`,
    )
    expect(stdout).not.toContain('SERVICE_')
  })

  it('finds the preset, and sends reads only', async () => {
    await configure({})
    const before = instance.requests.length
    const { stdout } = await command('doctor', '--json')
    const { findings, service } = JSON.parse(stdout) as {
      findings: { code: string; fix: string }[]
      service: object
    }
    expect(findings.find(({ code }) => code === 'SERVICE_OPTIONS')?.fix).toContain(
      "preset: 'deployed'",
    )
    expect(service).toMatchObject({ preset: 'deployed', queryNaming: 'get-prefix' })
    const effects = instance.requests
      .slice(before)
      .filter(
        ({ method, path, body }) =>
          method !== 'GET' && !path.endsWith('/token') && !body.includes('__schema'),
      )
    expect(effects).toEqual([])
  })

  it('finds that queries have other names', async () => {
    await configure({ keyHeader: 'x-blocks-key' })
    const { stdout } = await command('doctor')
    expect(stdout).toContain("gateway: { queryNaming: 'get-prefix' }")
  })

  it('finds that credentials are missing', async () => {
    await configure()
    vi.stubEnv('SERVICEKIT_CLIENT_ID', '')
    vi.stubEnv('SERVICEKIT_CLIENT_SECRET', '')
    const { stdout } = await command('doctor')
    expect(stdout).toContain('The service refused to list the schemas (401)')
    expect(stdout).toContain('SERVICEKIT_TOKEN')
  })
})

type Generated = (...values: readonly unknown[]) => Promise<unknown>

/** Builds a page with one message. */
const buildPage = async (options: object) => {
  await writeFile(join(root, 'index.html'), '<script type="module" src="/main.ts"></script>')
  await writeFile(
    join(root, 'main.ts'),
    "import { APP_TITLE } from '~uilm/common'\nconsole.log(APP_TITLE())\n",
  )
  return build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [
      uilm({ root, baseUrl: instance.baseUrl, projectKey: deployed.projectKey, ...options }),
    ],
  })
}

describe('the plugin', () => {
  it('builds with the preset', async () => {
    await buildPage({ preset: 'deployed' })
    expect(await allText()).toContain('Laden')
  })

  it('names the option without the preset', async () => {
    await expect(buildPage({})).rejects.toThrow(/preset/)
  })
})

describe('the client', () => {
  const clientOf = (options: object) => {
    const { baseUrl } = instance
    const { projectKey } = deployed
    return createClient({ baseUrl, projectKey, transport: undiciTransport(), ...options })
  }
  const redirectUri = 'https://app.example.com/callback'

  it('signs in with the preset', async () => {
    const { auth } = clientOf({ preset: 'deployed' })
    const { url } = await auth.startSignIn({ clientId: 'web', redirectUri })
    expect(url).toBe('https://login.example.com/?state=s1&client=web')
    expect(await auth.completeSignIn(`${redirectUri}?code=c1&state=s1`)).toMatchObject({
      scope: 'openid',
    })
  })

  it('names the option without the preset', async () => {
    const { auth } = clientOf({})
    await expect(auth.startSignIn({ clientId: 'web', redirectUri })).rejects.toThrow(
      /Check .*preset/,
    )
  })

  it('lists, inserts, updates and deletes with generated code', async () => {
    await configure({ preset: 'deployed', gateway: { outDir: 'gateway', output: 'js' } })
    expect(await command('codegen')).toMatchObject({ code: 0 })
    const path = pathToFileURL(join(root, 'gateway/category.js')).href
    const generated = (await import(/* @vite-ignore */ path)) as Record<string, Generated>
    const { insertCategory, listCategorys, updateCategory, deleteCategory } = generated
    const headers = { authorization: `Bearer ${deployed.accessToken}` }
    const call = (options: object): readonly unknown[] => [
      createClientGateway({ client: clientOf({ headers, ...options }) }),
    ]
    const gateway = call({ preset: 'deployed' })
    const inserted = await insertCategory!(...gateway, { Name: 'Tea', Price: 2.5 })
    expect(inserted).toMatchObject({ ok: true, data: { itemId: 'c1' } })
    await updateCategory!(...gateway, { ItemId: { eq: 'c1' } }, { Price: 3 })
    const select = ['Name', 'Price']
    expect(await listCategorys!(...gateway, { select })).toMatchObject({
      ok: true,
      data: { items: [{ Name: 'Tea', Price: 3 }], totalCount: 1 },
    })
    const remove = [{ ItemId: { eq: 'c1' } }, { isHardDelete: true }]
    expect(await deleteCategory!(...gateway, ...remove)).toMatchObject({ ok: true })
    expect(await listCategorys!(...gateway, { select })).toMatchObject({
      data: { totalCount: 0 },
    })
    expect(await listCategorys!(...call({}), { select })).toMatchObject({
      errors: [{ message: expect.stringMatching(/Check .*preset/) }],
    })
  })

  it.each([
    ['x-service-key', {}],
    ['x-blocks-key', { preset: 'deployed' }],
    ['x-own-key', { preset: 'deployed', keyHeader: 'X-Own-Key' }],
  ])('sends the key in %s only', async (name, options) => {
    const sent: string[] = []
    const transport = fetchTransport(async (request) => {
      sent.push(...new Headers(request.headers).keys())
      return Response.json([])
    })
    await clientOf({ ...options, transport }).localization.listLanguages()
    expect(sent.filter((one) => one.endsWith('-key'))).toEqual([name])
  })
})
