import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operations } from '@servicekit/contract'
import { createPlatform, type Platform } from '@servicekit/platform'
import { listen } from '@servicekit/platform/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindClient, type Client, type Core, createCore, fieldErrors } from '../src/index.ts'
import { createServerClient } from '../src/server.ts'
import { handlerTransport, keepCookies } from '../src/testing.ts'
import { receive } from '../src/webhooks.ts'
import { logIn } from './log-in.ts'
import { agentId, identityOf, machine, mailTool, password, redirectUri } from './sample.ts'
import { storefront } from './storefront.ts'

const { projectKey } = JSON.parse(await readFile(`${storefront}/project.json`, 'utf8')) as {
  projectKey: string
}
const baseUrl = 'http://platform.test'

/** Operations that succeeded through the client. */
const answered = new Set<string>()
const noted = (core: Core): Core => ({
  ...core,
  send: async (route, input) => {
    const answer = await core.send(route, input)
    answered.add(route.id)
    return answer
  },
})

let platform: Platform
const control = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const response = await platform.fetch(
    new Request(`${baseUrl}/_platform/projects/${projectKey}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  expect([path, response.status, text]).toEqual([path, expect.toBeOneOf([200, 202, 204]), text])
  return text === '' ? undefined : JSON.parse(text)
}
const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Client in its own browser, with a function to submit the login form. */
function browser() {
  const fetch = keepCookies((request) => platform.fetch(request))
  const client = bindClient(
    noted(createCore({ baseUrl, projectKey, transport: handlerTransport(fetch) })),
  )
  const signIn = async (userName: string, secret = password): Promise<void> => {
    const store = new Map<string, string>()
    const kept = {
      getItem: (name: string) => store.get(name) ?? null,
      setItem: (name: string, value: string) => void store.set(name, value),
      removeItem: (name: string) => void store.delete(name),
    }
    const { url } = await client.auth.startSignIn({ clientId: 'web', redirectUri, store: kept })
    const back = await logIn(fetch, url, userName, secret)
    await client.auth.completeSignIn(back, { store: kept })
  }
  return { client, signIn }
}

let ada: Client
let job: Client
beforeAll(async () => {
  platform = await createPlatform({
    projects: [storefront],
    origins: ['https://app.test'],
    outgoing: ['loopback'],
  })
  await control('PUT', '/identity', identityOf('ada'))
  const { client, signIn } = browser()
  await signIn('ada')
  ada = client
  const server = createServerClient({
    baseUrl,
    projectKey,
    transport: handlerTransport((request) => platform.fetch(request)),
    credentials: machine,
  })
  job = bindClient(noted(server.core))
})
afterAll(() => platform?.close())

describe('sessions', () => {
  it('are read, renewed and ended', async () => {
    const { client, signIn } = browser()
    expect(await client.auth.getSession()).toBeUndefined()
    await signIn('ada')
    expect(await client.auth.getSession()).toMatchObject({ accounts: [{ userId: 'ada' }] })
    expect(await client.auth.refresh({ clientId: 'web' })).toMatchObject({ token_type: 'Bearer' })
    expect(await client.iam.getMe()).toMatchObject({ email: 'ada@example.com', roles: ['admin'] })
    await client.auth.logout()
    expect(await client.auth.getSession()).toBeUndefined()
    await expect(client.iam.getMe()).rejects.toMatchObject({ status: 401 })
  })

  it('do not start with the state of another sign-in', async () => {
    const { client } = browser()
    const store = { getItem: () => 'mine', setItem: () => undefined, removeItem: () => undefined }
    await expect(
      client.auth.completeSignIn(`${redirectUri}?code=c&state=theirs`, { store }),
    ).rejects.toMatchObject({ code: 'SIGN_IN_REFUSED' })
  })

  it('do not start for an unknown client', async () => {
    const wrong = browser().client.auth.startSignIn({ clientId: 'other', redirectUri })
    await expect(wrong).rejects.toMatchObject({ status: 400, body: { error: 'invalid_client' } })
  })
})

describe('identity for browsers', () => {
  it('lists organizations, roles and permissions, page by page', async () => {
    const { itemId } = await ada.iam.createOrganization({ name: 'Acme' })
    const organizations = await all(ada.iam.listOrganizations({ pageSize: 1 }))
    expect(organizations.map((one) => one.itemId)).toContain(itemId)
    const { items, total, page } = await ada.iam.listOrganizations({ pageSize: 1 }).page(2)
    expect([items.length, total, page]).toEqual([1, organizations.length, 2])
    // The project folder defines some as well.
    const roles = await all(ada.iam.listRoles({ pageSize: 1 }))
    expect(roles.map(({ slug }) => slug)).toEqual(expect.arrayContaining(['admin', 'member']))
    expect(roles).toHaveLength((await ada.iam.listRoles().page()).total!)
    const permissions = await all(ada.iam.listPermissions({ roles: ['admin'] }))
    expect(permissions).toContainEqual(expect.objectContaining({ name: 'orders.read', type: 1 }))
  })

  it('invites, activates, changes and deactivates a user', async () => {
    const { itemId } = await ada.iam.createUser({ email: 'bob@example.com', userName: 'bob' })
    const mails = (await control('GET', '/inbox?recipient=bob@example.com')) as object[]
    const code = /code=([\w-]+)/.exec(JSON.stringify(mails))?.[1]
    expect(await ada.auth.activate({ code: code!, password })).toMatchObject({ isSuccess: true })
    await ada.iam.setAccess({ userId: itemId!, roles: ['member'], permissions: [] })
    expect(await ada.iam.getUser({ userId: itemId! })).toMatchObject({
      email: 'bob@example.com',
      active: true,
      isVerified: true,
      roles: ['member'],
    })
    expect(
      (await all(ada.iam.listUsers({ filter: { userIds: [itemId!] } }))).map((one) => one.itemId),
    ).toEqual([itemId])
    await ada.iam.deactivateUser(itemId!)
    expect(await ada.iam.getUser({ userId: itemId! })).toMatchObject({ active: false })
  })
})

describe('identity by idp/v1', () => {
  it('creates, reads, changes and activates users', async () => {
    const made = await job.idp.createUser({
      email: 'eve@example.com',
      userName: 'eve',
      password,
    })
    expect(made).toMatchObject({ email: 'eve@example.com', active: true, isVerified: false })
    await job.idp.updateUser({ itemId: made.itemId, firstName: 'Eve' })
    expect(await job.idp.getUser(made.itemId)).toMatchObject({ firstName: 'Eve' })
    expect(await job.idp.getUser('nobody')).toBeUndefined()
    const filter = { email: 'eve@example.com' }
    expect(await all(job.idp.listUsers({ filter }))).toMatchObject([{ itemId: made.itemId }])
    expect(await all(job.idp.listAccounts({ filter }))).toMatchObject([{ userName: 'eve' }])
    const { total } = await job.idp.listUsers({ pageSize: 1 }).page(1)
    expect(await all(job.idp.listUsers({ pageSize: 1 }))).toHaveLength(total!)
  })

  it("returns the caller's account, and activates an account", async () => {
    expect(await ada.idp.getAccount()).toMatchObject({
      user: { email: 'ada@example.com' },
      permissions: expect.arrayContaining([expect.objectContaining({ name: 'orders.read' })]),
    })
    await ada.iam.createUser({ email: 'kim@example.com', userName: 'kim' })
    const mails = (await control('GET', '/inbox?recipient=kim@example.com')) as object[]
    const code = /code=([\w-]+)/.exec(JSON.stringify(mails))?.[1]
    expect(await job.idp.activate({ code: code!, password })).toMatchObject({ active: true })
  })

  it('rejects invalid input and names the field', async () => {
    const again = job.idp.createUser({ email: 'eve@example.com', userName: 'eve', password })
    await expect(again).rejects.toMatchObject({ code: expect.stringMatching(/FAILED|REFUSED/) })
  })
})

it('suggests translations', async () => {
  const { suggestions } = await job.translation.suggest({
    text: 'Sign in',
    from: 'en-US',
    to: 'de-DE',
    elementType: 'button',
    applicationContext: 'shop',
    detailContext: 'opens the form',
  })
  expect(Array.isArray(suggestions)).toBe(true)
})

it('saves the webhook with a machine’s token, and not without', async () => {
  const webhook = { url: 'https://app.test/hook', secret: { value: 's', headerKey: 'x-hook' } }
  expect(await job.webhooks.save(webhook)).toMatchObject({ success: true })
  await expect(ada.webhooks.save(webhook)).rejects.toMatchObject({ status: 401 })
})

it('sends its events with the secret to a receiver', async () => {
  const heard: string[] = []
  const events = receive(
    { secret: 'a secret for hooks', headerKey: 'x-hook' },
    { GenerateUilmFilesEvent: (event) => void heard.push(event.GenerateUilmFilesEvent.ProjectKey) },
  )
  const server = createServer((request, response) => void events(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const secret = { value: 'a secret for hooks', headerKey: 'x-hook' }
  await job.webhooks.save({ url: `http://127.0.0.1:${port}/`, secret })
  const text = { language: 'de-DE', module: 'auth', key: 'SIGN_IN', value: 'Einloggen' }
  await control('PUT', '/texts', [text])
  await platform.fetch(new Request(`${baseUrl}/_platform/queue/drain`, { method: 'POST' }))
  expect(heard).toEqual([projectKey])
  server.closeAllConnections()
  server.close()
})

