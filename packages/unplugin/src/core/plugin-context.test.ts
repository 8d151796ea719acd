import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@servicekit/testing/folder'
import { afterEach, expect, it, vi } from 'vitest'
import { resolveOptions } from '../options.ts'
import { createPluginContext } from './plugin-context.ts'

afterEach(() => vi.unstubAllEnvs())

const file = { baseUrl: 'https://file.example.com', projectKey: 'FILE' }
const plugin = { baseUrl: 'https://plugin.example.com', projectKey: 'PLUGIN' }

it.each([
  ['the config file', {}, {}, file],
  ['options of the plugin before it', plugin, {}, plugin],
  [
    'the environment before both',
    plugin,
    { SERVICEKIT_URL: 'https://variable.example.com', SERVICEKIT_PROJECT_KEY: 'VARIABLE' },
    { baseUrl: 'https://variable.example.com', projectKey: 'VARIABLE' },
  ],
  [
    'each option by itself',
    plugin,
    { SERVICEKIT_URL: '', SERVICEKIT_PROJECT_KEY: 'VARIABLE' },
    { baseUrl: plugin.baseUrl, projectKey: 'VARIABLE' },
  ],
])('reads the service from %s', async (_, options, variables, expected) => {
  const names = ['SERVICEKIT_URL', 'SERVICEKIT_PROJECT_KEY', 'SERVICEKIT_PRESET']
  for (const name of names) vi.stubEnv(name, undefined)
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  const root = await temporaryFolder()
  await writeFile(join(root, 'servicekit.config.json'), JSON.stringify(file))
  await mkdir(join(root, 'locales/en'), { recursive: true })
  await writeFile(join(root, 'locales/en/shop.json'), '{"TITLE": "Title"}')
  const context = createPluginContext(resolveOptions({ root, from: 'locales', ...options }))
  const { project } = await context.open()
  expect(project.options).toMatchObject(expected)
})
