import { type PlatformOptions, storageMembers, type StorageOptions } from '@servicekit/platform'
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Settings } from './config/settings.ts'

/** Returns the options of the platform for the settings of the server. */
export function platformOptions(settings: Settings): PlatformOptions & {
  readonly controlToken: string
} {
  const { rateLimitPerMinute, allow, suggestions, storage, gateway, webhooks, ...rest } = settings
  const {
    publicUrl,
    databaseUrl,
    replicaUrl,
    databaseTimeoutMs,
    dataDir,
    secret,
    cookieSameSite,
    maxUploadBytes,
  } = rest
  return {
    ...present({ publicUrl, databaseUrl, replicaUrl, dataDir, secret }),
    ...(settings.audit && { audit: settings.instance ?? hostname() }),
    // Without a token, requests from this machine would be let in.
    controlToken: settings.controlToken ?? randomBytes(32).toString('base64url'),
    projects: settings.projects,
    onlyChanged: true,
    development: settings.development,
    origins: settings.origins,
    ...(settings.keyHeader !== undefined && { keyHeader: settings.keyHeader }),
    outgoing: settings.outgoing,
    trustProxy: settings.trustProxy,
    agentCount: settings.agentCount,
    databaseTimeoutMs,
    cookieSameSite,
    maxUploadBytes,
    ...(rateLimitPerMinute > 0 && { rateLimitPerMinute }),
    suggestionsPerMinute: suggestions.perMinute,
    suggestions: suggestionsOf(suggestions),
    storage: [storageOf(storage)],
    gateway,
    webhooks,
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
  const service = { baseUrl, timeoutMs, ...present({ apiKey }) }
  return provider === 'openai'
    ? { kind: provider, model, ...service }
    : { kind: provider, ...service }
}

/** Returns the storage with the members of its strategy; `checkSettings` requires them. */
function storageOf({ strategy = 'Local', name, ...values }: Settings['storage']): StorageOptions {
  const own = storageMembers().filter(({ strategies }) => strategies.has(strategy))
  const members = Object.fromEntries(own.map((member) => [member.name, values[member.name]]))
  return { name, strategy, ...present(members) } as unknown as StorageOptions
}

/** Returns the members that are not undefined. */
const present = <T extends object>(
  values: T,
): { readonly [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
