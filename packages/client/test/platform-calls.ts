import * as auth from '../src/auth.ts'
import * as data from '../src/data.ts'
import * as iam from '../src/iam.ts'
import * as idp from '../src/idp.ts'
import type { Core } from '../src/index.ts'
import * as knowledge from '../src/knowledge.ts'
import * as localization from '../src/localization.ts'
import * as storage from '../src/storage.ts'
import { forwardCookies } from '../src/server.ts'
import { tokenSource } from '../src/token.ts'
import * as tools from '../src/tools.ts'
import * as translation from '../src/translation.ts'
import * as webhooks from '../src/webhooks.ts'
import type { OperationId } from './operation-cases.ts'
import { orThrowCause } from './or-throw-cause.ts'
import { agentId, machine, password, redirectUri } from './sample.ts'

/** Helpers for calling operations of a platform. */
export interface Caller {
  /** Core with the cookies of ada, an administrator, without fault injection. */
  readonly ada: Core
  /** Returns the cookies of a user who has just signed in. */
  readonly cookiesOf: () => Promise<string>
  /** Signs in up to the callback URL; returns it with the browser's cookies. */
  readonly signInOf: () => Promise<{ readonly address: string; readonly cookies: string }>
  readonly control: (method: string, path: string, body?: unknown) => Promise<unknown>
}

/** Prepared call, with a way to check its effects. */
export interface PreparedCall {
  /** Sends through a core with fault injection. */
  readonly call: (core: Core) => Promise<unknown>
  /** Number of effects according to the platform's data; reads have none. */
  readonly effects?: () => Promise<number>
}

type Prepare = (caller: Caller, name: string) => PreparedCall | Promise<PreparedCall>

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
const read =
  (call: (core: Core) => Promise<unknown>): Prepare =>
  () => ({ call })
const usersOf = async ({ ada }: Caller, email: string): Promise<iam.User[]> =>
  all(iam.listUsers(ada, { filter: { email } }))
/** Invites a user and returns the code of the invitation. */
async function invited({ ada, control }: Caller, name: string): Promise<string> {
  const email = `${name}@example.com`
  await iam.createUser(ada, { email, userName: name })
  const mails = JSON.stringify(await control('GET', `/inbox?recipient=${email}`))
  return /code=([\w-]+)/.exec(mails)![1]!
}
const activated = (caller: Caller, name: string) => async (): Promise<number> =>
  (await usersOf(caller, `${name}@example.com`)).filter(({ isVerified }) => isVerified).length
const text = { language: 'fr-FR', module: 'auth' }
const uilm = { family: 'uilm' } as const

