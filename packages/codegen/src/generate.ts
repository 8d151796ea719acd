import { crossCheck } from './cross-check.ts'
import { emitEach } from './emit/emit-all.ts'
import { CodegenError } from './errors.ts'
import type { ListingEvent } from './fetch-listing.ts'
import { type Lock, lockName } from './lockfile.ts'
import { dependsOnOrder, type Model } from './model.ts'
import { normaliseListing, type NormalListing } from './normalise.ts'
import { type GenerateOptions, resolveOptions } from './options.ts'
import type { SchemaSource } from './resolve-source.ts'
import type { Problem } from './problem.ts'
import { nameOf, readModel, readSchema } from './read-source.ts'
import { readLock, writeFiles, type WriteReport } from './write.ts'

/** Result of a generation. */
export interface GenerateReport extends WriteReport {
  readonly schemas: number
  readonly operations: number
  readonly ms: number
  /**
   * Problems of the listing, and with `crossCheck` each difference. None has severity
   * `error`.
   */
  readonly problems: readonly Problem[]
  /**
   * `true` if nothing had to be written or removed. With `check`: `true` if the output is
   * up to date.
   */
  readonly isCurrent: boolean
}

/**
 * Progress events in order. `page` and `limited` occur only when the service is
 * requested.
 */
export type CodegenEvent =
  | { readonly type: 'reading'; readonly from: string }
  | ListingEvent
  | {
      readonly type: 'modelled'
      readonly schemas: number
      readonly operations: number
      readonly problems: readonly Problem[]
    }
  | { readonly type: 'done'; readonly report: GenerateReport }

/**
 * Generates the modules and yields progress events. The command line prints the events;
 * {@link generate} only returns the report.
 *
 * ```ts
 * for await (const event of runCodegen({ listing: 'schemas.json', outDir: 'src/gateway' })) {
 *   if (event.type === 'done') console.log(event.report.written)
 * }
 * ```
 *
 * @throws CodegenError before anything is written, except for OUTPUT_FAILED
 */
export async function* runCodegen(
  options: GenerateOptions,
): AsyncGenerator<CodegenEvent, GenerateReport, undefined> {
  const start = performance.now()
  const resolved = resolveOptions(options)
  const { source, outDir, check, emit, prune } = resolved
  yield { type: 'reading', from: nameOf(source) }
  const { listing, model } = yield* readModel(source, resolved)
  const lock = readLock(outDir)
  const before = listingOfLock(lock)
  if (source.kind === 'service' && isSmaller(listing, before)) {
    // A schema that moves from one page to another may be missed. Another page size has other
    // page boundaries.
    const again = { ...source, pageSize: Math.ceil(source.pageSize / 3) }
    refuseToDiffer(listing, (yield* readModel(again, resolved)).listing, nameOf(source))
  }
  const summary = await summarise(model, resolved.crossCheck)
  yield { type: 'modelled', ...summary }
  if (model.schemas.length === 0 && !check) refuseToEmpty(before, nameOf(source))
  const written = writeFiles(outDir, emitEach(model, emit), {
    lock,
    check,
    prune,
    listing,
    isOrdered: dependsOnOrder(model),
  })
  const report: GenerateReport = {
    ...written,
    ...summary,
    ms: performance.now() - start,
    isCurrent: written.written.length === 0 && written.removed.length === 0,
  }
  yield { type: 'done', report }
  return report
}

/**
 * Generates typed query and mutation modules from a schema listing.
 *
 * ```ts
 * const report = await generate({ listing: 'schemas.json', outDir: 'src/gateway' })
 * const live = await generate({ baseUrl, projectKey, outDir: 'src/gateway' })
 * ```
 *
 * @throws CodegenError with CONFIG_INVALID, LISTING_FAILED, LISTING_INVALID,
 * OUTPUT_FOREIGN, REMOVAL_REFUSED or OUTPUT_FAILED. In each case the last good files are
 * kept.
 */
export async function generate(options: GenerateOptions): Promise<GenerateReport> {
  const run = runCodegen(options)
  for (;;) {
    const { done, value } = await run.next()
    if (done === true) return value
  }
}

/** Returns the listing that the existing files were generated from; undefined if unknown. */
export const listingOfLock = ({ listing }: Lock): NormalListing | undefined =>
  listing && normaliseListing(listing)

/**
 * Throws if the listing became empty, because that would remove every module. The service has
 * more likely lost its data, or the project key is wrong.
 */
function refuseToEmpty(before: NormalListing | undefined, from: string): void {
  const { schemas = [] } = before ?? {}
  if (schemas.length === 0) return
  throw new CodegenError('The schema listing is empty', {
    code: 'LISTING_INVALID',
    details: { from, before: `${schemas.length} schemas` },
    help: `Check the project key. If the schemas were removed, delete ${lockName} and generate again.`,
  })
}

const namesOf = ({ schemas }: NormalListing): readonly string[] => schemas.map(({ name }) => name)

/** Returns true if a schema of the last generation is missing. */
function isSmaller(listing: NormalListing, before: NormalListing | undefined): boolean {
  const names = new Set(namesOf(listing))
  return before?.schemas.some(({ name }) => !names.has(name)) ?? false
}

/**
 * Throws if two readings differ. Schemas that move between pages while the listing is read may
 * be missing from it, so a schema is removed only after two equal readings.
 */
function refuseToDiffer(first: NormalListing, second: NormalListing, from: string): void {
  if ([...namesOf(first)].sort().join() === [...namesOf(second)].sort().join()) return
  throw new CodegenError('The schema listing changed while it was read', {
    code: 'LISTING_INVALID',
    details: { from, schemas: first.schemas.length, again: second.schemas.length },
    help: 'Nothing was changed. Try again when the schemas are not being edited.',
  })
}

/** Counts the schemas and operations, and compares the model with the executable schema. */
export async function summarise(
  { schemas, problems }: Model,
  source: SchemaSource | undefined,
): Promise<Pick<GenerateReport, 'schemas' | 'operations' | 'problems'>> {
  const operations = schemas.reduce(
    (sum, { list, mutations }) => sum + Object.keys(mutations).length + (list ? 1 : 0),
    0,
  )
  const all = { schemas: schemas.length, operations, problems }
  if (source === undefined) return all
  const schema = await readSchema(source)
  return { ...all, problems: [...problems, ...crossCheck({ schemas, problems }, schema)] }
}
