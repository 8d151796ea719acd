import { distance } from 'fastest-levenshtein'
import { type Clock, createClock } from './common/clock.ts'
import { redactText } from './common/redact.ts'
import { idGenerator } from './common/ids.ts'
import { listenerProblem } from './control/listeners.ts'
import { PlatformError } from './errors.ts'
import { parseOrigin } from './http/origin.ts'
import type {
  GatewayOptions,
  ListenerOptions,
  PlatformOptions,
  ResolvedOptions,
  WebhookOptions,
} from './options.ts'
import type { AddressKind } from './outgoing/address-filter.ts'
import { type StorageOptions, storageFault } from './storage/storage-options.ts'

const names = [
  'projects',
  'onlyChanged',
  'watch',
  'dataDir',
  'databaseUrl',
  'origins',
  'allowedHosts',
  'rateLimitPerMinute',
  'trustProxy',
  'retryAfter',
  'secret',
  'openProjects',
  'suggestionsPerMinute',
  'controlToken',
  'publicUrl',
  'cookieSameSite',
  'listeners',
  'storage',
  'maxUploadBytes',
  'gateway',
  'webhooks',
  'agentCount',
  'suggestions',
  'outgoing',
  'clock',
  'seed',
  'onLog',
  'onFault',
] as const satisfies readonly (keyof PlatformOptions)[]
const webhookNames = [
  'retryDelaysMs',
  'timeoutMs',
] as const satisfies readonly (keyof WebhookOptions)[]

/** Default instant of a frozen clock. */
const frozenAt = '2026-01-01T00:00:00.000Z'
const second = 1000
const minute = 60 * second
const hour = 60 * minute
/** About one day in total, so that a receiver that is down overnight misses no events. */
const retryDelaysMs = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  hour,
  3 * hour,
  8 * hour,
  12 * hour,
]

const gatewayNames = [
  'maxDepth',
  'maxPageSize',
  'maxAliases',
  'maxTokens',
  'maxCost',
  'statementTimeoutMs',
] as const satisfies readonly (keyof GatewayOptions)[]

/**
 * Validates options and applies defaults.
 *
 * @throws PlatformError `OPTION_INVALID` for an unknown name or an invalid value.
 */
export function resolveOptions(options: PlatformOptions = {}): ResolvedOptions {
  checkNames(options, names, '')
  checkNames(options.gateway ?? {}, gatewayNames, 'gateway.')
  checkNames(options.webhooks ?? {}, webhookNames, 'webhooks.')
  if (options.dataDir !== undefined && options.databaseUrl !== undefined) {
    throw invalid('dataDir and databaseUrl exclude each other: the data is in one place.')
  }
  if (options.openProjects && options.publicUrl !== undefined) {
    throw invalid(
      'Cannot use openProjects together with publicUrl: anyone could change everything.',
    )
  }
  if (options.seed !== undefined && options.dataDir !== undefined) {
    throw invalid('Cannot use seed together with dataDir: the ids would repeat on kept data.')
  }
  if (options.seed !== undefined && !Number.isInteger(options.seed)) {
    throw invalid(`seed must be an integer (received ${options.seed}).`)
  }
  const rateLimit = options.rateLimitPerMinute
  if (rateLimit !== undefined) positive('rateLimitPerMinute', rateLimit)
  const clock = readClock(options)
  return {
    projects: options.projects ?? [],
    onlyChanged: options.onlyChanged ?? false,
    watch: options.watch ?? false,
    dataDir: options.dataDir,
    databaseUrl: options.databaseUrl,
    origins: originsOf(options.origins ?? []),
    allowedHosts: hostsOf(options.allowedHosts ?? []),
    rateLimitPerMinute: rateLimit,
    trustProxy: options.trustProxy ?? false,
    retryAfter: options.retryAfter ?? true,
    secret: options.secret === undefined ? undefined : checkSecret(options.secret),
    openProjects: options.openProjects ?? false,
    suggestionsPerMinute: positive('suggestionsPerMinute', options.suggestionsPerMinute ?? 60),
    controlToken: options.controlToken,
    publicUrl: options.publicUrl === undefined ? undefined : publicUrlOf(options.publicUrl),
    cookieSameSite: options.cookieSameSite ?? 'lax',
    listeners: checkListeners(options.listeners ?? []),
    storage: checkStorage(options.storage ?? [{ name: 'Default', strategy: 'Local' }]),
    maxUploadBytes: positive('maxUploadBytes', options.maxUploadBytes ?? 2 ** 30),
    gateway: {
      maxDepth: positive('gateway.maxDepth', options.gateway?.maxDepth ?? 12),
      maxPageSize: positive('gateway.maxPageSize', options.gateway?.maxPageSize ?? 1000),
      maxAliases: positive('gateway.maxAliases', options.gateway?.maxAliases ?? 100),
      maxTokens: positive('gateway.maxTokens', options.gateway?.maxTokens ?? 5_000),
      maxCost: positive('gateway.maxCost', options.gateway?.maxCost ?? 12_000),
      statementTimeoutMs: positive(
        'gateway.statementTimeoutMs',
        options.gateway?.statementTimeoutMs ?? 5000,
      ),
    },
    webhooks: {
      retryDelaysMs: (options.webhooks?.retryDelaysMs ?? retryDelaysMs).map((delay) =>
        positive('webhooks.retryDelaysMs', delay),
      ),
      timeoutMs: positive('webhooks.timeoutMs', options.webhooks?.timeoutMs ?? 15_000),
    },
    agentCount: options.agentCount ?? 'all',
    suggestions: options.suggestions ?? 'memory',
    outgoing: new Set(checkKinds(options.outgoing ?? [])),
    clock,
    now: clock.now,
    newId: idGenerator(options.seed?.toString()),
    newRequestId: idGenerator(options.seed === undefined ? undefined : `${options.seed} requests`),
    onLog: options.onLog,
    onFault: faultsTo(options, clock),
  }
}

