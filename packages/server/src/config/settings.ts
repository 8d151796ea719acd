import {
  optionSchemas as options,
  type StorageMember,
  storageMembers,
  type StorageOptions,
} from '@servicekit/platform'
import { z } from 'zod'
import { boolean, choice, headerSecret, integer, origin, setting, text, url } from './values.ts'

const members = storageMembers()

const strategies = new Set(members.flatMap((one) => [...one.strategies.keys()]))

const storage = {
  strategy: setting.text(
    choice(...([...strategies] as [StorageOptions['strategy']])).optional(),
    'Storage of files; Local must be allowed with allow: local-files',
    { hint: 'NAME', defaultText: 'required' },
  ),
  name: setting.text(text().default('Default'), 'Name of the storage that clients see', {
    hint: 'NAME',
  }),
  /** Members of the platform's storage configurations. */
  ...(Object.fromEntries(
    members.map(({ name, schema, description, hint, isSecret }) => [
      name,
      setting.text(schema.optional(), description, {
        ...(hint !== undefined && { hint }),
        ...(isSecret && { isSecret }),
        ...(name === 'folder' && { defaultText: '`files` in `dataDir`' }),
      }),
    ]),
  ) as Record<StorageMember['name'], z.ZodOptional<z.ZodString>>),
}

const log = {
  level: setting.text(choice('error', 'warn', 'info').default('info'), 'Lowest level to log', {
    hint: 'LEVEL',
  }),
  access: setting.boolean(boolean().default(true), 'Log each request, except probes'),
}

const metrics = {
  port: setting.integer(
    integer(0, 65_535).optional(),
    'Port of a second listener with /metrics, /live and /ready; no listener without it',
    { hint: 'N' },
  ),
  host: setting.text(text().default('127.0.0.1'), 'Address that the second listener binds to', {
    hint: 'ADDRESS',
  }),
}

const shutdown = {
  delayMs: setting.integer(
    integer(0, 600_000).default(5000),
    'Time in ms between SIGTERM and the end of new requests, in which /ready responds with 503',
    { hint: 'MS' },
  ),
  timeoutMs: setting.integer(
    integer(0, 600_000).default(20_000),
    'Time in ms that requests in flight have to finish',
    { hint: 'MS' },
  ),
}

const number = <S extends z.ZodType>(schema: S, description: string, hint = 'N'): S =>
  setting.integer(schema, description, { hint })

const { gateway: limits, webhooks: deliveries } = options

const gateway = {
  maxDepth: number(limits.maxDepth, 'Maximum nesting depth of selections in the data gateway'),
  maxPageSize: number(limits.maxPageSize, 'Maximum number of rows per page'),
  maxAliases: number(limits.maxAliases, 'Maximum number of aliases per document'),
  maxTokens: number(limits.maxTokens, 'Maximum number of tokens per document'),
  maxCost: number(limits.maxCost, 'Maximum cost of one request'),
  statementTimeoutMs: number(limits.statementTimeoutMs, 'Timeout of one SQL statement in ms', 'MS'),
}

const webhooks = {
  timeoutMs: number(deliveries.timeoutMs, 'Timeout of one delivery of a webhook in ms', 'MS'),
  retryDelaysMs: setting.json(
    deliveries.retryDelaysMs,
    'Delays in ms before each retry of a webhook',
    { hint: 'LIST', defaultText: 'eight delays from 5 s to 12 h' },
  ),
}

const suggestions = {
  provider: setting.text(
    choice('memory', 'openai', 'libretranslate').default('memory'),
    'Source of suggested translations',
    { hint: 'NAME' },
  ),
  baseUrl: setting.text(
    url('http://localhost:11434/v1', 'http', 'https').optional(),
    'URL of the OpenAI-compatible or LibreTranslate service',
    { hint: 'URL' },
  ),
  model: setting.text(text().optional(), 'Model of the OpenAI-compatible service', {
    hint: 'NAME',
  }),
  apiKey: setting.text(headerSecret(1).optional(), 'API key of the service', { isSecret: true }),
  timeoutMs: number(integer(1).default(60_000), 'Timeout of one suggestion in ms', 'MS'),
  perMinute: number(options.suggestionsPerMinute, 'Suggestions per minute and address'),
}

