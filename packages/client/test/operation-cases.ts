import type * as routesOf from '@servicekit/contract/routes'
import * as auth from '../src/auth.ts'
import type { Core } from '../src/index.ts'
import * as data from '../src/data.ts'
import * as iam from '../src/iam.ts'
import * as idp from '../src/idp.ts'
import * as knowledge from '../src/knowledge.ts'
import * as localization from '../src/localization.ts'
import * as storage from '../src/storage.ts'
import { tokenSource } from '../src/token.ts'
import * as tools from '../src/tools.ts'
import * as translation from '../src/translation.ts'
import * as webhooks from '../src/webhooks.ts'
import { orThrowCause } from './or-throw-cause.ts'
import { agentId } from './sample.ts'

type Routes = typeof routesOf
export type OperationId = Extract<Routes[keyof Routes], { readonly id: string }>['id']

/** Call of an operation, with the documented response and the result. */
export interface OperationCase {
  /** Name of the client function. */
  readonly by: string
  readonly call: (core: Core) => Promise<unknown>
  /** Response with status 200; a string is sent as plain text. */
  readonly answer: unknown
  readonly result: unknown
}

const user = {
  itemId: 'u1',
  email: 'ada@example.com',
  userName: 'ada',
  active: true,
  isVarified: true,
  memberships: [{ organizationId: 'o1', roles: ['admin'], permissions: [] }],
}
const readUser = {
  itemId: 'u1',
  isVerified: true,
  memberships: user.memberships,
  roles: ['admin'],
  permissions: [],
  raw: { isVarified: true },
}
const page = (rows: readonly unknown[]) => ({ data: rows, errors: null, totalCount: rows.length })
const written = { isSuccess: true, itemId: 'i1', errors: null }
const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
const stored = { itemId: 'r1', name: 'Editor', slug: 'editor' }
const language = {
  itemId: 'l1',
  languageName: 'German',
  languageCode: 'de-DE',
  isDefault: true,
  projectKey: null,
}
const suggestion = {
  translation: 'Anmelden',
  confidence: 0.9,
  characterCount: 8,
  explanation: 'short',
  alternativePhrasings: ['Einloggen'],
}
const schema = { schemaName: 'Product', querySchema: 'Products', mutationSchemas: [], fields: [] }
const text = { language: 'de-DE', module: 'auth' }
const uilm = { family: 'uilm' } as const

