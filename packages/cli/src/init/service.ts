import { ConfigError, createCore } from '@servicekit/client'
import { listSchemas } from '@servicekit/client/data'
import { environmentTransport } from '@servicekit/client/proxy'
import { listLanguages } from '@servicekit/client/localization'
import { buildModel, normaliseListing, type SchemaModel } from '@servicekit/codegen'

/** Address of a project. */
export interface Service {
  readonly baseUrl: string
  readonly projectKey: string
}

/** Result of asking a service for its project. */
export interface ServiceFacts {
  readonly languages: readonly string[]
  /** Schemas of the data gateway; empty if it has none, or refuses to list them. */
  readonly schemas: readonly SchemaModel[]
}

/**
 * Asks a service for the languages and schemas of the project.
 *
 * @throws RequestError if the service cannot be reached, or refuses the project key.
 */
export async function askService(service: Service, signal: AbortSignal): Promise<ServiceFacts> {
  const core = createCore({ ...service, timeoutMs: 10_000, transport: environmentTransport() })
  const languages = await listLanguages(core, { signal })
  const schemas = await schemasOf(core, signal).catch(() => [])
  return { languages: languages.map(({ code }) => code), schemas }
}

async function schemasOf(
  core: ReturnType<typeof createCore>,
  signal: AbortSignal,
): Promise<readonly SchemaModel[]> {
  const items: unknown[] = []
  for await (const schema of listSchemas(core, { signal })) items.push(schema)
  return buildModel(normaliseListing({ items })).schemas
}

/**
 * Checks the address of a service.
 *
 * @throws ConfigError
 */
export function parseServiceUrl(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, '')
  throw new ConfigError(
    `${name} must be an http or https URL such as https://api.example.com (received "${text}")`,
  )
}
