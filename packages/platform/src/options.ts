import { z } from 'zod'
import { headerSecretProblem, normaliseHost, secretProblem } from '@servicekit/core'
import type { LogEntry } from './control/request-log.ts'
import { Origin, parsedString } from '@servicekit/contract/control'
import type { OutgoingMail } from './identity/mails.ts'
import type { ProjectSource } from './project-source.ts'
import { Storage } from './storage/storage-options.ts'
import type { LibreTranslateOptions } from './suggestions/libretranslate-provider.ts'
import type { OpenAiOptions } from './suggestions/openai-provider.ts'
import type { SuggestionProvider } from './suggestions/provider.ts'
import { type Clock, createClock } from './clock.ts'

type InputOf<Shape extends Readonly<Record<string, z.ZodType>>> = {
  readonly [Name in keyof Shape]?: z.input<Shape[Name]>
}

const positiveInteger = z.custom<number>((value) => Number.isInteger(value) && Number(value) > 0, {
  error: ({ input }) => `must be a positive integer (received ${JSON.stringify(input)})`,
})

const choice = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, {
    error: ({ input }) => `must be one of ${values.join(', ')} (received ${JSON.stringify(input)})`,
  })

const secretOf = (minLength: number) =>
  z.string().superRefine((value, { addIssue }) => {
    const problem = secretProblem(value, minLength)
    if (problem !== undefined) addIssue(problem)
  })

const functionOf = <F>() =>
  z.custom<F>((value) => typeof value === 'function', 'must be a function')

/** Runs a part of the platform's work: an SQL statement (`sql`) or a job (`job`). */
export type Trace = <T>(
  kind: 'sql' | 'job',
  attributes: Readonly<Record<string, string | number>>,
  run: () => Promise<T>,
) => Promise<T>

const setOf = <S extends z.ZodType<string>>(item: S) =>
  z
    .array(item)
    .readonly()
    .default([])
    .transform((values): ReadonlySet<z.output<S>> => new Set(values))

const frozenAt = '2026-01-01T00:00:00.000Z'

const clock = z
  .union([z.string(), functionOf<() => Date>()])
  .default('system')
  .transform((value, context): Clock => {
    if (typeof value === 'function') return createClock(value)
    if (value === 'system') return createClock(value)
    const instant = new Date(value === 'frozen' ? frozenAt : value)
    if (!Number.isNaN(instant.getTime())) return createClock(instant)
    context.addIssue(`must be "system", "frozen" or an instant (received "${value}")`)
    return z.NEVER
  })

/** 5 s to 12 h, a day in total, so that a receiver that is down overnight misses no events. */
const retryDelaysMs = [5, 30, 120, 600, 3600, 10_800, 28_800, 43_200].map((s) => s * 1000)

const webhooks = {
  /** Delays before each retry in ms; by default eight delays from 5 s to 12 h. */
  retryDelaysMs: z
    .array(positiveInteger, { error: 'must be a list of integers such as [5000, 30000]' })
    .readonly()
    .default(retryDelaysMs),
  /** Timeout of one delivery in ms; 15000 by default. */
  timeoutMs: positiveInteger.default(15_000),
}

const gateway = {
  /** Maximum nesting depth of selections; 12 by default. */
  maxDepth: positiveInteger.default(12),
  /** Maximum number of rows per page; 1000 by default. */
  maxPageSize: positiveInteger.default(1000),
  /** Maximum number of aliases per document; 100 by default. */
  maxAliases: positiveInteger.default(100),
  /** Maximum number of tokens per document; 5000 by default. */
  maxTokens: positiveInteger.default(5000),
  /**
   * Maximum cost of one request; 12000 by default, about twenty times a list of ten rows.
   * A field of a row costs 1, a row 3, a condition 10 and a list 100.
   */
  maxCost: positiveInteger.default(12_000),
  /** Timeout of one SQL statement in ms; 5000 by default. Has no effect on PGlite. */
  statementTimeoutMs: positiveInteger.default(5000),
}

