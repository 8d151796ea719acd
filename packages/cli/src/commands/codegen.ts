import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import {
  type CheckReport,
  CodegenError,
  type CodegenEvent,
  formatProblem,
  type GenerateOptions,
  type GenerateReport,
  type Problem,
  runCheck,
  runCodegen,
  runWatch,
} from '@servicekit/codegen'
import { configDetails } from '@servicekit/catalog/config'
import { ConfigError } from '@servicekit/client'
import { requireService } from '@servicekit/client/environment'
import { environmentFetch } from '@servicekit/client/proxy'
import { formatCount } from '@servicekit/core'
import { linkOut } from '@servicekit/core/node'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag, projectFlags, projectOptions } from '../flags.ts'
import { bytes, duration } from '../format.ts'
import type { Io } from '../io.ts'
import { type Progress, startProgress } from '../progress.ts'
import { readConfig } from '../read-config.ts'
import { untilStopped } from '../stopping.ts'

/** `servicekit codegen`: generates typed data access from the schema list. */
export const codegen = defineCommand({
  description: 'Generate typed access to the data gateway',
  flags: {
    ...projectFlags,
    out: { type: 'string', valueHint: 'DIR', description: 'Output folder (default: src/gateway)' },
    listing: {
      type: 'string',
      valueHint: 'FILE',
      description: 'Read a saved listing, SDL or introspection instead of the service',
    },
    frozen: {
      type: 'boolean',
      description:
        'Open no connection: generate from gateway.lock.json (default with --check, if it exists)',
    },
    introspect: { type: 'boolean', description: 'Use introspection instead of the listing' },
    'cross-check': {
      type: 'boolean',
      description: 'Report the differences between listing and introspection',
    },
    diagram: {
      type: 'boolean',
      description: 'Write diagram.md, an entity-relationship diagram (default: gateway.diagram)',
    },
    labels: {
      type: 'boolean',
      description:
        'Write gateway.labels.json, the keys of labels to translate (default: gateway.labels)',
    },
    long: {
      type: 'string',
      valueHint: 'TYPE',
      description: 'Type of Long: number, bigint or string (default: gateway.long, or number)',
    },
    prune: {
      type: 'boolean',
      description: 'Remove any number of modules whose schemas no longer exist',
    },
    check: {
      type: 'boolean',
      description: 'Write nothing; report changes and what they break (exit codes 0, 3, 1)',
    },
    watch: { type: 'boolean', description: 'Generate again when the listing changes' },
    json: jsonFlag,
  },
  async run(flags, io) {
    if (flags.check && flags.watch) {
      throw new ConfigError('Cannot use --check together with --watch')
    }
    if (flags.frozen && flags.watch) {
      throw new ConfigError('Cannot use --frozen together with --watch')
    }
    const options = await readOptions(flags, io.signal)
    if (flags.watch) return watch(options, flags, io)
    if (flags.check) {
      const { check: _check, prune: _prune, ...rest } = options
      const report = await follow(untilStopped(runCheck(rest), io.signal), io)
      if (!flags.json) printProblems(report.problems, io)
      if (!flags.json && rest.frozen && !flags.frozen) {
        io.stderr('Compared with gateway.lock.json; add --no-frozen to compare with the service.\n')
      }
      io.stdout(flags.json ? `${JSON.stringify(report)}\n` : checkText(report, options.outDir))
      return report.exitCode
    }
    const generate = (given: GenerateOptions) =>
      follow(untilStopped(runCodegen(given), io.signal), io)
    const report = await generate(options).catch(async (error: unknown) => {
      const isRefusal = error instanceof CodegenError && error.code === 'REMOVAL_REFUSED'
      if (!isRefusal || !io.confirm) throw error
      const [, ...details] = error.message.split('\n').slice(0, -1)
      io.stderr(`${details.join('\n')}\n`)
      const question = `Remove ${error.details['count']} modules whose schemas no longer exist?`
      if (!(await io.confirm(question))) throw error
      return generate({ ...options, prune: true })
    })
    printReport(report, flags, io)
    return exitCode.ok
  },
})

interface Flags {
  readonly root?: string | undefined
  readonly 'base-url'?: string | undefined
  readonly 'project-key'?: string | undefined
  readonly preset?: string | undefined
  readonly 'key-header'?: string | undefined
  readonly out?: string | undefined
  readonly listing?: string | undefined
  readonly frozen?: boolean | undefined
  readonly introspect?: boolean | undefined
  readonly 'cross-check'?: boolean | undefined
  readonly diagram?: boolean | undefined
  readonly labels?: boolean | undefined
  readonly long?: string | undefined
  readonly check?: boolean | undefined
  readonly prune?: boolean | undefined
  readonly json?: boolean | undefined
}

