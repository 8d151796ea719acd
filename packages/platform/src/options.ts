import type { Clock } from './common/clock.ts'
import type { Randomness } from './common/seeded.ts'
import type { Listener } from './control/listeners.ts'
import type { LogEntry } from './control/observer.ts'
import type { AddressKind } from './outgoing/address-filter.ts'
import type { StorageOptions } from './storage/storage-options.ts'
import type { ProjectSource } from './projects/project-source.ts'
import type { LibreTranslateOptions } from './suggestions/libretranslate-provider.ts'
import type { OpenAiOptions } from './suggestions/openai-provider.ts'
import type { SuggestionProvider } from './suggestions/provider.ts'

/** How webhooks are delivered. */
export interface WebhookOptions {
  /** Pauses before each retry in ms; 5 s to 12 h in eight steps by default. */
  readonly retryDelaysMs?: readonly number[]
  /** Longest time of one delivery in ms; 15000 by default. */
  readonly timeoutMs?: number
}

/** A listener that is there from the start. */
export interface ListenerOptions extends Listener {
  /** The project whose events it hears of; every project's by default. */
  readonly projectKey?: string | undefined
}

/** Limits of the data gateway. */
export interface GatewayOptions {
  /** Deepest nesting of selections; 12 by default. */
  readonly maxDepth?: number
  /** Most rows of one page; 1000 by default. */
  readonly maxPageSize?: number
  /** Most aliases of one document; 100 by default. */
  readonly maxAliases?: number
  /** Most tokens of one document; 5000 by default. */
  readonly maxTokens?: number
  /**
   * Most that one request may cost, where a field of a row is 1, a row 3, a condition 10 and a
   * list 100; 12000 by default, about twenty times a list of ten rows.
   */
  readonly maxCost?: number
  /** Longest time of one SQL statement in ms; 5000 by default, and without effect on PGlite. */
  readonly statementTimeoutMs?: number
}

/**
 * What a platform can be told. Everything has a default: `{}` is an empty
 * platform in memory.
 *
 * ```ts
 * { projects: ['fixtures/projects/storefront'], dataDir: '.servicekit/data' }
 * ```
 */
