import { expectTypeOf } from 'vitest'
import {
  type Client,
  createClient,
  type ErrorCode,
  type GatewayResult,
  type Language,
  RequestError,
  type TranslationFile,
} from './index.ts'

const client = createClient({ baseUrl: 'https://api.example.com', projectKey: 'P1' })
expectTypeOf(client).toEqualTypeOf<Client>()

// @ts-expect-error without a project there is nothing to ask
createClient({ baseUrl: 'https://api.example.com' })
// @ts-expect-error no such option
createClient({ baseUrl: 'https://api.example.com', projectKey: 'P1', timeout: 5 })
// @ts-expect-error the one retry option that is meant is `attempts`
createClient({ baseUrl: 'https://api.example.com', projectKey: 'P1', retry: { retries: 5 } })

const { localization, data } = client
expectTypeOf(localization.listLanguages()).resolves.toEqualTypeOf<readonly Language[]>()
expectTypeOf(localization.listLanguages).parameter(0).toExtend<{ family?: string } | undefined>()
// @ts-expect-error there are two families
void localization.listLanguages({ family: 'idp' })
// @ts-expect-error a file is one language's and one module's
void localization.getFile({ language: 'de-DE' })

const file = await localization.getFile({ language: 'de-DE', module: 'auth' })
expectTypeOf(file).toEqualTypeOf<TranslationFile>()
// @ts-expect-error an unchanged file brings no translations
void file.translations
if (file.status === 'ok') {
  expectTypeOf(file.translations).toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>()
  // @ts-expect-error an instance may answer nothing at all
  void file.translations['SIGN_IN']
}

const outcome = await data.execute<{ Products: { totalCount: number } }>({ query: '{ a }' })
expectTypeOf(outcome).toEqualTypeOf<GatewayResult<{ Products: { totalCount: number } }>>()
// @ts-expect-error errors come before data
void outcome.data
if (outcome.ok) expectTypeOf(outcome.data.Products.totalCount).toEqualTypeOf<number>()
else expectTypeOf(outcome.errors[0]?.message).toEqualTypeOf<string | undefined>()

for await (const schema of data.listSchemas({ pageSize: 5 })) {
  expectTypeOf(schema.schemaName).toEqualTypeOf<string>()
  // An unknown code is still a number.
  expectTypeOf(schema.schemaType).toEqualTypeOf<number | undefined>()
}

declare const error: unknown
if (error instanceof RequestError) {
  expectTypeOf(error.code).toEqualTypeOf<ErrorCode>()
  expectTypeOf(error.status).toEqualTypeOf<number | undefined>()
  expectTypeOf(error.retryAfterMs).toEqualTypeOf<number | undefined>()
  // @ts-expect-error no such code
  void (error.code === 'REQUEST_TIMEOUT')
}

const { iam, idp, storage, tools, knowledge, auth, webhooks } = client
for await (const user of iam.listUsers({ filter: { organizationId: 'o1' } })) {
  expectTypeOf(user.email).toEqualTypeOf<string>()
  expectTypeOf(user.isVerified).toEqualTypeOf<boolean>()
  expectTypeOf(user.memberships[0]?.roles).toEqualTypeOf<string[] | undefined>()
  // @ts-expect-error one spelling is enough
  void user.isVarified
}
expectTypeOf(idp.listUsers().page(2)).resolves.toHaveProperty('total')
expectTypeOf(idp.getUser('u1')).resolves.toExtend<{ email: string } | undefined>()
// @ts-expect-error both sets have to be complete
void iam.setAccess({ userId: 'u1', roles: [] })
// @ts-expect-error a user has a name to sign in with, and a password
void idp.createUser({ email: 'ada@example.com' })
expectTypeOf(storage.upload(new Blob([]))).resolves.toEqualTypeOf<{
  readonly fileId: string
  readonly sizeBytes: number
}>()
expectTypeOf(tools.countAgents('t1')).resolves.toEqualTypeOf<number>()
expectTypeOf(knowledge.addAll([])).resolves.toHaveProperty('failed')
expectTypeOf(auth.createSession).parameter(0).toHaveProperty('clientId')
// @ts-expect-error what is not there cannot be disabled
void webhooks.disable({ url: 'https://app.example.com/hook' })
// @ts-expect-error a receiver belongs on a server
void webhooks.receive