async function readOptions(flags: Flags, signal: AbortSignal): Promise<GenerateOptions> {
  const config = await readConfig(flags.root)
  const { outDir: configuredDir = 'src/gateway', listing: configured, ...gateway } = config.gateway
  // Flags are relative to the folder that was given, options to that of the config file.
  const path = (flag: string | undefined, option: string): string =>
    flag === undefined ? resolve(config.root, option) : resolve(flags.root ?? '.', flag)
  const listing = flags.listing ?? configured
  const outDir = path(flags.out, configuredDir)
  const link = linkOut(config.root, outDir)
  if (link !== undefined) {
    throw new ConfigError(`${link} is a link out of ${config.root}`, {
      help: 'Remove the link, or set outDir to the folder that it leads to.',
    })
  }
  const frozen = flags.frozen ?? (listing === undefined && isCheckable(flags, outDir))
  const service = { ...config.service, ...projectOptions(flags) }
  if (listing === undefined && !frozen) {
    const advice = 'A saved listing (--listing FILE) needs neither.'
    requireService(service, { details: configDetails(config), advice })
  }
  return {
    ...gateway,
    ...service,
    ...(listing === undefined || frozen ? {} : { listing: path(flags.listing, listing) }),
    outDir,
    ...(frozen ? { frozen: true } : {}),
    ...(flags.introspect ? { introspect: true } : {}),
    ...(flags['cross-check'] ? { crossCheck: true } : {}),
    ...(flags.diagram === undefined ? {} : { diagram: flags.diagram }),
    ...(flags.labels === undefined ? {} : { labels: flags.labels }),
    // Validated with the other options.
    ...(flags.long === undefined ? {} : { long: flags.long as GenerateOptions['long'] & string }),
    ...(flags.prune ? { prune: true } : {}),
    fetch: environmentFetch(),
    signal,
  }
}

/** Returns whether `--check` compares the files with the lock instead of the service. */
const isCheckable = (
  { check, introspect, 'cross-check': crossCheck }: Flags,
  outDir: string,
): boolean =>
  check === true && !introspect && !crossCheck && existsSync(join(outDir, 'gateway.lock.json'))

/** Shows the progress of a run and returns its report. */
async function follow<Report>(
  run: AsyncGenerator<{ readonly type: string }, Report>,
  io: Io,
): Promise<Report> {
  const progress = await startProgress(io, 'Reading schemas')
  try {
    for (;;) {
      const step = await run.next()
      if (step.done) return step.value
      showPage(step.value as CodegenEvent, progress)
    }
  } finally {
    progress.end()
  }
}

function showPage(event: CodegenEvent, progress: Progress): void {
  if (event.type === 'page') progress.report(event.schemas, event.total ?? event.schemas)
  if (event.type === 'limited') progress.pause(event.ms)
}

async function watch(
  { check: _check, frozen: _frozen, ...options }: GenerateOptions,
  flags: Flags,
  io: Io,
): Promise<number> {
  let isFirst = true
  for await (const event of runWatch({ ...options, signal: io.signal })) {
    if (event.type === 'failed') io.stderr(`${event.error.message}\n`)
    if (event.type !== 'done') continue
    if (isFirst || !event.report.isCurrent) printReport(event.report, flags, io)
    if (isFirst && !flags.json) io.stderr('Watching for changes. Press Ctrl-C to stop.\n')
    isFirst = false
  }
  return exitCode.ok
}

function printReport(report: GenerateReport, flags: Flags, io: Io): void {
  if (flags.json) {
    io.stdout(`${JSON.stringify({ ...report, ms: Math.round(report.ms) })}\n`)
    return
  }
  printProblems(report.problems, io)
  for (const file of report.kept) {
    io.stderr(`Kept ${file}: its schema was removed, but the file was edited\n`)
  }
  io.stdout(
    `${formatCount(report.schemas, 'schema')}, ${formatCount(report.operations, 'operation')}\n` +
      `${formatCount(report.files, 'file')}, ${bytes(report.bytes)}, ` +
      `${report.written.length} written, ${report.removed.length} removed, ` +
      `${duration(report.ms)}\n`,
  )
}

/** Prints warnings in full, and notes only as a count, since a large list has thousands. */
function printProblems(problems: readonly Problem[], io: Io): void {
  const warnings = problems.filter(({ severity }) => severity !== 'info')
  for (const problem of warnings) io.stderr(`${formatProblem(problem)}\n`)
  const notes = problems.length - warnings.length
  if (notes > 0)
    io.stderr(`${formatCount(notes, 'note')} about the listing; use --json to see them\n`)
}

/**
 * ```text
 * breaking  Product Price: type changed from Float to Int
 *   src/shop.ts:12:5  Type 'number | null' is not assignable …
 * ```
 */
function checkText(report: CheckReport, outDir: string): string {
  const lines: string[] = []
  for (const { kind, schema, field, message, compileErrors = [] } of report.changes) {
    lines.push(`${kind.padEnd(8)}  ${[schema, field].filter(Boolean).join(' ')}: ${message}`)
    for (const { file, line, column, message: error } of compileErrors) {
      lines.push(`  ${file}:${line}:${column}  ${error}`)
    }
  }
  for (const file of report.stale) lines.push(`stale     ${relative('.', join(outDir, file))}`)
  for (const file of report.orphans) lines.push(`orphan    ${relative('.', join(outDir, file))}`)
  if (report.uncheckedReason !== undefined) lines.push(report.uncheckedReason)
  lines.push(verdicts[report.verdict])
  return `${lines.join('\n')}\n`
}

const verdicts: Readonly<Record<CheckReport['verdict'], string>> = {
  same: 'The generated files are up to date',
  stale: 'The generated files are out of date. Run servicekit codegen.',
  additive: 'The schemas have additions. Run servicekit codegen.',
  breaking: 'The schemas have changes that break code. Run servicekit codegen.',
}
