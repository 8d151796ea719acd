/**
 * Single definition of the platform's interface: routes (plain data), schemas (zod),
 * records, integer codes, limits and error bodies, and the OpenAPI 3.1 document derived
 * from them.
 *
 * It performs no I/O: the client sends requests, the platform serves them, and both use
 * these definitions. `docs/interface.md` of the repository describes the interface in prose
 * under the same section numbers.
 */
export * as auth from './auth.ts'
export * from './codes.ts'
export * as data from './data.ts'
export * from './errors.ts'
export * from './events.ts'
export * as iam from './iam.ts'
export * as userRecords from './user-records.ts'
export * as idp from './idp.ts'
export * as knowledge from './knowledge.ts'
export { isMissingMarker, keyLanguage, limits, missingMarker, missingPattern } from './limits.ts'
export { Sort } from './listing.ts'
export * as localization from './localization.ts'
export { openApiDocument, type OpenApiDocument, type OpenApiOptions } from './openapi.ts'
export {
  access,
  type Access,
  type ConsoleRole,
  consoleRoles,
  defineOperation,
  type Denied,
  type Operation,
  type OperationParts,
  type Proof,
  type ResponseDefinition,
  type Who,
} from './operation.ts'
export { operations } from './operations.ts'
export { projectHeader, type Effect, type Route } from './route.ts'
export * as routes from './routes.ts'
export {
  type GatewayShape,
  gatewayShapes,
  keyHeaders,
  type QueryNaming,
  type ServiceOptions,
  serviceOptionNames,
  type ServicePreset,
  servicePresets,
} from './service.ts'
export * as storage from './storage.ts'
export * as tools from './tools.ts'
export * as translation from './translation.ts'
export * as webhooks from './webhooks.ts'
