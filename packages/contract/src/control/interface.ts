import { z } from 'zod'
import * as data from '../data.ts'
import { ProblemDetails } from '../errors.ts'
import * as iam from '../iam.ts'
import * as idp from '../idp.ts'
import * as knowledge from '../knowledge.ts'
import { access, type Access, type Operation } from '../operation.ts'
import * as storage from '../storage.ts'
import * as tools from '../tools.ts'
import { controlPath } from './define.ts'

/** Path below which operations of the interface can be called for a project. */
export const interfacePath = `${controlPath}/projects/{project}/interface` as const

type ResultOf<O> = O extends { readonly responses: { readonly 200: { readonly schema: infer S } } }
  ? S
  : undefined

type Shape<S> = S extends z.ZodObject<infer T> ? T : unknown

/** Operation of the interface as a control operation. */
type Call<O extends Operation> = Omit<O, 'route' | 'path' | 'access'> & {
  readonly access: Access
  readonly route: Omit<O['route'], 'path'> & {
    readonly path: `${typeof interfacePath}${O['route']['path']}`
  }
  readonly path: z.ZodObject<{ project: z.ZodString } & Shape<O['path']>>
  readonly result: ResultOf<O>
}

/**
 * Makes an operation of the interface a control operation: the project is in its path, and who may
 * call it is its own rule.
 */
const call = <O extends Operation>(operation: O, rule: Access): Call<O> =>
  ({
    ...operation,
    access: rule,
    route: { ...operation.route, path: `${interfacePath}${operation.route.path}` },
    path: z.object({ project: z.string(), ...operation.path?.shape }),
    result: operation.responses[200]?.schema,
    responses: { ...operation.responses, ...refusals(operation) },
  }) as unknown as Call<O>

/** Refusals of control operations; an operation of the interface may also refuse with its own. */
function refusals({ responses }: Operation): Operation['responses'] {
  const own = responses[403]?.schema
  const problem = { schema: ProblemDetails, mediaType: 'application/problem+json' }
  return {
    401: { description: 'Neither the control token nor a valid session was sent', ...problem },
    403: own
      ? { description: 'The caller may not do this', schema: z.union([own, ProblemDetails]) }
      : { description: 'The caller may not do this', ...problem },
  }
}

const { administration, operator } = access

/**
 * Operations of the interface about people, files, tools, knowledge and records, for
 * `servicekit admin` and the console. Administrators may call those that the console uses.
 */
export const listOrganizations = call(iam.listOrganizations, administration)
export const createOrganization = call(iam.createOrganization, administration)
export const createUser = call(iam.createUser, administration)
export const deactivateUser = call(iam.deactivateUser, administration)
export const listRoles = call(iam.listRoles, administration)
export const listPermissions = call(iam.listPermissions, administration)
export const findUsers = call(idp.listUsers, administration)
export const readUser = call(idp.getUser, administration)
export const updateUser = call(idp.updateUser, administration)
export const listConfigurations = call(storage.listConfigurations, administration)
export const presignUpload = call(storage.presignUpload, administration)
export const listFiles = call(storage.listFiles, administration)
export const readFile = call(storage.getFile, administration)
export const initiateOauth = call(tools.initiateOauth, administration)
export const addQuestion = call(knowledge.add, administration)
export const execute = call(data.execute, administration)

export const getMe = call(iam.getMe, operator)
export const listUsers = call(iam.listUsers, operator)
export const getUser = call(iam.getUser, operator)
export const setAccess = call(iam.setAccess, operator)
export const listAccounts = call(idp.listAccounts, operator)
export const getAccount = call(idp.getAccount, operator)
export const createAccount = call(idp.createUser, operator)
export const activate = call(idp.activate, operator)
export const saveTutorial = call(tools.saveTutorial, operator)
export const countAgents = call(tools.countAgents, operator)
