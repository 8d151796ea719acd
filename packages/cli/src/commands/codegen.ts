import { resolve } from 'node:path'
import { loadConfig } from '@servicekit/catalog/config'
import { formatProblem, type GenerateReport, runCodegen } from '@servicekit/codegen'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag, projectFlags, projectOptions } from '../flags.ts'
import { bytes, counted, duration } from '../format.ts'
import { startProgress } from '../progress.ts'

/** `servicekit codegen`: typed data access from the schema listing. */
export const codegen = defineCommand({
  description: "Write typed queries and inserts for the data gateway's schemas",
  flags: {
    ...projectFlags,
    out: { type: 'string', valueHint: 'DIR', description: 'Folder for the files (src/gateway)' },
    listing: { type: 'string', valueHint: 'FILE', description: 'Saved listing to read instead' },
    check: { type: 'boolean', description: 'Write nothing; exit with 3 where files would change' },
    json: jsonFlag,
  },
  async run(flags, io) {
    const root = flags.root ?? '.'
    const config = await loadConfig(root)
    const listing = flags.listing ?? config.gateway.listing
    const events = runCodegen({
      baseUrl: config.baseUrl,
      projectKey: config.projectKey,
      ...projectOptions(flags),
      ...(listing === undefined ? {} : { listing: resolve(root, listing) }),
      outDir: resolve(root, flags.out ?? config.gateway.outDir ?? 'src/gateway'),
      queryNaming: config.gateway.queryNaming,
      check: flags.check ?? false,
      signal: io.signal,
    })
    const progress = await startProgress(io, 'Reading schemas')
    let report: GenerateReport | undefined
    try {
      for await (const event of events) {
        if (event.type === 'page') progress.report(event.schemas, event.total ?? event.schemas)
        if (event.type === 'done') report = event.report
      }
    } finally {
      progress.end()
    }
    return print(report!, flags, io.stdout, io.stderr)
  },
})

function print(
  report: GenerateReport,
  flags: { readonly check?: boolean | undefined; readonly json?: boolean | undefined },
  out: (text: string) => void,
  warn: (text: string) => void,
): number {
  const code = flags.check && !report.isCurrent ? exitCode.drift : exitCode.ok
  if (flags.json) {
    out(`${JSON.stringify({ ...report, ms: Math.round(report.ms) })}\n`)
    return code
  }
  for (const problem of report.problems) warn(`${formatProblem(problem)}\n`)
  out(
    `${counted(report.schemas, 'schema')}, ${counted(report.operations, 'operation')}\n` +
      `${counted(report.files, 'file')}, ${bytes(report.bytes)}, ` +
      `${flags.check ? `${report.written.length} would change` : `${report.written.length} written`}, ` +
      `${duration(report.ms)}\n`,
  )
  if (code === exitCode.drift) {
    for (const file of [...report.written, ...report.removed]) out(`  ${file}\n`)
    warn('The generated files do not fit the schemas: run servicekit codegen and commit them.\n')
  }
  return code
}