export interface PlatformOptions {
  /** Projects to load at the start: folders, or projects made by a program. */
  readonly projects?: readonly (string | ProjectSource)[]
  /**
   * Whether a restart on kept data loads only the project files that changed
   * since they were last loaded; false by default: projects become equal to
   * their source.
   */
  readonly onlyChanged?: boolean
  /** Whether project folders are watched and their changes applied; false by default. */
  readonly watch?: boolean
  /** Folder that keeps the data. Without it the data is gone at the end. */
  readonly dataDir?: string
  /** Address of a PostgreSQL database to use in place of the embedded one. */
  readonly databaseUrl?: string
  /**
   * Origins of browser applications that may call every project; none by default.
   * A project registers others for itself. Pages on this machine may call a
   * platform that is addressed by loopback; any other page gets 406.
   */
  readonly origins?: readonly string[]
  /**
   * Further host names that requests may address without `publicUrl`; none by
   * default. Loopback names and the address that the server listens on are always
   * allowed, any other `Host` gets 400.
   */
  readonly allowedHosts?: readonly string[]
  /** Requests per minute and address before 429, of all instances; unlimited by default. */
  readonly rateLimitPerMinute?: number
  /**
   * Whether the last address of `x-forwarded-for`, which a proxy in front adds, is
   * the sender's; false by default, since anyone could write it otherwise.
   */
  readonly trustProxy?: boolean
  /** Whether a 429 says when to come back; true by default. Instances are known not to. */
  readonly retryAfter?: boolean
  /**
   * What tokens of AI tools are encrypted with, at least 16 characters. Every
   * instance on one database needs the same, and without it there keeps none; in
   * `dataDir` one is made and kept in the file `secret`.
   */
  readonly secret?: string
  /**
   * Opens every project to whoever is on this machine, without signing in; false by default. For
   * development: it is refused together with `publicUrl` and on addresses other than loopback.
   */
  readonly openProjects?: boolean
  /** Suggested translations per minute and address before 429, of all instances; 60 by default. */
  readonly suggestionsPerMinute?: number
  /** Token that the control routes ask for; none by default, which is for loopback only. */
  readonly controlToken?: string
  /**
   * Where browsers reach the platform, such as `https://platform.example.com`;
   * what each request says by default.
   */
  readonly publicUrl?: string
  /**
   * `none` lets registered applications of other sites use sessions, which needs
   * https; `lax` by default.
   */
  readonly cookieSameSite?: 'lax' | 'none'
  /** Addresses on this machine that are told of events, such as a bundler's; none by default. */
  readonly listeners?: readonly ListenerOptions[]
  /** Where files are kept, the default first; a local folder by default. */
  readonly storage?: readonly StorageOptions[]
  /** Most bytes of a file that the platform itself keeps; 1 GiB by default. */
  readonly maxUploadBytes?: number
  readonly gateway?: GatewayOptions
  readonly webhooks?: WebhookOptions
  /** Which agents the count of a tool is of; `all`, whatever their status, by default. */
  readonly agentCount?: 'all' | 'active'
  /**
   * Where suggested translations come from: `memory`, which asks no network, by
   * default; an OpenAI-compatible service, LibreTranslate, or a provider of one's own.
   */
  readonly suggestions?: 'memory' | OpenAiOptions | LibreTranslateOptions | SuggestionProvider
  /**
   * Addresses beside public ones that webhooks and tools may be at; none by default.
   */
  readonly outgoing?: readonly AddressKind[]
  /**
   * `frozen`, or an instant such as `2026-01-01T00:00:00Z`, at which time stands
   * still until it is advanced; `system` by default.
   */
  readonly clock?: string
  /** The clock of record dates; the machine's by default. */
  readonly now?: () => Date
  /**
   * Makes ids and secrets the same in every run; they are random by default.
   * Whoever knows it knows them all, and on data that is kept the same ids would
   * come again: it is for tests, whose data is thrown away. `NODE_ENV=production`
   * and `dataDir` exclude it.
   */
  readonly seed?: number
  /** Makes ids of records and events; random UUIDs by default. */
  readonly newId?: () => string
  /** Takes the log: each request that was answered and each failure, without secrets; none by default. */
  readonly onLog?: (entry: LogEntry) => void
  /** Hears of failures that no caller sees, such as a watched file that is not JSON. */
  readonly onFault?: (fault: Error) => void
}

/** Options with every default in place. */
export interface ResolvedOptions {
  readonly projects: readonly (string | ProjectSource)[]
  readonly onlyChanged: boolean
  readonly watch: boolean
  readonly dataDir: string | undefined
  readonly databaseUrl: string | undefined
  readonly origins: ReadonlySet<string>
  readonly allowedHosts: ReadonlySet<string>
  readonly rateLimitPerMinute: number | undefined
  readonly trustProxy: boolean
  readonly openProjects: boolean
  readonly suggestionsPerMinute: number
  readonly retryAfter: boolean
  readonly secret: string | undefined
  readonly controlToken: string | undefined
  readonly publicUrl: string | undefined
  readonly cookieSameSite: 'lax' | 'none'
  readonly listeners: readonly ListenerOptions[]
  readonly storage: readonly StorageOptions[]
  readonly maxUploadBytes: number
  readonly gateway: Required<GatewayOptions>
  readonly webhooks: Required<WebhookOptions>
  readonly agentCount: 'all' | 'active'
  readonly suggestions: NonNullable<PlatformOptions['suggestions']>
  readonly outgoing: ReadonlySet<AddressKind>
  readonly clock: Clock
  readonly now: () => Date
  readonly newId: () => string
  readonly random: Randomness
  readonly randomBytes: Randomness['bytes']
  /** Ids of requests have a sequence of their own: whoever only looks changes nothing. */
  readonly newRequestId: () => string
  readonly onLog: ((entry: LogEntry) => void) | undefined
  readonly onFault: (fault: Error) => void
}