const invalid = (summary: string): PlatformError => new PlatformError('OPTION_INVALID', summary)

function positive(name: string, value: number): number {
  if (Number.isInteger(value) && value > 0) return value
  throw invalid(`${name} must be a whole number above 0, and is ${String(value)}.`)
}

function readClock({ clock = 'system' }: PlatformOptions): Clock {
  if (typeof clock === 'function') return createClock(clock)
  if (clock === 'system') return createClock(() => new Date())
  const instant = new Date(clock === 'frozen' ? frozenAt : clock)
  if (!Number.isNaN(instant.getTime())) return createClock(instant)
  throw invalid(`clock must be "system", "frozen" or an instant (received "${clock}").`)
}

/** Returns the error handler: `onFault` if given, otherwise the log, otherwise the console. */
function faultsTo({ onFault, onLog }: PlatformOptions, clock: Clock): (fault: Error) => void {
  const show = onFault ?? (onLog ? () => {} : (fault: Error) => console.error(fault.message))
  return (fault) => {
    const message = redactText(fault.message)
    onLog?.({ event: 'error', level: 'error', at: clock.now().toISOString(), message })
    show(fault)
  }
}

const shortestSecret = 16

function checkSecret(secret: string): string {
  if (secret.length >= shortestSecret) return secret
  throw invalid(`secret needs at least ${shortestSecret} characters.`)
}

function checkKinds(kinds: readonly AddressKind[]): readonly AddressKind[] {
  for (const kind of kinds) {
    if (kind !== 'loopback' && kind !== 'private') {
      throw invalid(`outgoing: ${String(kind)} is neither loopback nor private.`)
    }
  }
  return kinds
}

function checkListeners(listeners: readonly ListenerOptions[]): readonly ListenerOptions[] {
  for (const listener of listeners) {
    const fault = listenerProblem(listener)
    if (fault) throw invalid(`listeners: ${fault}`)
  }
  return listeners
}

function checkStorage(storage: readonly StorageOptions[]): readonly StorageOptions[] {
  const names = new Set<string>()
  for (const [index, one] of storage.entries()) {
    const fault = storageFault(one)
    if (fault) throw invalid(`storage[${index}]: ${fault}.`)
    if (names.has(one.name)) throw invalid(`storage: there are two of the name ${one.name}.`)
    names.add(one.name)
  }
  return storage
}

function publicUrlOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol.startsWith('http') && parsed.pathname === '/') return parsed.origin
  throw invalid(`publicUrl: ${url} is not an origin such as https://platform.example.com.`)
}

function originsOf(origins: readonly string[]): ReadonlySet<string> {
  return new Set(
    origins.map((text) => {
      const origin = parseOrigin(text)
      if (origin !== undefined) return origin
      throw invalid(`origins: ${text} is not an origin such as https://app.example.`)
    }),
  )
}

function hostsOf(hosts: readonly string[]): ReadonlySet<string> {
  return new Set(
    hosts.map((host) => {
      const url = `http://${host}`
      if (URL.canParse(url) && new URL(url).host === host.toLowerCase()) return host.toLowerCase()
      throw invalid(`allowedHosts: ${host} is not a host name such as platform.example.`)
    }),
  )
}

function checkNames(value: object, known: readonly string[], prefix: string): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue
    const near = known.find((other) => isNear(name.toLowerCase(), other.toLowerCase()))
    throw invalid(
      `There is no option ${prefix}${name}.${near ? ` Did you mean ${prefix}${near}?` : ''}`,
    )
  }
}

/** Returns true if one name contains the other, or if they differ by at most two edits. */
const isNear = (a: string, b: string): boolean =>
  a.includes(b) || b.includes(a) || distance(a, b) <= 2
