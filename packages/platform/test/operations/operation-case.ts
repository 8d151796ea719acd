import type { World } from './world.ts'

/** Request to an operation and the expected response. */
export interface OperationCase {
  /** Situation; together with the operation's id, the title of the test. */
  readonly when: string
  readonly status: number
  /** Code in `error`, if the contract names codes. */
  readonly code?: string
  /** Members that the body must have in addition to the contract's schema. */
  readonly body?: object
  /** True if the request must not reach any operation. */
  readonly isAstray?: true
  readonly send: (world: World) => Response | Promise<Response>
}

/** Cases by operation id. */
export type OperationCases = Readonly<Record<string, readonly OperationCase[]>>