const mail = {
  host: setting.text(
    text().optional(),
    'SMTP server; without it, mails stay in the inbox of the control routes',
    { hint: 'NAME' },
  ),
  port: number(integer(1, 65_535).default(587), 'Port of the SMTP server'),
  security: setting.text(
    choice('starttls', 'tls', 'none').default('starttls'),
    'Encryption: starttls (port 587), tls (port 465) or none, for a server on the same machine',
    { hint: 'MODE' },
  ),
  user: setting.text(text().optional(), 'User of the SMTP server', { hint: 'NAME' }),
  password: setting.text(text().optional(), 'Password of the SMTP server', { isSecret: true }),
  from: setting.text(
    text()
      .refine((value) => /^(?:[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(value), {
        error: 'must be an address such as Shop <no-reply@example.com>',
      })
      .optional(),
    'Sender of mails',
    { hint: 'ADDRESS', defaultText: 'required with `mail.host`' },
  ),
  ca: setting.text(
    text().optional(),
    'File with the certificate of the authority that signed that of the SMTP server, if it is not public',
    { hint: 'FILE' },
  ),
  language: setting.text(
    choice('en', 'de', 'fr').default('en'),
    'Language of mails to users whose language is not known',
    { hint: 'CODE' },
  ),
  timeoutMs: number(
    integer(1, 13_000).default(10_000),
    'Timeout of each step of a delivery in ms',
    'MS',
  ),
}

const shape = {
  publicUrl: setting.text(
    origin('https://platform.example.com').optional(),
    'URL that browsers use. It must be https, so that cookies are secure',
    { hint: 'URL', defaultText: 'required' },
  ),
  databaseUrl: setting.text(
    url('postgres://user:password@db.example.com/servicekit', 'postgres', 'postgresql').optional(),
    'URL of the PostgreSQL database',
    { isSecret: true, alias: 'DATABASE_URL', defaultText: 'required' },
  ),
  replicaUrl: setting.text(
    url(
      'postgres://user:password@replica.example.com/servicekit',
      'postgres',
      'postgresql',
    ).optional(),
    'URL of a read replica of the database, for translation files and queries of the gateway',
    { isSecret: true },
  ),
  databaseTimeoutMs: number(
    options.databaseTimeoutMs,
    'Time in ms that a connection to PostgreSQL and each statement may take; a request then fails with 503',
    'MS',
  ),
  secret: setting.text(
    options.secret,
    'Key that encrypts the tokens of tools and the secrets of webhooks; the same on every instance',
    { isSecret: true, defaultText: 'required with `databaseUrl`' },
  ),
  controlToken: setting.text(
    headerSecret(16).optional(),
    'Bearer token of the routes below /_platform; without it they are closed',
    { isSecret: true },
  ),
  development: setting.boolean(
    boolean().default(false),
    'Open the control routes that set the clock and inject faults, for tests',
  ),
  audit: setting.boolean(boolean().default(true), 'Record every change in the audit log'),
  instance: setting.text(text().optional(), 'Name of this instance in the audit log', {
    hint: 'NAME',
    defaultText: 'name of the host',
  }),
  allow: setting.list(
    z
      .array(choice('embedded-database', 'local-files', 'http'))
      .readonly()
      .default([]),
    'Exceptions from the requirements: embedded-database (with dataDir, one instance only), local-files, http',
    { hint: 'NAMES' },
  ),
  dataDir: setting.text(text().optional(), 'Folder of the embedded database', { hint: 'DIR' }),
  migrations: setting.text(
    choice('apply', 'require').default('apply'),
    'Pending migrations of the database: apply them at start, or require that `servicekit migrate-database` did',
    { hint: 'MODE' },
  ),
  host: setting.text(text().default('0.0.0.0'), 'Address to listen on', { hint: 'ADDRESS' }),
  port: setting.integer(integer(0, 65_535).default(4600), 'Port to listen on', {
    hint: 'N',
    alias: 'PORT',
  }),
  trustProxy: setting.boolean(
    boolean().default(true),
    'Use the last address of X-Forwarded-For as that of the client; set it to false if clients connect without a proxy',
  ),
  projects: setting.list(
    z.array(text()).readonly().default([]),
    'Project folders to load at start; only files that changed are loaded',
    { hint: 'DIRS' },
  ),
  origins: setting.list(
    z.array(origin('https://app.example.com')).readonly().default([]),
    'Origins of browser applications that may call every project',
    { hint: 'ORIGINS' },
  ),
  keyHeader: setting.text(
    options.keyHeader,
    'Header that may carry the project key instead of x-service-key, e.g. x-blocks-key',
    { hint: 'NAME' },
  ),
  console: setting.boolean(
    boolean().default(false),
    'Serve the web console at /console/ to signed-in administrators',
  ),
  cookieSameSite: setting.text(
    options.cookieSameSite,
    'SameSite attribute of cookies; none lets applications on other sites use sessions',
    { hint: 'MODE' },
  ),
  rateLimitPerMinute: number(
    integer(0).default(1200),
    'Requests per minute and address, shared by all instances; 0 for no limit',
  ),
  maxUploadBytes: number(options.maxUploadBytes, 'Maximum size in bytes of files in local storage'),
  outgoing: setting.list(
    z.array(choice('loopback', 'private')).readonly().default([]),
    'Non-public addresses that webhooks and tools may use: loopback, private',
    { hint: 'KINDS' },
  ),
  agentCount: setting.text(options.agentCount, 'Agents in the agent count of a tool', {
    hint: 'MODE',
  }),
  storage: z.strictObject(storage),
  log: z.strictObject(log),
  metrics: z.strictObject(metrics),
  shutdown: z.strictObject(shutdown),
  mail: z.strictObject(mail),
  gateway: z.strictObject(gateway),
  webhooks: z.strictObject(webhooks),
  suggestions: z.strictObject(suggestions),
}

/**
 * Declaration of all settings. Flags, environment variables, the type of the config file,
 * `--help` and the table in the documentation derive from it.
 */
export const Settings = z.strictObject(shape)

/** Valid settings with all defaults. */
export type Settings = z.output<typeof Settings>

type Input<S> = {
  readonly [Name in keyof S]?: S[Name] extends z.ZodObject<infer Inner>
    ? Input<Inner>
    : S[Name] extends z.ZodType
      ? z.input<S[Name]>
      : never
}

/** Content of `servicekit.server.ts`. Flags and environment variables override it. */
export type ServerConfig = Input<typeof shape>

/** Types the default export of `servicekit.server.ts`. Returns its argument. */
export const defineServerConfig = (config: ServerConfig): ServerConfig => config
