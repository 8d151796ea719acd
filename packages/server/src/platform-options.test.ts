import { optionSchemas } from '@servicekit/platform'
import { expect, it } from 'vitest'
import { settingsList } from './config/list-settings.ts'
import { resolveConfig } from './config/resolve-config.ts'
import { platformOptions } from './platform-options.ts'

const env = {
  SERVICEKIT_PUBLIC_URL: 'https://platform.example',
  SERVICEKIT_DATABASE_URL: 'postgres://db.example/shop',
  SERVICEKIT_REPLICA_URL: 'postgres://replica.example/shop',
  SERVICEKIT_SECRET: 'a secret of the server',
  SERVICEKIT_STORAGE_STRATEGY: 'Local',
  SERVICEKIT_STORAGE_FOLDER: 'files',
  SERVICEKIT_ALLOW: 'local-files',
  SERVICEKIT_KEY_HEADER: 'x-blocks-key',
  SERVICEKIT_ORIGINS: 'https://app.example',
  SERVICEKIT_OUTGOING: 'private',
  SERVICEKIT_RATE_LIMIT_PER_MINUTE: '0',
  SERVICEKIT_GATEWAY_MAX_DEPTH: '3',
}

it('passes each setting with the name of an option on to the platform', async () => {
  const { settings } = await resolveConfig({ flags: new Map(), env, folder: '.' })
  const options: Readonly<Record<string, unknown>> = platformOptions(settings)
  const names = new Set(settingsList.map(({ name }) => name.split('.')[0]!))
  const converted = new Set([
    'audit',
    'controlToken',
    'rateLimitPerMinute',
    'storage',
    'suggestions',
  ])
  const shared = [...names].filter((name) => name in optionSchemas && !converted.has(name))
  expect(shared).toContain('trustProxy')
  const given: Readonly<Record<string, unknown>> = { ...settings }
  for (const name of shared) expect([name, options[name]]).toEqual([name, given[name]])
  expect(options).toMatchObject({
    audit: expect.any(String),
    controlToken: expect.stringMatching(/^.{43}$/),
    storage: [{ name: 'Default', strategy: 'Local', folder: 'files' }],
    suggestions: 'memory',
    gateway: { maxDepth: 3 },
  })
  expect(options).not.toHaveProperty('rateLimitPerMinute')
  expect(Object.keys(options).filter((name) => !(name in optionSchemas))).toEqual([])
})
