import type { Clock } from './common/clock.ts'
import type { Listener } from './control/listeners.ts'
import type { LogEntry } from './control/request-log.ts'
import type { AddressKind } from './outgoing/address-filter.ts'
import type { StorageOptions } from './storage/storage-options.ts'
import type { ProjectSource } from './projects/project-source.ts'
import type { LibreTranslateOptions } from './suggestions/libretranslate-provider.ts'
import type { OpenAiOptions } from './suggestions/openai-provider.ts'
import type { SuggestionProvider } from './suggestions/provider.ts'

/** Options of webhook deliveries. */
export interface WebhookOptions {
  /** Delays before each retry in ms; by default eight delays from 5 s to 12 h. */
  readonly retryDelaysMs?: readonly number[]
  /** Timeout of one delivery in ms; 15000 by default. */
  readonly timeoutMs?: number
}

/** Listener registered at startup. */
export interface ListenerOptions extends Listener {
  /** Project whose events the listener receives; all projects by default. */
  readonly projectKey?: string | undefined
}

/** Limits of the data gateway. */
export interface GatewayOptions {
  /** Maximum nesting depth of selections; 12 by default. */
  readonly maxDepth?: number
  /** Maximum number of rows per page; 1000 by default. */
  readonly maxPageSize?: number
  /** Maximum number of aliases per document; 100 by default. */
  readonly maxAliases?: number
  /** Maximum number of tokens per document; 5000 by default. */
  readonly maxTokens?: number
  /**
   * Maximum cost of one request; 12000 by default, about twenty times a list of ten rows.
   * A field of a row costs 1, a row 3, a condition 10 and a list 100.
   */
  readonly maxCost?: number
  /** Timeout of one SQL statement in ms; 5000 by default. Has no effect on PGlite. */
  readonly statementTimeoutMs?: number
}

/**
 * Options of a platform. All have defaults: `{}` is an empty platform in memory.
 *
 * ```ts
 * { projects: ['fixtures/projects/storefront'], dataDir: '.servicekit/data' }
 * ```
 */
export interface PlatformOptions {
  /** Projects to load at startup: folders or project objects. */
  readonly projects?: readonly (string | ProjectSource)[]
  /**
   * Loads only project files that changed since they were last loaded, when restarting on
   * existing data; false by default, which makes projects equal to their source.
   */
  readonly onlyChanged?: boolean
  /** Watches project folders and applies changes; false by default. */
  readonly watch?: boolean
  /**
   * Folder for the data. Without it or `databaseUrl`, data is kept in memory and lost on
   * exit.
   */
  readonly dataDir?: string
  /** URL of a PostgreSQL database to use instead of the embedded one. */
  readonly databaseUrl?: string
  /**
   * Origins of browser applications that may call every project; none by default.
   * Projects can register additional origins. Pages on this machine may call a platform
   * addressed by loopback; all other pages receive 406.
   */
  readonly origins?: readonly string[]
  /**
   * Additional host names accepted without `publicUrl`; none by default. Loopback names
   * and the address that the server listens on are always accepted; any other `Host`
   * receives 400.
   */
  readonly allowedHosts?: readonly string[]
  /**
   * Rate limit per minute and address, shared by all instances; further requests receive
   * 429. So many requests are allowed at once, and the limit refills evenly within a minute.
   * Unlimited by default.
   */
  readonly rateLimitPerMinute?: number
  /**
   * Trusts the last address of `x-forwarded-for`, which a reverse proxy appends, as the
   * sender's; false by default, because clients can forge the header.
   */
  readonly trustProxy?: boolean
  /**
   * Adds `retry-after` to 429 responses; true by default. Instances are known not to send
   * it.
   */
  readonly retryAfter?: boolean
  /**
   * Secret for encrypting tokens of AI tools, at least 16 characters. All instances on
   * one database need the same secret; without one, they store no tokens. With `dataDir`,
   * a secret is generated and stored in the file `secret`.
   */
  readonly secret?: string
  /**
   * Allows access to every project from this machine without signing in; false by
   * default. For development only: cannot be used with `publicUrl` or on addresses other
   * than loopback.
   */
  readonly openProjects?: boolean
  /**
   * Rate limit for suggested translations per minute and address, shared by all
   * instances; further requests receive 429. 60 by default.
   */
  readonly suggestionsPerMinute?: number
  /**
   * Bearer token required by the control routes; none by default, which limits them to
   * loopback.
   */
  readonly controlToken?: string
  /**
   * Public URL of the platform, such as `https://platform.example.com`; by default the
   * origin of each request.
   */
  readonly publicUrl?: string
  /**
   * `SameSite` attribute of cookies; `lax` by default. `none` lets registered
   * applications on other sites use sessions, and requires https.
   */
  readonly cookieSameSite?: 'lax' | 'none'
  /** Loopback URLs that receive the events of this process; none by default. */
  readonly listeners?: readonly ListenerOptions[]
  /** Storage backends for files, the default one first; a local folder by default. */
  readonly storage?: readonly StorageOptions[]
  /** Maximum size in bytes of files that the platform itself stores; 1 GiB by default. */
  readonly maxUploadBytes?: number
  readonly gateway?: GatewayOptions
  readonly webhooks?: WebhookOptions
  /**
   * Agents included in the agent count of a tool; `all` by default, regardless of their
   * status.
   */
  readonly agentCount?: 'all' | 'active'
  /**
   * Source of suggested translations: `memory` by default, the project's own translations
   * of similar texts; an OpenAI-compatible service, LibreTranslate, or a custom provider.
   */
  readonly suggestions?: 'memory' | OpenAiOptions | LibreTranslateOptions | SuggestionProvider
  /** Kinds of non-public addresses that webhooks and tools may use; none by default. */
  readonly outgoing?: readonly AddressKind[]
  /**
   * Source of the times in records and of expiry checks: `system` by default; `frozen`, or
   * an instant such as `2026-01-01T00:00:00Z`, at which the clock stands still until it is
   * advanced; or a function that returns the time.
   */
  readonly clock?: string | (() => Date)
  /**
   * Makes the ids of records and requests the same in every run; they are random by default.
   * Keys, tokens and other secrets are always random. Cannot be used with `dataDir`, because
   * the ids would repeat on persistent data.
   */
  readonly seed?: number
  /**
   * Called for each log entry: completed requests and errors, without secrets; no log by
   * default.
   */
  readonly onLog?: (entry: LogEntry) => void
  /** Called for errors that no caller sees, such as a watched file that is not valid JSON. */
  readonly onFault?: (fault: Error) => void
}

/** Options with all defaults applied. */
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
  /**
   * Generates request ids from an independent sequence, so that read requests do not
   * affect other ids.
   */
  readonly newRequestId: () => string
  readonly onLog: ((entry: LogEntry) => void) | undefined
  readonly onFault: (fault: Error) => void
}
