/**
 * Generates typed queries and mutations from the schema listing of the data gateway:
 * one TypeScript module per schema and a small runtime, without dependencies.
 *
 * Not a GraphQL client, and not for other GraphQL schemas. The preset for GraphQL Code
 * Generator (`@servicekit/codegen/preset` with `@servicekit/codegen/loader`) has the same
 * output.
 *
 * Continue with `generate.ts` (the run), `model.ts` (the rules) and `emit/` (the output).
 */
export {
  type CheckedChange,
  type CheckEvent,
  type CheckOptions,
  type CheckReport,
  runCheck,
} from './check.ts'
export type { CompileError } from './compile-errors.ts'
export { type CodegenEvent, generate, type GenerateReport, runCodegen } from './generate.ts'
export { type Change, type ChangeKind, diffModels, type ModelDiff } from './diff.ts'
export { emitAll, type EmitOptions } from './emit/emit-all.ts'
export type { FeatureOptions } from './emit/features.ts'
export type { EmittedFile } from './emit/file.ts'
export { CodegenError, type CodegenErrorCode } from './errors.ts'
export type { ListingEvent, ListingPage } from './fetch-listing.ts'
export {
  buildModel,
  type ListModel,
  type Model,
  type ModelOptions,
  type OperationModel,
  type QueryNaming,
  type SchemaModel,
} from './model.ts'
export type { OutputOptions, ResolvedOutputOptions } from '@servicekit/contract/output-options'
export { lockName, parseLock, type Lock } from './lockfile.ts'
export type { FieldModel } from './model-field.ts'
export type { SchemaNames } from './names.ts'
export {
  type NormalField,
  normaliseListing,
  type NormalListing,
  type NormalSchema,
  type RequiredOn,
} from './normalise.ts'
export type { GenerateOptions } from './options.ts'
export { formatProblem, type Problem, type ProblemCode } from './problem.ts'
export type { LookupOptions } from './lookups.ts'
export type { RelationOptions } from './relations.ts'
export type { FetchLike, LimitedEvent } from './service.ts'
export type { Scalar } from './scalars.ts'
export { runWatch, type WatchEvent, type WatchOptions } from './watch.ts'
export type { WriteReport } from './write.ts'
