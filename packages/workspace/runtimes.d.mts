/** Runtimes that the client is tested on; browsers are in `./browser`. */
export type RuntimeName = 'Node 20' | 'Node 22' | 'Node 24' | 'Bun' | 'Deno' | 'workerd'

export declare const runtimeNames: readonly RuntimeName[]

/** Path of a runtime's program; undefined where npm has none for this system. */
export declare const findRuntime: (name: RuntimeName) => string | undefined

/**
 * For `it.skipIf(isRuntimeMissing(name))`. With CI=true a missing runtime is an
 * error, so that a run never passes for having tested nothing; but for Node 20,
 * which is there where the tests run on it.
 *
 * @throws {Error} with CI=true, when it is missing
 */
export declare const isRuntimeMissing: (
  name: RuntimeName,
  machine?: {
    readonly env: Readonly<Record<string, string | undefined>>
    readonly find: (name: RuntimeName) => string | undefined
  },
) => boolean
