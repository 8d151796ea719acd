import { readFile } from 'node:fs/promises'
import { createPlatform, type Dialect, type Platform } from '@servicekit/platform'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bindClient, type Client, createCore, RequestError } from '../src/index.ts'
import { tokenSource } from '../src/server.ts'
import { handlerBlobs, handlerTransport, keepCookies } from '../src/testing.ts'
import { logIn } from './log-in.ts'
import { identityOf, machine, redirectUri } from './sample.ts'
import { storefront } from './storefront.ts'

/** Alternatives to the responses shown in the interface; callers must not see a difference. */
const others: { readonly [K in keyof Dialect]: readonly Dialect[K][] } = {
  languageList: ['items', 'data'],
  languageCode: ['code', 'culture'],
  unknownFile: ['empty'],
  queryNaming: ['get'],
  missingTranslation: ['marker', 'null', 'empty'],
  keyFile: ['flat'],
  moduleList: ['absent'],
  etag: ['absent'],
  suggestions: ['content'],
  schemaList: ['items'],
  mutationNames: ['strings', 'objects'],
  insertCount: ['zero'],
  toolErrors: ['unprocessable'],
  storageList: ['data', 'items'],
  presigned: ['uploadUrl', 'url', 'PascalCase'],
  download: ['text'],
  redirectName: ['authorizationUrl', 'url'],
  tokenNames: ['camelCase', 'snake_case'],
  verifiedName: ['isVerified'],
  access: ['byOrganization'],
}
const { projectKey } = JSON.parse(await readFile(`${storefront}/project.json`, 'utf8')) as {
  projectKey: string
}
const baseUrl = 'http://platform.test'

let platform: Platform
let ada: Client
const control = async (path: string, body: unknown): Promise<void> => {
  const url = `${baseUrl}/_platform/projects/${projectKey}${path}`
  const init = { method: 'PUT', body: JSON.stringify(body) }
  const response = await platform.fetch(new Request(url, init))
  expect([path, response.ok, response.ok || (await response.text())]).toEqual([path, true, true])
}
const clientOver = (fetch: Platform['fetch']): Client =>
  bindClient(createCore({ baseUrl, projectKey, transport: handlerTransport(fetch) }))
/** Signs in through the platform's login form. */
async function signIn(): Promise<Client> {
  const fetch = keepCookies((request) => platform.fetch(request))
  const client = clientOver(async (request) => fetch(request))
  const { url } = await client.auth.startSignIn({ clientId: 'web', redirectUri })
  await client.auth.completeSignIn(await logIn(fetch, url, 'ada'))
  return client
}
const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
const withoutRaw = <T extends { readonly raw: unknown }>({ raw: _, ...rest }: T): object => rest

const blobs = handlerBlobs((request) => platform.fetch(request))
const fileName = 'Übersicht "2030" a?#%25 世界 🎈.txt'
/** Returns everything a caller sees of data that instances return in several shapes. */
async function seen(): Promise<Record<string, unknown>> {
  const { auth, iam, idp, storage, localization, translation, data, tools, core } = ada
  const { fileId } = await storage.upload(new Blob(['hello']), { name: fileName, blobs })
  const address = await storage.getDownloadUrl({ fileId })
  const { body } = await storage.download({ fileId }, { blobs })
  const stored = (await all(storage.listFiles())).find(({ itemId }) => itemId === fileId)
  const start = await auth.startSignIn({ clientId: 'web', redirectUri })
  const suggested = await translation.suggest({
    text: 'Sign in',
    from: 'en-US',
    to: 'de-DE',
    elementType: 'button',
    applicationContext: 'shop',
    detailContext: 'opens the form',
  })
  const refusal: unknown = await tools.countAgents('nowhere').catch((error: unknown) => error)
  const inserted = await data.execute<{ insertProduct: { acknowledged: boolean } }>({
    query: `mutation($input: ProductInsertInput) { insertProduct(input: $input) { acknowledged } }`,
    variables: { input: { Name: 'Cup', Sku: crypto.randomUUID(), Price: 1 } },
  })
  const file = await localization.getFile({ language: 'de-DE', module: 'auth' })
  const key = await localization.getFile({ language: 'key', module: 'auth' }).catch(() => undefined)
  const unknown = await localization
    .getFile({ language: 'de-DE', module: 'nowhere' })
    .then(({ status }) => status)
    .catch((error: unknown) => (error as RequestError).status)
  return {
    languages: await localization.listLanguages(),
    uilmLanguages: await localization.listLanguages({ family: 'uilm' }),
    configurations: await storage.listConfigurations(),
    stored: [stored?.name, new URL(address).origin, await new Response(body).text()],
    start: [new URL(start.url).pathname, typeof start.state],
    token: typeof (await tokenSource(core, machine).get()),
    me: withoutRaw(await iam.getMe()),
    users: (await all(iam.listUsers({ pageSize: 1 }))).map((one) => withoutRaw(one)),
    accounts: (await all(idp.listAccounts())).map((one) => withoutRaw(one)),
    account: withoutRaw((await idp.getAccount()).user),
    suggestion: suggested.suggestions[0]?.translation,
    schemas: (await all(data.listSchemas({ pageSize: 2 }))).map(({ schemaName }) => schemaName),
    acknowledged: inserted.ok && inserted.data.insertProduct.acknowledged,
    refusal: refusal instanceof RequestError && [404, 422].includes(refusal.status!),
    translations: file.status === 'ok' && Object.keys(file.translations!).length > 0,
    key: key?.status,
    unknown: unknown === 400 || unknown === 'ok',
  }
}

let byDefault: Record<string, unknown>
let usual: Dialect
beforeAll(async () => {
  platform = await createPlatform({ projects: [storefront] })
  await control('/identity', identityOf('ada', 'bob'))
  const exported = new Request(`${baseUrl}/_platform/projects/${projectKey}/export`)
  usual = ((await (await platform.fetch(exported)).json()) as { dialect: Dialect }).dialect
  ada = await signIn()
  byDefault = await seen()
})
afterAll(() => platform?.close())

describe.each(Object.entries(others) as [keyof Dialect, readonly string[]][])(
  'an instance with another %s',
  (member, choices) => {
    afterEach(() => control('/dialect', { [member]: usual[member] }))

    it.each(choices)('returns the same results with %s', async (choice) => {
      expect(choice).not.toBe(usual[member])
      await control('/dialect', { [member]: choice })
      expect(await seen()).toEqual(byDefault)
    })
  },
)
