import { emitEach } from './emit/emit-all.ts'
import { CodegenError } from './errors.ts'
import { fetchListing, type ListingPage } from './listing.ts'
import { buildModel, type Model } from './model.ts'
import { normaliseListing } from './normalise.ts'
import { type GenerateOptions, type ListingSource, resolveOptions } from './options.ts'
import { formatProblem, type Problem } from './problem.ts'
import { readListing } from './read-listing.ts'
import { writeFiles, type WriteReport } from './write.ts'

/** Outcome of a generation. */
export interface GenerateReport extends WriteReport {
  readonly schemas: number
  readonly operations: number
  readonly ms: number
  /** Doubts about the listing; none of them is an `error`. */
  readonly problems: readonly Problem[]
  /** Whether nothing had to be written or removed. With `check`: whether the output is current. */
  readonly isCurrent: boolean
}

/** What happened, in order; `page` only where the service is asked. */
export type CodegenEvent =
  | { readonly type: 'reading'; readonly from: string }
  | ({ readonly type: 'page' } & ListingPage)
  | {
      readonly type: 'modelled'
      readonly schemas: number
      readonly operations: number
      readonly problems: readonly Problem[]
    }
  | { readonly type: 'done'; readonly report: GenerateReport }

/**
 * Generates, and tells what it does. The command line prints the events;
 * {@link generate} waits for the last one.
 *
 * ```ts
 * for await (const event of runCodegen({ listing: 'schemas.json', outDir: 'src/gateway' })) {
 *   if (event.type === 'done') console.log(event.report.written)
 * }
 * ```
 *
 * @throws CodegenError before anything is written, save OUTPUT_FAILED
 */
export async function* runCodegen(
  options: GenerateOptions,
): AsyncGenerator<CodegenEvent, GenerateReport, undefined> {
  const start = performance.now()
  const { source, outDir, check, emit, queryNaming } = resolveOptions(options)
  yield { type: 'reading', from: nameOf(source) }
  const model = modelOf(yield* readSource(source), nameOf(source), { queryNaming })
  const operations = countOperations(model)
  const { problems } = model
  yield { type: 'modelled', schemas: model.schemas.length, operations, problems }
  const written = writeFiles(outDir, emitEach(model, emit), { check })
  const report: GenerateReport = {
    ...written,
    schemas: model.schemas.length,
    operations,
    ms: performance.now() - start,
    problems,
    isCurrent: written.written.length === 0 && written.removed.length === 0,
  }
  yield { type: 'done', report }
  return report
}

/**
 * Generates typed query and insert modules from a schema listing.
 *
 * ```ts
 * const report = await generate({ listing: 'schemas.json', outDir: 'src/gateway' })
 * const live = await generate({ baseUrl, projectKey, outDir: 'src/gateway' })
 * ```
 *
 * @throws CodegenError with CONFIG_INVALID, LISTING_FAILED, LISTING_INVALID, OUTPUT_FOREIGN or
 * OUTPUT_FAILED; in every case the last good files are still there
 */
export async function generate(options: GenerateOptions): Promise<GenerateReport> {
  const run = runCodegen(options)
  for (;;) {
    const step = await run.next()
    if (step.done === true) return step.value
  }
}

/** Listing in, model out. @throws CodegenError LISTING_INVALID when the listing is none. */
export function modelOf(
  listing: unknown,
  from: string,
  options: Pick<Parameters<typeof buildModel>[1] & {}, 'queryNaming'>,
): Model {
  const model = buildModel(normaliseListing(listing), options)
  const fatal = model.problems.find((problem) => problem.severity === 'error')
  if (fatal !== undefined) {
    throw new CodegenError('The schema listing cannot be used', {
      code: 'LISTING_INVALID',
      facts: { from, reason: formatProblem(fatal) },
    })
  }
  return model
}

/** Reads the listing from wherever it is. */
export async function* readSource(
  source: ListingSource,
): AsyncGenerator<{ readonly type: 'page' } & ListingPage, unknown, undefined> {
  if (source.kind === 'value') return source.value
  if (source.kind === 'file') return await readListing(source.file)
  const pages = fetchListing(source)
  for (;;) {
    const step = await pages.next()
    if (step.done === true) return step.value
    yield { type: 'page', ...step.value }
  }
}

export function nameOf(source: ListingSource): string {
  if (source.kind === 'value') return 'a given listing'
  return source.kind === 'file' ? source.file : `${source.baseUrl}, project ${source.projectKey}`
}

function countOperations({ schemas }: Model): number {
  const count = (operation: unknown): number => Number(operation !== undefined)
  return schemas.reduce((sum, { list, insert }) => sum + count(list) + count(insert), 0)
}
