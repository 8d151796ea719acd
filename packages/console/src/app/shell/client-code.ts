import type { RequestCode } from './request-code.ts'

/** Code of a view that people copy: a statement that calls the client, and its request. */
export interface ClientCode extends Pick<RequestCode, 'path' | 'method' | 'body'> {
  readonly typed: string
}

const json = JSON.stringify
const idOf = encodeURIComponent

/** Returns the options `{ filter }` of a list; nothing without a condition. */
const optionsOf = (filter: object): string =>
  Object.keys(filter).length > 0 ? `{ filter: ${json(filter)} }` : ''

export const languagesCode = (projectKey: string): ClientCode => ({
  typed: 'const result = await client.localization.listLanguages()',
  path: `/localization/v4/Language/Gets?ProjectKey=${idOf(projectKey)}`,
})

export const usersCode = (filter: object, projectKey: string): ClientCode => ({
  typed: `for await (const user of client.idp.listUsers(${optionsOf(filter)})) console.log(user.email)`,
  path: '/idp/v1/Iam/GetUsers',
  body: { page: 1, pageSize: 100, filter, projectKey },
})

export const userCode = (userId: string): ClientCode => ({
  typed: `const user = await client.iam.getUser(${json({ userId })})`,
  path: `/iam/v4/iam/users/${idOf(userId)}`,
})

export const organizationsCode = (): ClientCode => ({
  typed: 'for await (const { name } of client.iam.listOrganizations()) console.log(name)',
  path: '/iam/v4/iam/organizations?Page=0&PageSize=100',
})

export const rolesCode = (): ClientCode => ({
  typed: 'for await (const role of client.iam.listRoles()) console.log(role.slug)',
  path: '/iam/v4/iam/roles',
  body: { page: 0, pageSize: 100 },
})

export const permissionsCode = (search: string): ClientCode => ({
  typed: `for await (const { name } of client.iam.listPermissions(${optionsOf(search === '' ? {} : { search })})) console.log(name)`,
  path: '/iam/v4/iam/permissions',
  body: { page: 0, pageSize: 100, ...(search !== '' && { filter: { search } }) },
})

export const filesCode = (filter: object, sort: object, projectKey: string): ClientCode => ({
  typed: `for await (const file of client.storage.listFiles(${optionsOf(filter)})) console.log(file.name)`,
  path: '/data/v4/Files/GetFilesInfo',
  body: { page: 0, pageSize: 100, filter, sort, projectKey },
})

export const fileCode = (fileId: string): ClientCode => ({
  typed: `const { body } = await client.storage.download(${json({ fileId })})`,
  path: `/data/v4/Files/GetFile?FileId=${idOf(fileId)}`,
})

export const toolCode = (toolId: string, projectKey: string): ClientCode => ({
  typed: `const count = await client.tools.countAgents(${json(toolId)})`,
  path: `/tools/${idOf(toolId)}/agent-count?project_key=${idOf(projectKey)}`,
})

/** Question and answer with the id of their agent. */
interface Pair {
  readonly agentId: string
  readonly question: string
  readonly answer: string
}

export const knowledgeCode = (
  { agentId, question, answer }: Pair,
  project: string,
): ClientCode => ({
  typed: `await client.knowledge.add(${json({ agentId, question, answer })})`,
  path: '/kb/qa',
  body: { project_key: project, agent_id: agentId, question, answer },
})

/** Webhook as it is saved. Its secret is not part of the code. */
interface Webhook {
  readonly itemId?: string | undefined
  readonly url: string
  readonly isDisabled: boolean
}

export const webhookCode = (webhook: Webhook, projectKey: string): ClientCode => ({
  typed: `await client.webhooks.save(${json(webhook)})`,
  path: '/uilm/v1/Config/SaveWebHook',
  body: { ...webhook, contentType: 'application/json', projectKey },
})
