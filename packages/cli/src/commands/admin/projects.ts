import { ConfigError } from '@servicekit/client'
import { list } from '../../flags.ts'
import { type Action, nameOf, requireConfirmation, table, textOf } from './action.ts'

interface Project {
  readonly key: string
  readonly name: string
  readonly fallback: string
  readonly origins: readonly string[]
}

const listProjects: Action = async ({ send }) => {
  const value = (await (await send('/projects')).json()) as readonly Project[]
  const rows = value.map(({ key, name, fallback, origins }) => [
    key,
    name,
    fallback,
    origins.join(' '),
  ])
  return { value, lines: table(['key', 'name', 'language', 'origins'], rows) }
}

const createProject: Action = async (call) => {
  const projectKey = nameOf(call, 'project key')
  const known = (await (await call.send('/projects')).json()) as readonly Project[]
  // Loading a project that exists would make it equal to an empty one.
  if (known.some(({ key }) => key === projectKey)) {
    throw new ConfigError(`The project ${projectKey} already exists`, {
      help: 'Choose another key, or load a folder into it with servicekit import.',
    })
  }
  const codes = list(textOf(call, 'language')) ?? ['en-US']
  const names = new Intl.DisplayNames('en', { type: 'language' })
  const languages = codes.map((languageCode, index) => ({
    itemId: crypto.randomUUID(),
    languageName: names.of(languageCode) ?? languageCode,
    languageCode,
    isDefault: index === 0,
  }))
  const name = textOf(call, 'title') ?? projectKey
  await call.send('/projects', 'POST', { projectKey, name, fallback: codes[0], languages })
  return { value: { projectKey, name, languages: codes }, lines: [`${projectKey}: created`] }
}

const deleteProject: Action = async (call) => {
  const projectKey = nameOf(call, 'project key')
  await requireConfirmation(call, `Delete project ${projectKey} with all its data and files?`)
  await call.send(`/projects/${encodeURIComponent(projectKey)}`, 'DELETE')
  return { value: { projectKey, isDeleted: true }, lines: [`${projectKey}: deleted`] }
}

export const projectActions = {
  list: listProjects,
  create: createProject,
  delete: deleteProject,
} satisfies Record<string, Action>
