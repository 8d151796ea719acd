import {
  auth,
  data,
  iam,
  type userRecords,
  idp,
  keyLanguage,
  knowledge,
  localization,
  isMissingMarker,
  missingMarker,
  type Operation,
  storage,
  tools,
  translation,
} from '@servicekit/contract'
import { defaultDialect, type Dialect } from '@servicekit/contract/control'
import { etagOf, rejection, uilmError } from './responses.ts'

interface Adapted {
  readonly operation: Operation
  readonly query: unknown
  readonly requestId: string
}

/** Changes the standard response of some operations to another choice of a dialect member. */
interface Adapter<Choice> {
  readonly operations: readonly Operation[]
  readonly adapt: (
    response: Response,
    choice: Choice,
    request: Adapted,
  ) => Response | Promise<Response>
}

type Json = Readonly<Record<string, unknown>>

const ofJson =
  <Choice, Body = Json>(change: (body: Body, choice: Choice, request: Adapted) => unknown) =>
  async (response: Response, choice: Choice, request: Adapted): Promise<Response> => {
    if (response.status !== 200 || response.body === null) return response
    const body = JSON.stringify(change((await response.json()) as Body, choice, request))
    const { headers } = response
    headers.delete('content-length')
    if (headers.has('etag')) headers.set('etag', etagOf(body))
    return new Response(body, { headers })
  }

const inMember = ofJson<string, unknown>((list, name) => ({ [name]: list }))

function rename(value: Json, from: string, to: string): Json {
  if (!(from in value)) return value
  const { [from]: moved, ...rest } = value
  return { ...rest, [to]: moved }
}

/** Changes the user or users in `data` of a response. */
const usersIn = (body: Json, change: (user: Json) => Json): Json => {
  const { data: users } = body
  if (Array.isArray(users)) return { ...body, data: users.map((user) => change(user as Json)) }
  return users ? { ...body, data: change(users as Json) } : body
}

const files = [localization.getFile, localization.uilmGetFile]
const users = [iam.getMe, iam.listUsers, iam.getUser, idp.listUsers, idp.listAccounts, idp.getUser]

/**
 * Adapters of dialect members, in the order in which they apply. `queryNaming` and
 * `insertCount` have none: the gateway applies them, because a document may rename every field
 * of its response.
 */
