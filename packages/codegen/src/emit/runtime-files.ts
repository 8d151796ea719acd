/** File of the runtime, by its name without an extension. */
export type RuntimePart =
  | 'gateway'
  | 'gateway-long'
  | 'gateway-longs'
  | 'gateway-selection'
  | 'gateway-walk'
  | 'gateway-mutations'
  | 'gateway-input'
  | 'gateway-node'
  | 'gateway-query'
  | 'gateway-validate'
  | 'gateway-factory'
  | 'gateway-lookup'

type RuntimeFormats = Readonly<Record<'ts' | 'js' | 'd.ts', string>>

/** Text of `runtime/*.ts` in each output format. `runtime-plugin.ts` adds it. */
export declare const runtimeFiles: Readonly<Record<RuntimePart, RuntimeFormats>>
