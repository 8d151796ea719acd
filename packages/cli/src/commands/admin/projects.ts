import { ConfigError } from '@servicekit/client'
import { list } from '../../flags.ts'
import { type Action, nameOf, newNameOf, requireConfirmation, table, textOf } from './action.ts'

const listProjects: Action = async ({ control }) => {
  const value = await control.send('GET /projects')
  const rows = value.map(({ key, name, fallback, origins }) => [
    key,
    name,
    fallback,
    origins.join(' '),
  ])
  return { value, lines: table(['key', 'name', 'language', 'origins'], rows) }
}

const createProject: Action = async (call) => {
  const projectKey = newNameOf(call, 'project key')
  const known = await call.control.send('GET /projects')
  // Loading a project that exists would make it equal to an empty one.
  if (known.some(({ key }) => key === projectKey)) {
    throw new ConfigError(`The project ${projectKey} already exists`, {
      help: 'Choose another key, or load a folder into it with servicekit import.',
    })
  }
  const codes = list(textOf(call, 'language')) ?? ['en-US']
  const languages = codes.map((languageCode, index) => ({
    itemId: crypto.randomUUID(),
    languageName: nameOfLanguage(languageCode),
    languageCode,
    isDefault: index === 0,
  }))
  const name = textOf(call, 'title') ?? projectKey
  const identity = { roles: [{ slug: administratorRole, name: 'Administrator' }] }
  const body = { projectKey, name, fallback: codes[0], languages, identity }
  await call.control.send('POST /projects', { body })
  const invite = `servicekit admin users invite EMAIL --role ${administratorRole} --project-key ${projectKey}`
  return {
    value: { projectKey, name, languages: codes, roles: [administratorRole] },
    lines: [`${projectKey}: created`, `Invite its first administrator: ${invite}`],
  }
}

/** Role whose users administer a project unless its settings name others. */
const administratorRole = 'admin'

/** @throws ConfigError for a code that is not a language tag. */
function nameOfLanguage(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code
  } catch (cause) {
    throw new ConfigError(`--language has an invalid code (received "${code}")`, {
      cause,
      help: 'Use language tags such as en-US or de, separated by commas.',
    })
  }
}

const deleteProject: Action = async (call) => {
  const projectKey = nameOf(call, 'project key')
  await requireConfirmation(call, `Delete project ${projectKey} with all its data and files?`)
  await call.control.send('DELETE /projects/{project}', { path: { project: projectKey } })
  return { value: { projectKey, isDeleted: true }, lines: [`${projectKey}: deleted`] }
}

export const projectActions = {
  list: listProjects,
  create: createProject,
  delete: deleteProject,
} satisfies Record<string, Action>
