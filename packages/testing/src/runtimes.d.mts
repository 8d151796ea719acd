/** Runtimes that the client is tested on; for browsers see `./browser`. */
export type RuntimeName = 'Node 20' | 'Node 22' | 'Node 24' | 'Bun' | 'Deno' | 'workerd'

export declare const runtimeNames: readonly RuntimeName[]

/** Returns the path of a runtime's program; undefined if npm has none for this system. */
export declare const findRuntime: (name: RuntimeName) => string | undefined

/**
 * Use with `it.skipIf(isRuntimeMissing(name))`. With CI=true a missing runtime is an error,
 * so that a run never passes without testing it. Node 20 is an exception: it is available
 * if the tests run on it.
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