describe('files', () => {
  it('are uploaded, listed and downloaded', async () => {
    const server = await listen(platform)
    try {
      const { core } = createServerClient({
        baseUrl: server.baseUrl,
        projectKey,
        credentials: machine,
      })
      const { storage } = bindClient(noted(core))
      const [configuration] = await storage.listConfigurations()
      expect(configuration).toMatchObject({ name: expect.any(String), strategy: 'local' })
      const bytes = new TextEncoder().encode('hello '.repeat(50_000))
      const { fileId } = await storage.upload(bytes, { name: 'hello.txt', type: 'text/plain' })
      const files = await all(storage.listFiles())
      expect(files).toMatchObject([{ itemId: fileId, name: 'hello.txt' }])
      const { body, sizeBytes, type } = await storage.download({ fileId })
      expect([sizeBytes, type]).toEqual([300_000, expect.stringContaining('text/plain')])
      expect(await new Response(body).text()).toBe('hello '.repeat(50_000))
      const nothing = storage.download({ fileId: 'nothing' })
      await expect(nothing).rejects.toMatchObject({ status: 404 })
    } finally {
      await server.close()
    }
  })
})

describe('tools and knowledge', () => {
  it('start the OAuth flow of a tool, or report why not', async () => {
    await control('PUT', '/tools/mail', mailTool)
    await control('PUT', '/tools/plain', { name: 'Plain' })
    expect(await job.tools.initiateOauth('mail')).toMatchObject({
      toolId: 'mail',
      clientId: 'tool',
      scopes: ['a', 'b'],
      state: expect.any(String),
      codeChallengeMethod: 'S256',
    })
    await expect(job.tools.initiateOauth('plain')).rejects.toMatchObject({ status: 400 })
    await expect(job.tools.initiateOauth('none')).rejects.toMatchObject({ status: 404 })
  })

  it('save a tutorial, count agents, and add answers', async () => {
    expect(await job.tools.saveTutorial('plain', { tutorial: '# Hi' })).toMatchObject({
      itemId: 'plain',
    })
    expect(await job.tools.countAgents('plain')).toBe(0)
    await control('PUT', `/agents/${agentId}`, { name: 'Guide', toolIds: ['plain'] })
    expect(await job.tools.countAgents('plain')).toBe(1)
    const pairs = ['Who?', '', 'Why?'].map((question) => ({ agentId, question, answer: 'So.' }))
    const { added, failed } = await job.knowledge.addAll(pairs, { concurrency: 2 })
    expect([added, failed.map(({ index }) => index)]).toEqual([2, [1]])
    expect(fieldErrors(failed[0]!.error)).toHaveProperty('question')
  })
})

describe.each(['localization', 'uilm'] as const)('translations of the family %s', (family) => {
  it('are listed and read', async () => {
    const { localization } = job
    expect((await localization.listLanguages({ family })).length).toBeGreaterThan(1)
    expect((await localization.listModules({ family })).length).toBeGreaterThan(1)
    const file = await localization.getFile({ language: 'fr-FR', module: 'auth' }, { family })
    expect(file).toMatchObject({ status: 'ok', translations: expect.any(Object) })
  })
})

it('lists schemas and runs a query', async () => {
  expect((await all(job.data.listSchemas())).map(({ schemaName }) => schemaName)).toContain(
    'Product',
  )
  expect(await job.data.execute({ query: '{ Products { totalCount } }' })).toMatchObject({
    ok: true,
  })
})

it('has called every operation of the contract', () => {
  expect(operations.map(({ route }) => route.id).filter((id) => !answered.has(id))).toEqual([])
})