/** Prepares a call of every operation, with the data it needs. */
export const platformCalls: Readonly<Record<OperationId, Prepare>> = {
  'auth.initiate': read((core) => auth.startSignIn(core, { clientId: 'web', redirectUri })),
  'auth.callback': async ({ signInOf }) => {
    const { address, cookies } = await signInOf()
    return { call: (core) => auth.completeSignIn(forwardCookies(core, cookies).core, address) }
  },
  'auth.getSession': read((core) => auth.getSession(core)),
  'auth.issueToken': read((core) => tokenSource(core, machine).get()),
  'auth.activate': async (caller, name) => {
    const code = await invited(caller, name)
    return {
      call: (core) => auth.activate(core, { code, password }),
      effects: activated(caller, name),
    }
  },
  'auth.logout': async ({ cookiesOf }) => {
    const cookies = await cookiesOf()
    return { call: (core) => auth.logout(forwardCookies(core, cookies).core) }
  },
  'iam.getMe': read((core) => iam.getMe(core)),
  'iam.listOrganizations': read((core) => iam.listOrganizations(core).page()),
  'iam.createOrganization': ({ ada }, name) => ({
    call: (core) => iam.createOrganization(core, { name }),
    effects: async () =>
      (await all(iam.listOrganizations(ada))).filter((one) => one.name === name).length,
  }),
  'iam.listUsers': read((core) => iam.listUsers(core).page()),
  'iam.getUser': read((core) => iam.getUser(core, { userId: 'ada' })),
  'iam.createUser': (caller, name) => ({
    call: (core) => iam.createUser(core, { email: `${name}@example.com`, userName: name }),
    effects: async () => (await usersOf(caller, `${name}@example.com`)).length,
  }),
  'iam.deactivateUser': read((core) => iam.deactivateUser(core, 'bob')),
  'iam.listRoles': read((core) => iam.listRoles(core).page()),
  'iam.listPermissions': read((core) => iam.listPermissions(core).page()),
  'iam.setAccess': read((core) =>
    iam.setAccess(core, { userId: 'bob', roles: ['member'], permissions: [] }),
  ),
  'idp.listUsers': read((core) => idp.listUsers(core).page()),
  'idp.listAccounts': read((core) => idp.listAccounts(core).page()),
  'idp.createUser': (caller, name) => ({
    call: (core) =>
      idp.createUser(core, { email: `${name}@example.com`, userName: name, password }),
    effects: async () => (await usersOf(caller, `${name}@example.com`)).length,
  }),
  'idp.updateUser': read((core) => idp.updateUser(core, { itemId: 'bob', firstName: 'Bob' })),
  'idp.getUser': read((core) => idp.getUser(core, 'ada')),
  'idp.getAccount': read((core) => idp.getAccount(core)),
  'idp.activate': async (caller, name) => {
    const code = await invited(caller, name)
    return {
      call: (core) => idp.activate(core, { code, password }),
      effects: activated(caller, name),
    }
  },
  'storage.listConfigurations': read((core) => storage.listConfigurations(core)),
  'storage.presignUpload': ({ ada }, name) => ({
    call: (core) =>
      storage.upload(core, new Uint8Array(3), {
        name,
        configuration: { name: 'Cloud', strategy: 'local' },
      }),
    effects: async () =>
      (await all(storage.listFiles(ada))).filter((one) => one.name === name).length,
  }),
  'storage.listFiles': read((core) => storage.listFiles(core).page()),
  'storage.getFile': async ({ ada }) => {
    const { fileId } = await storage.upload(ada, new Uint8Array(3), { name: 'read.bin' })
    return { call: (core) => storage.getDownloadUrl(core, { fileId }) }
  },
  'data.listSchemas': read((core) => all(data.listSchemas(core))),
  'data.execute': ({ ada }, name) => ({
    call: async (core) => {
      const query =
        'mutation($input: ProductInsertInput) { insertProduct(input: $input) { itemId } }'
      const variables = { input: { Name: name, Sku: name, Price: 1 } }
      const outcome = await orThrowCause(data.execute(core, { query, variables }))
      if (!outcome.ok) throw new Error(JSON.stringify(outcome))
    },
    effects: async () => {
      const query = 'query($name: String) { Products(where: {Name: {eq: $name}}) { totalCount } }'
      const outcome = await data.execute<{ Products: { totalCount: number } }>(ada, {
        query,
        variables: { name },
      })
      return outcome.ok ? outcome.data.Products.totalCount : Number.NaN
    },
  }),
  'localization.listLanguages': read((core) => localization.listLanguages(core)),
  'localization.getFile': read((core) => localization.getFile(core, text)),
  'localization.listModules': read((core) => localization.listModules(core)),
  'uilm.listLanguages': read((core) => localization.listLanguages(core, uilm)),
  'uilm.getFile': read((core) => localization.getFile(core, text, uilm)),
  'uilm.listModules': read((core) => localization.listModules(core, uilm)),
  'translation.suggest': read((core) =>
    translation.suggest(core, {
      text: 'Sign in',
      from: 'en-US',
      to: 'de-DE',
      elementType: 'button',
      applicationContext: 'shop',
      detailContext: 'opens the form',
    }),
  ),
  'webhooks.save': ({ control }, name) => ({
    call: (core) => webhooks.save(core, { url: `https://app.test/${name}` }),
    // A project has only one webhook.
    effects: async () => {
      const webhook = (await control('GET', '/webhook')) as { url: string } | null
      return Number(webhook?.url === `https://app.test/${name}`)
    },
  }),
  'tools.initiateOauth': read((core) => tools.initiateOauth(core, 'mail')),
  'tools.saveTutorial': read((core) => tools.saveTutorial(core, 'mail', { tutorial: '# Hi' })),
  'tools.countAgents': read((core) => tools.countAgents(core, 'mail')),
  'knowledge.add': ({ control }, name) => ({
    call: (core) => knowledge.add(core, { agentId, question: name, answer: 'So.' }),
    effects: async () => {
      const found = (await control('GET', `/knowledge?agent=${agentId}&limit=500`)) as {
        question: string
      }[]
      return found.filter(({ question }) => question === name).length
    },
  }),
}
