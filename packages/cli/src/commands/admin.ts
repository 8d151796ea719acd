import { ConfigError } from '@servicekit/client'
import { escapeInvisible, unknownName } from '@servicekit/core'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag, projectFlags } from '../flags.ts'
import { accessPlatform, platformFlags, projectKeyOf } from '../platform-access.ts'
import type { Action, AdminCall } from './admin/action.ts'
import { exportAudit } from './admin/audit.ts'
import { keyActions, signingKeyActions } from './admin/keys.ts'
import { originActions } from './admin/origins.ts'
import { projectActions } from './admin/projects.ts'
import { roleActions } from './admin/roles.ts'
import { userActions } from './admin/users.ts'
import { webhookActions } from './admin/webhook.ts'

/** Actions by resource. An action without a name is that of the resource itself. */
const resources: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  projects: projectActions,
  keys: keyActions,
  'signing-key': signingKeyActions,
  users: userActions,
  roles: roleActions,
  origins: originActions,
  webhook: webhookActions,
  audit: { '': exportAudit },
}

/** `servicekit admin`: administers a running platform with its control token. */
export const admin = defineCommand({
  description:
    'Administer a running platform: projects, keys, signing key, users, roles, origins, webhook, audit',
  flags: {
    resource: {
      type: 'positional',
      description: Object.keys(resources).join(', '),
    },
    action: {
      type: 'positional',
      description:
        'list; create and delete (projects, roles); create, rotate and revoke (keys); rotate (signing-key); invite, deactivate, activate, sign-out and roles (users); add and remove (origins); show and set (webhook)',
    },
    name: {
      type: 'positional',
      description: 'Project key, client id, user id or email, role, origin or URL',
    },
    ...platformFlags,
    'project-key': projectFlags['project-key'],
    project: {
      type: 'string',
      valueHint: 'KEY',
      description: 'Audit: entries of this project only',
    },
    title: { type: 'string', valueHint: 'TEXT', description: 'Name of a new project, key or role' },
    language: {
      type: 'string',
      valueHint: 'CODES',
      description: 'Languages of a new project, the default one first (default: en-US)',
    },
    role: { type: 'list', valueHint: 'SLUG', description: 'Role of a key or user; repeatable' },
    'redirect-uri': {
      type: 'list',
      valueHint: 'URL',
      description: 'Page to which a sign-in with a new key returns; repeatable',
    },
    overlap: {
      type: 'string',
      valueHint: 'TIME',
      description: 'Time for which the previous key stays valid after a rotation (default: 24h)',
    },
    'secret-file': {
      type: 'string',
      valueHint: 'FILE',
      description: 'File with the secret that a webhook sends; - for standard input',
    },
    'header-key': {
      type: 'string',
      valueHint: 'NAME',
      description: 'Header in which a webhook sends the secret',
    },
    disabled: { type: 'boolean', description: 'Keep the webhook, but stop its deliveries' },
    since: { type: 'string', valueHint: 'TIME', description: 'Audit: from this time on, or 7d' },
    until: { type: 'string', valueHint: 'TIME', description: 'Audit: before this time' },
    format: {
      type: 'string',
      valueHint: 'NAME',
      description: 'Audit: jsonl, one JSON object on each line (default), or csv',
    },
    json: jsonFlag,
  },
  async run(flags, io) {
    const { resource, action } = flags
    const actions = pick(resources, resource, 'resource', 'servicekit admin RESOURCE ACTION')
    const needsAction = !Object.hasOwn(actions, '')
    const run = needsAction
      ? pick(actions, action, 'action', `servicekit admin ${resource} ACTION`)
      : actions['']!
    const platform = accessPlatform(flags['base-url'], io.signal)
    const call: AdminCall = {
      flags,
      io,
      name: flags.name,
      control: platform,
      path: async () => ({ project: await projectKeyOf(platform, flags['project-key']) }),
    }
    const result = await run(call)
    if (result && flags.json) io.stdout(`${JSON.stringify(result.value)}\n`)
    else for (const line of result?.lines ?? []) io.stdout(`${escapeInvisible(line)}\n`)
    return exitCode.ok
  },
})

/** @throws ConfigError with the closest name. */
function pick<T>(
  all: Readonly<Record<string, T>>,
  name: string | undefined,
  noun: string,
  usage: string,
): T {
  const found = name !== undefined && Object.hasOwn(all, name) ? all[name] : undefined
  if (found !== undefined) return found
  const names = Object.keys(all)
  if (name !== undefined) throw new ConfigError(unknownName(noun, name, names))
  throw new ConfigError(`The ${noun} is missing`, {
    help: `Use ${usage}, with one of ${names.join(', ')}.`,
  })
}
