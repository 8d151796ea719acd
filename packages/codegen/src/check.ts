import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compare, type CodegenEvent } from './command.ts'
import { type Change, diffModels } from './diff.ts'
import { emitEach } from './emit/emit-all.ts'
import { type EmittedFile, generatedMark } from './emit/file.ts'
import { lockName, parseLock, printLock, hashText } from './lock.ts'
import { buildModel, type Model } from './model.ts'
import { normaliseListing, type NormalListing } from './normalise.ts'
import { type GenerateOptions, type ResolvedOptions, resolveOptions } from './options.ts'
import { findPlaces, type Place } from './places.ts'
import type { Problem } from './problem.ts'
import { nameOf, readModel } from './read-source.ts'
import { isSame, read } from './write.ts'

export interface CheckOptions extends Omit<GenerateOptions, 'check'> {
  /** `tsconfig.json` of the code that uses the output; by default the next one above it. */
  readonly tsconfig?: string | undefined
}

/** A change, and where the user's code breaks because of it. */
export interface CheckedChange extends Change {
  /** Empty where nothing breaks, and undefined where nobody could tell: see `CheckReport.places`. */
  readonly places: readonly Place[] | undefined
}

export interface CheckReport {
  /** The gravest of all changes; `stale` where only files differ from what would be generated. */
  readonly verdict: 'same' | 'stale' | 'additive' | 'breaking'
  /** 0 same, 3 stale or additive, 1 breaking. */
  readonly exitCode: 0 | 3 | 1
  readonly changes: readonly CheckedChange[]
  /** Fields that are as they were. */
  readonly unchanged: number
  /** Every new type error in the user's code, those of no particular change too. */
  readonly places: readonly Place[]
  /** Why places could not be looked for; undefined where they were. */
  readonly placesUnknown: string | undefined
  /** Generated files that are missing, or hold something else; a formatter's work is no difference. */
  readonly stale: readonly string[]
  /** Generated files that belong to no schema any more. */
  readonly orphans: readonly string[]
  readonly schemas: number
  readonly problems: readonly Problem[]
}

/** As of `runCodegen`, with the report of a check at the end. */
export type CheckEvent =
  | Exclude<CodegenEvent, { readonly type: 'done' }>
  | { readonly type: 'done'; readonly report: CheckReport }

/**
 * Says what generating would change, and what that does to the code that uses it.
 * It writes nothing.
 *
 * ```ts
 * for await (const event of runCheck({ baseUrl, projectKey, outDir: 'src/gateway' })) {
 *   if (event.type === 'done') process.exitCode = event.report.exitCode
 * }
 * ```
 *
 * @throws CodegenError as `generate` does
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
  const found = isBreaking ? await findPlaces({ outDir, files, tsconfig }) : nothingToFind
  const { stale, orphans } = compareFiles(outDir, files, listing)
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
      places: placesOf(change, found, model, before),
    })),
    unchanged,
    places: found.places ?? [],
    placesUnknown: found.reason,
    stale,
    orphans,
    schemas: schemas.length,
    problems,
  }
  yield { type: 'done', report }
  return report
}

interface Found {
  readonly places: readonly Place[] | undefined
  readonly reason: string | undefined
}

const nothingToFind: Found = { places: [], reason: undefined }

/** The model of the listing that the present files were made of. */
function modelBefore(
  outDir: string,
  queryNaming: ResolvedOptions['queryNaming'],
): Model | undefined {
  const { listing } = parseLock(read(join(outDir, lockName)))
  return listing && buildModel(normaliseListing(listing), { queryNaming })
}

/** Errors that name what changed: the field, or what a schema's module exports. */
function placesOf(
  change: Change,
  { places }: Found,
  ...models: readonly (Model | undefined)[]
): readonly Place[] | undefined {
  if (change.kind !== 'breaking') return []
  const schemas = models.flatMap(
    (model) => model?.schemas.filter(({ name }) => name === change.schema) ?? [],
  )
  const words =
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
  return places?.filter(({ message, text }) =>
    words.some((word) => word !== undefined && `${message}\n${text}`.includes(word)),
  )
}

function compareFiles(
  outDir: string,
  files: readonly EmittedFile[],
  listing: NormalListing,
): Pick<CheckReport, 'stale' | 'orphans'> {
  const hashes = new Map(files.map(({ name, text }) => [name, hashText(text)]))
  const lock = { name: lockName, text: printLock(hashes, listing) }
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
