import { type CompileError, findCompileErrors, type FoundErrors } from './compile-errors.ts'
import { type Change, diffModels } from './diff.ts'
import { emitAll } from './emit/emit-all.ts'
import { type CodegenEvent, listingOfLock, summarise } from './generate.ts'
import { buildModel, dependsOnOrder, type Model } from './model.ts'
import { type GenerateOptions, resolveOptions } from './options.ts'
import type { Problem } from './problem.ts'
import { nameOf, readModel } from './read-source.ts'
import { readLock, writeFiles } from './write.ts'

export interface CheckOptions extends Omit<GenerateOptions, 'check'> {
  /**
   * Path of the `tsconfig.json` of the code that uses the output; by default the nearest
   * one above the output.
   */
  readonly tsconfig?: string | undefined
}

/** Change with the errors that it causes in the user's code. */
export interface CheckedChange extends Change {
  /** Empty if nothing breaks; undefined if the code could not be checked. */
  readonly compileErrors: readonly CompileError[] | undefined
}

export interface CheckReport {
  /** Most severe change; `stale` if only the generated files are outdated. */
  readonly verdict: 'same' | 'stale' | 'additive' | 'breaking'
  /** 0 for same, 3 for stale or additive, 1 for breaking. */
  readonly exitCode: 0 | 3 | 1
  readonly changes: readonly CheckedChange[]
  /** Number of unchanged fields. */
  readonly unchanged: number
  /**
   * All new type errors in the user's code, including those not related to a particular
   * change.
   */
  readonly compileErrors: readonly CompileError[]
  /** Reason why the user's code could not be checked; undefined if it was checked. */
  readonly uncheckedReason: string | undefined
  /** Generated files that are missing or outdated. */
  readonly stale: readonly string[]
  /** Generated files without a schema, which a run removes. */
  readonly orphans: readonly string[]
  readonly schemas: number
  readonly problems: readonly Problem[]
}

/** Events of `runCodegen`, ending with the report of the check. */
export type CheckEvent =
  | Exclude<CodegenEvent, { readonly type: 'done' }>
  | { readonly type: 'done'; readonly report: CheckReport }

/**
 * Reports the changes that generating would make, and their effect on the code that uses
 * the output. Writes nothing.
 *
 * ```ts
 * for await (const event of runCheck({ baseUrl, projectKey, outDir: 'src/gateway' })) {
 *   if (event.type === 'done') process.exitCode = event.report.exitCode
 * }
 * ```
 *
 * @throws CodegenError like `generate`
 */
export async function* runCheck(
  options: CheckOptions,
): AsyncGenerator<CheckEvent, CheckReport, undefined> {
  const { tsconfig, ...rest } = options
  const resolved = resolveOptions(rest)
  const { source, outDir, emit } = resolved
  yield { type: 'reading', from: nameOf(source) }
  const { listing, model } = yield* readModel(source, resolved)
  const summary = await summarise(model, resolved.crossCheck)
  yield { type: 'modelled', ...summary }
  const files = emitAll(model, emit)
  const lock = readLock(outDir)
  const locked = listingOfLock(lock)
  const before = locked && buildModel(locked, resolved)
  const { changes, unchanged } = before ? diffModels(before, model) : { changes: [], unchanged: 0 }
  const isBreaking = changes.some(({ kind }) => kind === 'breaking')
  const found = isBreaking ? await findCompileErrors({ outDir, files, tsconfig }) : noErrors
  const isOrdered = dependsOnOrder(model)
  const { written: stale, removed: orphans } = writeFiles(outDir, files, {
    lock,
    check: true,
    listing,
    isOrdered,
  })
  const verdict = isBreaking
    ? 'breaking'
    : changes.some(({ kind }) => kind === 'additive')
      ? 'additive'
      : stale.length + orphans.length > 0
        ? 'stale'
        : 'same'
  const report: CheckReport = {
    verdict,
    exitCode: verdict === 'same' ? 0 : verdict === 'breaking' ? 1 : 3,
    changes: changes.map((change) => ({
      ...change,
      compileErrors: errorsOf(change, found, model, before),
    })),
    unchanged,
    compileErrors: found.errors ?? [],
    uncheckedReason: found.reason,
    stale,
    orphans,
    schemas: summary.schemas,
    problems: summary.problems,
  }
  yield { type: 'done', report }
  return report
}

const noErrors: FoundErrors = { errors: [], reason: undefined }

/**
 * Returns the errors that mention what changed: the field, or an export of the schema's
 * module.
 */
function errorsOf(
  change: Change,
  { errors }: FoundErrors,
  ...models: readonly (Model | undefined)[]
): readonly CompileError[] | undefined {
  if (change.kind !== 'breaking') return []
  const schemas = models.flatMap(
    (model) => model?.schemas.filter(({ name }) => name === change.schema) ?? [],
  )
  const names =
    change.field === undefined
      ? schemas.flatMap(({ type, file, list, mutations }) => [
          type,
          file,
          list?.identifier,
          list?.get,
          list?.count,
          list?.walk,
          ...Object.values(mutations).map(({ identifier }) => identifier),
        ])
      : [change.field]
  return errors?.filter(({ message, text }) =>
    names.some((name) => name !== undefined && `${message}\n${text}`.includes(name)),
  )
}
