/**
 * Test helpers: a data gateway in memory, for unit tests of code that uses generated functions.
 * Requires `graphql`.
 */
export {
  createMemoryGateway,
  type MemoryGateway,
  type MemoryGatewayOptions,
} from './memory/memory-gateway.ts'
export type { MemoryRecord } from './memory/conditions.ts'