const shape = {
  /** Projects to load at startup: folders or project objects; none by default. */
  projects: z.array(z.custom<string | ProjectSource>()).readonly().default([]),
  /**
   * Loads only project files that changed since they were last loaded, when restarting on
   * existing data; false by default, which makes projects equal to their source.
   */
  onlyChanged: z.boolean().default(false),
  /** Watches project folders and applies changes; false by default. */
  watch: z.boolean().default(false),
  /** Folder for the data; without it or `databaseUrl`, data is lost on exit. */
  dataDir: z.string().optional(),
  /** URL of a PostgreSQL database to use instead of the embedded one. */
  databaseUrl: z.string().optional(),
  /** URL of a read replica for translation files and queries of the gateway, which may lag. */
  replicaUrl: z.string().optional(),
  /** Timeout in ms of connections to PostgreSQL and of statements, then 503; 20000 by default. */
  databaseTimeoutMs: positiveInteger.default(20_000),
  /**
   * Origins of browser applications that may call every project; none by default.
   * Projects can register additional origins. Pages on this machine may call a platform
   * addressed by loopback; all other pages receive 406.
   */
  origins: setOf(Origin),
  /**
   * Additional host names accepted without `publicUrl`; none by default. Loopback names and the
   * address that the server listens on are always accepted; any other `Host` receives 400.
   */
  allowedHosts: setOf(parsedString(normaliseHost, 'a host name such as platform.example')),
  /**
   * Text that distinguishes the cookies of this platform from those of other ones on the same host,
   * such as the folder of each checkout on a machine of a developer; empty by default.
   */
  cookieScope: z.string().default(''),
  /**
   * Header that may carry the project key instead of `x-service-key`, such as `x-blocks-key`; none
   * by default.
   */
  keyHeader: z
    .string()
    .regex(/^x-[\w-]{1,60}$/i, 'must be the name of a header that begins with x-')
    .toLowerCase()
    .optional(),
  /**
   * Rate limit per minute and address, shared by all instances; further requests receive
   * 429. So many requests are allowed at once, and the limit refills evenly within a minute.
   * Unlimited by default.
   */
  rateLimitPerMinute: positiveInteger.optional(),
  /**
   * Trusts the last address of `x-forwarded-for`, which a reverse proxy appends, as the
   * sender's; false by default, because clients can forge the header.
   */
  trustProxy: z.boolean().default(false),
  /** Adds `retry-after` to 429 responses, which some instances lack; true by default. */
  retryAfter: z.boolean().default(true),
  /**
   * Secret for encrypting tokens of AI tools, at least 16 characters. All instances on
   * one database need the same secret; without one, they store no tokens. With `dataDir`,
   * a secret is generated and stored in the file `secret`.
   */
  secret: secretOf(16).optional(),
  /**
   * Allows access to every project from this machine without signing in; false by default. For
   * development only: cannot be used with `publicUrl` or on addresses other than loopback.
   */
  openProjects: z.boolean().default(false),
  /**
   * Rate limit for suggested translations per minute and address, shared by all
   * instances; further requests receive 429. 60 by default.
   */
  suggestionsPerMinute: positiveInteger.default(60),
  /**
   * Opens the control routes that only tests and development need: they set the clock and inject
   * faults; true by default.
   */
  development: z.boolean().default(true),
  /** Bearer token for the control routes; by default they only accept this machine. */
  controlToken: secretOf(1)
    .superRefine((value, { addIssue }) => {
      const problem = headerSecretProblem(value)
      if (problem !== undefined) addIssue(problem)
    })
    .optional(),
  /**
   * Public URL of the platform, such as `https://platform.example.com`; by default the
   * origin of each request.
   */
  publicUrl: Origin.optional(),
  /**
   * `SameSite` attribute of cookies; `lax` by default. `none` lets registered
   * applications on other sites use sessions, and requires https.
   */
  cookieSameSite: choice('lax', 'none').default('lax'),
  /** Storage backends for files, the default one first; a local folder by default. */
  storage: z
    .array(Storage)
    .readonly()
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
      error: 'names must be unique',
    })
    .default([{ name: 'Default', strategy: 'Local' }]),
  /** Maximum size in bytes of files that the platform itself stores; 1 GiB by default. */
  maxUploadBytes: positiveInteger.default(2 ** 30),
  /** Limits of the data gateway. */
  gateway: z.strictObject(gateway).prefault({}),
  /** Webhook deliveries. */
  webhooks: z.strictObject(webhooks).prefault({}),
  /** Agents in the agent count of a tool; `all` by default, regardless of their status. */
  agentCount: choice('all', 'active').default('all'),
  /**
   * Source of suggested translations: `memory` by default, the project's own translations
   * of similar texts; an OpenAI-compatible service, LibreTranslate, or a custom provider.
   */
  suggestions: z
    .custom<'memory' | OpenAiOptions | LibreTranslateOptions | SuggestionProvider>()
    .default('memory'),
  /** Kinds of non-public addresses that webhooks and tools may use; none by default. */
  outgoing: setOf(choice('loopback', 'private')),
  /**
   * Source of the times in records and of expiry checks: `system` by default, the clock of this
   * machine, corrected to that of a PostgreSQL database, which instances share; `frozen`, or
   * an instant such as `2026-01-01T00:00:00Z`, at which the clock stands still until it is
   * advanced; or a function that returns the time.
   */
  clock,
  /**
   * Makes the ids of records and requests the same in every run; they are random by default.
   * Keys, tokens and other secrets are always random. Cannot be used with `dataDir`, because
   * the ids would repeat on persistent data.
   */
  seed: z.int().optional(),
  /**
   * Records every change in the audit log, under this name of the instance; not recorded by
   * default.
   */
  audit: z.string().optional(),
  /** Runs each SQL statement and each job, so that a program can trace them; by default unchanged. */
  trace: functionOf<Trace>().default(() => (_kind, _attributes, run) => run()),
  /**
   * Delivers a mail; called again later if it rejects. Without it, mails stay in the inbox of
   * the control routes. An attempt must not take longer than `webhooks.timeoutMs`.
   */
  sendMail: functionOf<(mail: OutgoingMail) => Promise<void>>().optional(),
  /** Called for each completed request and each error, without secrets; no log by default. */
  onLog: functionOf<(entry: LogEntry) => void>().optional(),
  /**
   * Called when the embedded database has stopped, such as on a full disk. All further requests
   * fail: end the process, so that its supervisor starts it again.
   */
  onStopped: functionOf<(error: Error) => void>().optional(),
  /**
   * Called for errors that no caller sees, such as a watched file that is not valid JSON. By
   * default they are printed, unless there is `onLog`.
   */
  onError: functionOf<(error: Error) => void>().optional(),
}

/** Schema of the options. Their types, defaults and validation derive from it. */
export const Options = z.strictObject(shape)

/** Schemas of the options by name, from which settings of a server derive. */
export const optionSchemas = { ...shape, gateway, webhooks } as const

/** Limits of the data gateway. */
export type GatewayOptions = InputOf<typeof gateway>

/** Options of webhook deliveries. */
export type WebhookOptions = InputOf<typeof webhooks>

/**
 * Options of a platform. All have defaults: `{}` is an empty platform in memory.
 *
 * ```ts
 * { projects: ['fixtures/projects/storefront'], dataDir: '.servicekit/data' }
 * ```
 */
export type PlatformOptions = InputOf<typeof shape>

/** Validated options with all defaults, and what derives from them. */
export interface ResolvedOptions extends Readonly<z.output<typeof Options>> {
  readonly now: () => Date
  readonly newId: () => string
  /** Generates request ids from a sequence of its own, so that reads do not affect other ids. */
  readonly newRequestId: () => string
  readonly onError: (error: Error) => void
}
