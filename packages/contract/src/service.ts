import type { ResolvedOutputOptions } from './output-options.ts'
import { projectHeader } from './route.ts'

/** Address of a project on an instance, and how the instance differs from the interface. */
export interface ServiceOptions {
  /** URL of the instance, such as `https://api.example.com`. A path is kept. */
  readonly baseUrl: string
  /** Key of the project; at most 64 characters (section 8). */
  readonly projectKey: string
  /** Kind of instance, which sets the defaults of the other options. Default: `interface`. */
  readonly preset?: ServicePreset
  /** Header that carries the project key. Default: that of the preset. */
  readonly keyHeader?: string
  /** Headers sent with every request, in addition to that of the project key. */
  readonly headers?: Readonly<Record<string, string>>
}

export const serviceOptionNames = [
  'baseUrl',
  'projectKey',
  'preset',
  'keyHeader',
  'headers',
] as const satisfies readonly (keyof ServiceOptions)[]

/** Derivation of the name of a list query from `querySchema`: `Products` or `getProducts`. */
export type QueryNaming = ResolvedOutputOptions['queryNaming']

/**
 * Kinds of instances: `interface` follows the interface, `deployed` stands for the deployed
 * instances whose sources are public.
 */
export type ServicePreset = keyof typeof keyHeaders

/** Default of `keyHeader` by preset. */
export const keyHeaders = {
  interface: projectHeader,
  // Set on every request in SELISEdigitalplatforms/blocks-cli,
  // blocks-client/src/http/http-client.ts; read as the tenant in blocks-data,
  // TechnicalSpec.md, section 5.
  deployed: 'x-blocks-key',
} as const

/** Shapes in which the gateways of instances differ: options of generated code. */
export type GatewayShape = Pick<
  ResolvedOutputOptions,
  'queryNaming' | 'bulkMutations' | 'bulkResponse' | 'longFilter'
>

/** Defaults of the options of generated code by preset. */
export const gatewayShapes: Readonly<Record<ServicePreset, GatewayShape>> = {
  interface: {
    queryNaming: 'as-given',
    bulkMutations: 'listed',
    bulkResponse: 'BulkActionResponse',
    longFilter: 'number',
  },
  deployed: {
    // Queried as get{SchemaName}s in SELISEdigitalplatforms/blocks-cli,
    // blocks-client/src/data/data-client.ts, where {SchemaName}s is the querySchema.
    queryNaming: 'get-prefix',
    // The other three: SELISEdigitalplatforms/blocks-data, TechnicalSpec.md, which describes the
    // executable schema.
    bulkMutations: 'always',
    bulkResponse: 'ActionResponse',
    longFilter: 'string',
  },
}

export const servicePresets = Object.keys(keyHeaders) as readonly ServicePreset[]