const adapters: { readonly [K in keyof Dialect]?: Adapter<Dialect[K]> } = {
  languageCode: {
    operations: [localization.listLanguages],
    adapt: ofJson<string, readonly Json[]>((list, name) =>
      list.map((language) => rename(language, 'languageCode', name)),
    ),
  },
  languageList: { operations: [localization.listLanguages], adapt: inMember },
  unknownFile: {
    operations: files,
    adapt: (response) => (response.status === 400 ? new Response(null) : response),
  },
  missingTranslation: {
    operations: files,
    adapt: ofJson((file, choice: Dialect['missingTranslation'], { query }) => {
      if ((query as { Language: string }).Language === keyLanguage) return file
      const missing = { asStored: null, marker: missingMarker, null: null, empty: '' }[choice]
      const shown = ([key, text]: [string, unknown]) =>
        text === null || text === '' || (typeof text === 'string' && isMissingMarker(text))
          ? [key, missing]
          : [key, text]
      return Object.fromEntries(Object.entries(file).map(shown))
    }),
  },
  keyFile: {
    operations: files,
    adapt: ofJson((file, _, { query }) => {
      if ((query as { Language: string }).Language !== keyLanguage) return file
      return Object.fromEntries(
        leavesOf(file)
          .sort()
          .map((key) => [key, key]),
      )
    }),
  },
  moduleList: {
    operations: [localization.listModules, localization.uilmListModules],
    adapt: (_response, _choice, { operation, requestId }) =>
      operation === localization.listModules
        ? rejection(404, 'There is nothing at this address.')
        : uilmError(404, {}, requestId),
  },
  etag: {
    operations: files,
    adapt: (response) => {
      response.headers.delete('etag')
      return response
    },
  },
  suggestions: {
    operations: [translation.suggest],
    adapt: ofJson((found) => {
      const { suggestions } = found as { suggestions: readonly { translation: string }[] }
      return { content: suggestions[0]?.translation ?? '' }
    }),
  },
  mutationNames: {
    operations: [data.listSchemas],
    adapt: ofJson<string, { data: { items: readonly data.DataSchema[] } }>((body, choice) => {
      const items = body.data.items.map(({ mutationSchemas, ...schema }) => {
        const names = mutationSchemas?.map((one) => (typeof one === 'string' ? one : one.name))
        const given = choice === 'strings' ? names : names?.map((name) => ({ name }))
        return { ...schema, mutationSchemas: given ?? mutationSchemas }
      })
      return { ...body, data: { ...body.data, items } }
    }),
  },
  schemaList: {
    operations: [data.listSchemas],
    adapt: ofJson(({ data: list, ...head }) => ({ ...head, ...(list as Json) })),
  },
  toolErrors: {
    operations: [tools.initiateOauth, tools.saveTutorial, tools.countAgents, knowledge.add],
    adapt: (response) =>
      response.ok
        ? response
        : new Response(response.body, { headers: response.headers, status: 422 }),
  },
  storageList: { operations: [storage.listConfigurations], adapt: inMember },
  presigned: {
    operations: [storage.presignUpload],
    adapt: ofJson((body, choice: Dialect['presigned']) => {
      const { preSignedUrl: url, uploadUrl: _, fileId: id, itemId: _itemId, ...rest } = body
      if (url === undefined) return body
      if (choice === 'PascalCase') return { ...rest, PreSignedUrl: url, FileId: id }
      return { ...rest, [choice]: url, [choice === 'url' ? 'itemId' : 'fileId']: id }
    }),
  },
  download: {
    operations: [storage.getFile],
    adapt: async (response) => {
      if (response.status !== 200) return response
      const { url } = (await response.json()) as { url: string }
      response.headers.set('content-type', 'text/plain; charset=utf-8')
      response.headers.delete('content-length')
      return new Response(url, response)
    },
  },
  redirectName: {
    operations: [auth.initiate],
    adapt: ofJson((body, name: string) => rename(body, 'redirect_uri', name)),
  },
  tokenNames: {
    operations: [auth.issueToken],
    adapt: ofJson((body, choice: Dialect['tokenNames']) => {
      // The response to a browser has no token.
      if (!('accessToken' in body)) return body
      const { accessToken, tokenType, expiresIn, expiresUtc, ...snake } = body
      return choice === 'snake_case' ? snake : { accessToken, tokenType, expiresIn, expiresUtc }
    }),
  },
  verifiedName: {
    operations: [...users, idp.getAccount, idp.createUser, idp.activate, auth.activate],
    adapt: ofJson((body, name: string) =>
      usersIn(rename(body, 'isVarified', name), (user) => rename(user, 'isVarified', name)),
    ),
  },
  access: {
    operations: [...users, idp.getAccount],
    adapt: ofJson((body) =>
      usersIn(body, (user) => {
        const { memberships } = user as { memberships: readonly userRecords.Membership[] }
        const of = (member: 'roles' | 'permissions') =>
          Object.fromEntries(memberships.map((one) => [one.organizationId, one[member]]))
        return { ...user, roles: of('roles'), permissions: of('permissions') }
      }),
    ),
  },
}

const leavesOf = (tree: unknown): string[] =>
  typeof tree === 'string' ? [tree] : Object.values(tree as Json).flatMap(leavesOf)

/** Returns whether a project's dialect changes the responses of an operation. */
export const isAdapted = (operation: Operation, dialect: Dialect): boolean =>
  Object.entries(adapters).some(([name, { operations }]) => {
    const member = name as keyof Dialect
    return dialect[member] !== defaultDialect[member] && operations.includes(operation)
  })

/** Changes the standard response of a handler to the dialect of a project. */
export async function inDialect(
  response: Response,
  dialect: Dialect,
  request: Adapted,
): Promise<Response> {
  let adapted = response
  for (const name of Object.keys(adapters) as (keyof Dialect)[]) {
    const { operations, adapt } = adapters[name] as Adapter<string>
    if (dialect[name] !== defaultDialect[name] && operations.includes(request.operation)) {
      adapted = await adapt(adapted, dialect[name], request)
    }
  }
  return adapted
}
