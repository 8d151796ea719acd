import { withoutUndefined } from '@servicekit/core'
import {
  optionSchemas,
  type PlatformOptions,
  storageMembers,
  type StorageOptions,
} from '@servicekit/platform'
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Settings } from './config/settings.ts'

/** Settings that have the name of an option of the platform, and another meaning. */
type Converted = 'audit' | 'controlToken' | 'rateLimitPerMinute' | 'suggestions' | 'storage'

type SharedSettings = Pick<
  Settings,
  Exclude<Extract<keyof Settings, keyof PlatformOptions>, Converted>
>

/**
 * Returns the options of the platform for the settings of the server: each setting with the name
 * of an option is that option, apart from those that are converted.
 */
export function platformOptions(settings: Settings): PlatformOptions & {
  readonly controlToken: string
} {
  const { audit, controlToken, rateLimitPerMinute, suggestions, storage, ...rest } = settings
  const shared: SharedSettings = rest
  const names = Object.keys(optionSchemas)
  const isOption = ([name]: readonly [string, unknown]) => names.includes(name)
  const options = Object.fromEntries(Object.entries(shared).filter(isOption)) as SharedSettings
  return {
    ...withoutUndefined(options),
    ...(audit && { audit: settings.instance ?? hostname() }),
    // Without a token, requests from this machine would be let in.
    controlToken: controlToken ?? randomBytes(32).toString('base64url'),
    onlyChanged: true,
    ...(rateLimitPerMinute > 0 && { rateLimitPerMinute }),
    suggestionsPerMinute: suggestions.perMinute,
    suggestions: suggestionsOf(suggestions),
    storage: [storageOf(storage)],
  }
}

function suggestionsOf({
  provider,
  baseUrl = '',
  model = '',
  apiKey,
  timeoutMs,
}: Settings['suggestions']): NonNullable<PlatformOptions['suggestions']> {
  if (provider === 'memory') return 'memory'
  const service = { baseUrl, timeoutMs, ...withoutUndefined({ apiKey }) }
  return provider === 'openai'
    ? { kind: provider, model, ...service }
    : { kind: provider, ...service }
}

/** Returns the storage with the members of its strategy; `checkSettings` requires them. */
function storageOf({ strategy = 'Local', name, ...values }: Settings['storage']): StorageOptions {
  const own = storageMembers().filter(({ strategies }) => strategies.has(strategy))
  const members = Object.fromEntries(own.map((member) => [member.name, values[member.name]]))
  return { name, strategy, ...withoutUndefined(members) } as unknown as StorageOptions
}