/** One case for every operation of section 4; a missing one is a compile error. */
export const operationCases: Readonly<Record<OperationId, OperationCase>> = {
  'auth.initiate': {
    by: 'auth.startSignIn',
    call: (core) => auth.startSignIn(core, { clientId: 'web', redirectUri: 'https://a.test/in' }),
    answer: { redirect_uri: 'https://login.test/authorize?state=s1' },
    result: { url: 'https://login.test/authorize?state=s1', state: 's1' },
  },
  'auth.callback': {
    by: 'auth.completeSignIn',
    call: (core) => auth.completeSignIn(core, 'https://a.test/in?code=c1&state=s1'),
    answer: { token_type: 'Bearer', expires_in: 419.5, scope: 'openid' },
    result: { expires_in: 419.5 },
  },
  'auth.getSession': {
    by: 'auth.getSession',
    call: (core) => auth.getSession(core),
    answer: { sessionId: 's', accounts: [{ userId: 'u1' }] },
    result: { sessionId: 's' },
  },
  'auth.issueToken': {
    by: 'auth.refresh` and `tokenSource',
    call: (core) => tokenSource(core, { clientId: 'm', clientSecret: 'canary-secret' }).get(),
    answer: { accessToken: 't1', tokenType: 'Bearer', expiresIn: 420 },
    result: 't1',
  },
  'auth.activate': {
    by: 'auth.activate',
    call: (core) => auth.activate(core, { code: 'c1', password: 'canary-password' }),
    answer: { ...written, active: true, isVarified: true },
    result: { isSuccess: true, active: true },
  },
  'auth.logout': {
    by: 'auth.logout',
    call: (core) => auth.logout(core),
    answer: { isSuccess: true },
    result: undefined,
  },
  'iam.getMe': {
    by: 'iam.getMe',
    call: (core) => iam.getMe(core),
    answer: { data: user, errors: null },
    result: readUser,
  },
  'iam.listOrganizations': {
    by: 'iam.listOrganizations',
    call: (core) => all(iam.listOrganizations(core, { sort: { property: 'name' } })),
    answer: { organizations: [{ itemId: 'o1', name: 'Acme' }], totalCount: 1, errors: null },
    result: [{ itemId: 'o1', name: 'Acme' }],
  },
  'iam.createOrganization': {
    by: 'iam.createOrganization',
    call: (core) => iam.createOrganization(core, { name: 'Acme' }),
    answer: written,
    result: { itemId: 'i1', raw: written },
  },
  'iam.listUsers': {
    by: 'iam.listUsers',
    call: (core) => all(iam.listUsers(core, { filter: { organizationId: 'o1' } })),
    answer: page([user]),
    result: [readUser],
  },
  'iam.getUser': {
    by: 'iam.getUser',
    call: (core) => iam.getUser(core, { userId: 'u/1 é', organizationId: 'o1' }),
    answer: { data: user, errors: {} },
    result: readUser,
  },
  'iam.createUser': {
    by: 'iam.createUser',
    call: (core) => iam.createUser(core, { email: 'ada@example.com' }),
    answer: written,
    result: { itemId: 'i1' },
  },
  'iam.deactivateUser': {
    by: 'iam.deactivateUser',
    call: (core) => iam.deactivateUser(core, 'u1'),
    answer: { isSuccess: true, errors: null },
    result: { itemId: undefined },
  },
  'iam.listRoles': {
    by: 'iam.listRoles',
    call: (core) => all(iam.listRoles(core, { filter: { search: 'ed' } })),
    answer: page([stored]),
    result: [stored],
  },
  'iam.listPermissions': {
    by: 'iam.listPermissions',
    call: (core) => all(iam.listPermissions(core, { roles: ['editor'] })),
    answer: page([{ itemId: 'p1', name: 'read', type: 1 }]),
    result: [{ name: 'read', type: 1 }],
  },
  'iam.setAccess': {
    by: 'iam.setAccess',
    call: (core) => iam.setAccess(core, { userId: 'u1', roles: ['editor'], permissions: [] }),
    answer: written,
    result: { itemId: 'i1' },
  },
  'idp.listUsers': {
    by: 'idp.listUsers',
    call: (core) => all(idp.listUsers(core, { filter: { status: { active: true } } })),
    answer: page([{ ...user, logInCount: 3 }]),
    result: [{ ...readUser, logInCount: 3 }],
  },
  'idp.listAccounts': {
    by: 'idp.listAccounts',
    call: (core) => all(idp.listAccounts(core)),
    answer: page([user]),
    result: [readUser],
  },
  'idp.createUser': {
    by: 'idp.createUser',
    call: (core) =>
      idp.createUser(core, {
        email: user.email,
        userName: 'ada',
        password: 'canary-password',
      }),
    answer: { ...user, isVarified: false },
    result: { itemId: 'u1', active: true, isVerified: false },
  },
  'idp.updateUser': {
    by: 'idp.updateUser',
    call: (core) => idp.updateUser(core, { itemId: 'u1', firstName: 'Ada' }),
    answer: { isSuccess: true, data: { itemId: 'u1', firstName: 'Ada' }, errors: {} },
    result: { itemId: 'u1', firstName: 'Ada' },
  },
  'idp.getUser': {
    by: 'idp.getUser',
    call: (core) => idp.getUser(core, 'u1'),
    answer: { data: user, errors: null },
    result: readUser,
  },
  'idp.getAccount': {
    by: 'idp.getAccount',
    call: (core) => idp.getAccount(core),
    answer: {
      data: user,
      errors: null,
      permissions: [{ itemId: 'p1', name: 'read', type: 1, description: '', resource: 'x' }],
    },
    result: { user: readUser, permissions: [{ name: 'read' }] },
  },
  'idp.activate': {
    by: 'idp.activate',
    call: (core) => idp.activate(core, { code: 'c1', password: 'canary-password' }),
    answer: {
      isSuccess: true,
      data: { itemId: 'u1', email: user.email, active: true, isVarified: true },
      errors: {},
    },
    result: { itemId: 'u1', active: true, isVerified: true },
  },
  'storage.listConfigurations': {
    by: 'storage.listConfigurations',
    call: (core) => storage.listConfigurations(core),
    answer: [{ itemId: 's1', name: 'main', storageStrategy: 'AZURE', accountKey: 'canary-key' }],
    result: [{ itemId: 's1', name: 'main', strategy: 'azure' }],
  },
  'storage.presignUpload': {
    by: 'storage.upload',
    // The other two requests of an upload are in upload.test.ts.
    call: (core) =>
      storage.upload(core, new Uint8Array(3), {
        name: 'a.bin',
        configurationName: 'main',
        configuration: { name: 'main', strategy: 's3compatible' },
        blobs: {
          put: async () => ({ status: 200, headers: {}, text: '' }),
          get: async () => ({ status: 200, headers: {}, body: undefined }),
        },
      }),
    answer: { isSuccess: true, uploadUrl: 'https://s.test/a?sig=1', fileId: 'f1', errors: null },
    result: { fileId: 'f1', sizeBytes: 3 },
  },
  'storage.listFiles': {
    by: 'storage.listFiles',
    call: (core) => all(storage.listFiles(core)),
    answer: { data: [{ itemId: 'f1', name: 'a.bin', parentDirectoryID: 'd1' }], totalCount: 1 },
    result: [{ itemId: 'f1', parentDirectoryId: 'd1' }],
  },
  'storage.getFile': {
    by: 'storage.getDownloadUrl',
    call: (core) => storage.getDownloadUrl(core, { fileId: 'f1' }),
    answer: 'https://s.test/a?sig=1',
    result: 'https://s.test/a?sig=1',
  },
  'data.listSchemas': {
    by: 'data.listSchemas',
    call: (core) => all(data.listSchemas(core)),
    answer: { isSuccess: true, errors: null, data: { totalCount: 1, items: [schema] } },
    result: [schema],
  },
  'data.execute': {
    by: 'data.execute',
    call: (core) =>
      orThrowCause(data.execute(core, { query: 'mutation { insertProduct { acknowledged } }' })),
    answer: { data: { insertProduct: { acknowledged: true } } },
    result: { ok: true, data: { insertProduct: { acknowledged: true } } },
  },
  'localization.listLanguages': {
    by: 'localization.listLanguages',
    call: (core) => localization.listLanguages(core),
    answer: { items: [{ culture: 'de-DE' }] },
    result: [{ code: 'de-DE' }],
  },
  'localization.getFile': {
    by: 'localization.getFile',
    call: (core) => localization.getFile(core, text),
    answer: { SIGN_IN: 'Anmelden' },
    result: { status: 'ok', translations: { SIGN_IN: 'Anmelden' } },
  },
  'localization.listModules': {
    by: 'localization.listModules',
    call: (core) => localization.listModules(core),
    answer: [{ itemId: 'm1', moduleName: 'auth' }],
    result: [{ name: 'auth' }],
  },
  'uilm.listLanguages': {
    by: 'localization.listLanguages',
    call: (core) => localization.listLanguages(core, uilm),
    answer: [language],
    result: [{ code: 'de-DE', isDefault: true }],
  },
  'uilm.getFile': {
    by: 'localization.getFile',
    call: (core) => localization.getFile(core, text, uilm),
    answer: { SIGN_IN: ' Anmelden\n' },
    result: { status: 'ok', translations: { SIGN_IN: ' Anmelden\n' } },
  },
  'uilm.listModules': {
    by: 'localization.listModules',
    call: (core) => localization.listModules(core, uilm),
    answer: [{ itemId: 'm1', moduleName: 'auth' }],
    result: [{ name: 'auth' }],
  },
  'translation.suggest': {
    by: 'translation.suggest',
    call: (core) =>
      translation.suggest(core, {
        text: 'Sign in',
        from: 'en-US',
        to: 'de-DE',
        elementType: 'button',
        applicationContext: 'shop',
        detailContext: 'opens the form',
        temperature: 0,
        maxCharacterLength: 20,
      }),
    answer: { suggestions: [suggestion], contextAnalysis: null },
    result: { suggestions: [{ translation: 'Anmelden', alternatives: ['Einloggen'] }] },
  },
  'webhooks.save': {
    by: 'webhooks.save',
    call: (core) =>
      webhooks.save(
        core,
        { url: 'https://a.test/hook', secret: { value: 'canary-hook', headerKey: 'x-hook' } },
        { token: 'canary-token' },
      ),
    answer: { success: true, errorMessage: null, validationErrors: null },
    result: { success: true },
  },
  'tools.initiateOauth': {
    by: 'tools.initiateOauth',
    call: (core) => tools.initiateOauth(core, 't1', { now: () => 0 }),
    answer: {
      authorization_url:
        'https://login.test/authorize?client_id=c&redirect_uri=https%3A%2F%2Fa.test&state=s' +
        '&response_type=code&scope=a+b&code_challenge=x&code_challenge_method=S256',
      tool_id: 't1',
      message: 'go',
    },
    result: {
      clientId: 'c',
      redirectUri: 'https://a.test',
      scopes: ['a', 'b'],
      codeChallengeMethod: 'S256',
      expiresMs: 600_000,
    },
  },
  'tools.saveTutorial': {
    by: 'tools.saveTutorial',
    call: (core) => tools.saveTutorial(core, 't1', { tutorial: '# Hi', examples: { a: 'b' } }),
    answer: { is_success: true, item_id: 't1', detail: 'saved', error: {} },
    result: { itemId: 't1', detail: 'saved' },
  },
  'tools.countAgents': {
    by: 'tools.countAgents',
    call: (core) => tools.countAgents(core, 't1'),
    answer: { success: true, message: 'none', data: 0, status_code: 200 },
    result: 0,
  },
  'knowledge.add': {
    by: 'knowledge.add',
    call: (core) => knowledge.add(core, { agentId, question: 'Why?', answer: 'So.' }),
    answer: { is_success: true, detail: 'added', error: {} },
    result: undefined,
  },
}
