import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type CompileError, findCompileErrors, type FoundErrors } from './compile-errors.ts'
import { type Change, diffModels } from './diff.ts'
import { emitEach } from './emit/emit-all.ts'
import { type EmittedFile, generatedMark } from './emit/file.ts'
import { type CodegenEvent, compare } from './generate.ts'
import { lockName, parseLock, printLock, hashText } from './lockfile.ts'
import { buildModel, dependsOnOrder, type Model } from './model.ts'
import { normaliseListing, type NormalListing } from './normalise.ts'
import { type GenerateOptions, type ResolvedOptions, resolveOptions } from './options.ts'
import type { Problem } from './problem.ts'
import { nameOf, readModel } from './read-source.ts'
import { isSame, read } from './write.ts'

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
  /** Generated files that are missing or outdated. Formatting differences are ignored. */
  readonly stale: readonly string[]
  /** Generated files without a schema. */
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
  const { source, outDir, emit, queryNaming } = resolved
  yield { type: 'reading', from: nameOf(source) }
  const { listing, model } = yield* readModel(source, resolved)
  const problems = [...model.problems, ...(await compare(model, resolved.crossCheck))]
  const { schemas } = model
  const operations = schemas.flatMap(({ list, insert }) => [list, insert]).filter(Boolean).length
  yield { type: 'modelled', schemas: schemas.length, operations, problems }
  const files = [...emitEach(model, emit)]
  const before = modelBefore(outDir, queryNaming)
  const { changes, unchanged } =
    before === undefined ? { changes: [], unchanged: 0 } : diffModels(before, model)
  const isBreaking = changes.some(({ kind }) => kind === 'breaking')
  const found = isBreaking ? await findCompileErrors({ outDir, files, tsconfig }) : noErrors
  const { stale, orphans } = compareFiles(outDir, files, listing, dependsOnOrder(model))
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
    schemas: schemas.length,
    problems,
  }
  yield { type: 'done', report }
  return report
}

const noErrors: FoundErrors = { errors: [], reason: undefined }

/** Returns the model of the listing that the existing files were generated from. */
function modelBefore(
  outDir: string,
  queryNaming: ResolvedOptions['queryNaming'],
): Model | undefined {
  const { listing } = parseLock(read(join(outDir, lockName)))
  return listing && buildModel(normaliseListing(listing), { queryNaming })
}

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
      ? schemas.flatMap(({ type, file, list, insert }) => [
          type,
          file,
          list?.identifier,
          list?.get,
          list?.count,
          list?.walk,
          insert?.identifier,
        ])
      : [change.field]
  return errors?.filter(({ message, text }) =>
    names.some((name) => name !== undefined && `${message}\n${text}`.includes(name)),
  )
}

function compareFiles(
  outDir: string,
  files: readonly EmittedFile[],
  listing: NormalListing,
  isOrdered: boolean,
): Pick<CheckReport, 'stale' | 'orphans'> {
  const hashes = new Map(files.map(({ name, text }) => [name, hashText(text)]))
  const lock = { name: lockName, text: printLock(hashes, listing, isOrdered) }
  const stale = [...files, lock]
    .filter(({ name, text }) => {
      const old = read(join(outDir, name))
      return old === undefined || !isSame(name, old, text)
    })
    .map(({ name }) => name)
  const present = existsSync(outDir) ? readdirSync(outDir) : []
  const orphans = present.filter(
    (name) =>
      /\.(?:ts|js)$/.test(name) &&
      !hashes.has(name) &&
      read(join(outDir, name))?.startsWith(generatedMark) === true,
  )
  return { stale, orphans: orphans.sort() }
}
