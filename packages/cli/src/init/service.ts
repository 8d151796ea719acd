import { ConfigError, type Core, RequestError } from '@servicekit/client'
import { execute, listSchemas } from '@servicekit/client/data'
import { createToolCore, resolveService } from '@servicekit/client/environment'
import { listLanguages } from '@servicekit/client/localization'
import { buildModel, normaliseListing, type SchemaModel } from '@servicekit/codegen'
import {
  type QueryNaming,
  type ServiceOptions,
  type ServicePreset,
  gatewayShapes,
  servicePresets,
} from '@servicekit/contract/service'
import { isObject } from '@servicekit/core'

/** Options that describe an instance. */
export type Service = ServiceOptions

/** Result of probing a service. */
export interface ServiceFacts {
  /** The given options, with the preset that fits the service. */
  readonly service: Service
  /** True if the given options do not fit, and `service` differs from them. */
  readonly isOther: boolean
  readonly keyHeader: string
  readonly languages: readonly string[]
  /** Schemas of the data gateway; empty if it has none, or refuses to list them. */
  readonly schemas: readonly SchemaModel[]
  /** Status with which the schemas were refused. */
  readonly schemaStatus: number | undefined
  readonly queryNaming: QueryNaming
}

/**
 * Finds the options that fit a service, by reads only: the given ones, or else those of the other
 * presets.
 *
 * @throws RequestError if the service cannot be reached, or refuses the project key.
 */
export async function probeService(given: Service, signal: AbortSignal): Promise<ServiceFacts> {
  const { preset: _preset, keyHeader: _header, ...plain } = given
  const others = servicePresets.map((preset): Service => {
    return { ...plain, preset: preset as ServicePreset }
  })
  const { keyHeader } = resolveService(given)
  const candidates = [given, ...others.filter((one) => resolveService(one).keyHeader !== keyHeader)]
  let first: unknown
  for (const candidate of candidates) {
    try {
      const facts = await askService(candidate, signal)
      return { ...facts, isOther: candidate !== given }
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== 'REQUEST_REFUSED') throw error
      first ??= error
    }
  }
  throw first
}

async function askService(
  service: Service,
  signal: AbortSignal,
): Promise<Omit<ServiceFacts, 'isOther'>> {
  const core = createToolCore({ ...service, timeoutMs: 10_000 })
  const languages = await listLanguages(core, { signal })
  const entries: unknown[] = []
  let schemaStatus: number | undefined
  try {
    for await (const schema of listSchemas(core, { signal })) entries.push(schema)
  } catch (error) {
    signal.throwIfAborted()
    schemaStatus = error instanceof RequestError ? error.status : undefined
    // Some services list languages without a project, but nothing else.
    if (schemaStatus === 400) throw error
  }
  const { preset = 'interface' } = service
  const queryNaming =
    (await executedNaming(core, entries, signal)) ?? gatewayShapes[preset].queryNaming
  return {
    service,
    keyHeader: resolveService(service).keyHeader,
    languages: languages.map(({ code }) => code),
    schemas: buildModel(normaliseListing({ items: entries }), { queryNaming }).schemas,
    schemaStatus,
    queryNaming,
  }
}

/** Returns the naming of the executable queries; undefined if introspection is not allowed. */
async function executedNaming(
  core: Core,
  entries: readonly unknown[],
  signal: AbortSignal,
): Promise<QueryNaming | undefined> {
  const listed = entries.flatMap((entry) =>
    isObject(entry) && typeof entry['querySchema'] === 'string' ? [entry['querySchema']] : [],
  )
  if (listed.length === 0) return undefined
  const query = '{ __schema { queryType { fields { name } } } }'
  const result = await execute<Introspection>(core, { query }, { signal })
  if (!result.ok) return undefined
  const executed = new Set(result.data.__schema.queryType.fields.map(({ name }) => name))
  if (listed.some((name) => executed.has(name))) return 'as-given'
  return listed.some((name) => executed.has(`get${name}`)) ? 'get-prefix' : undefined
}

interface Introspection {
  readonly __schema: {
    readonly queryType: { readonly fields: readonly { readonly name: string }[] }
  }
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
