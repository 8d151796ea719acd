import type { World } from './world.ts'

/** One way to make an operation answer, and what it has to answer. */
export interface OperationCase {
  /** Says when it is so; with the id of the operation the name of its test. */
  readonly when: string
  readonly status: number
  /** The code in `error`, where the contract names codes. */
  readonly code?: string
  /** Members that the body must have beside what the contract's schema says. */
  readonly body?: object
  /** Whether the request is meant to reach no operation at all. */
  readonly isAstray?: true
  readonly send: (world: World) => Response | Promise<Response>
}

/** Cases by the id of their operation. */
export type OperationCases = Readonly<Record<string, readonly OperationCase[]>>
