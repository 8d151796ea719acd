import { resolve } from 'node:path'
import { openProject, type Project, type PullReport } from '@servicekit/catalog'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag, list, projectFlags, projectOptions } from '../flags.ts'
import { bytes, counted, duration } from '../format.ts'
import type { Io } from '../io.ts'
import { problemLines, problemsOf } from '../problems.ts'
import { startProgress } from '../progress.ts'
import { readConfig } from '../read-config.ts'

/** `servicekit pull`: updates the committed translations and writes their types. */
export const pull = defineCommand({
  description: 'Fetch the translations into uilm/ and write the types of their keys',
  flags: {
    ...projectFlags,
    languages: {
      type: 'string',
      valueHint: 'CODES',
      description: 'Only these, and no files of others: en-US,de-DE',
    },
    modules: {
      type: 'string',
      valueHint: 'NAMES',
      description: 'Only these, and no files of others: auth,common',
    },
    from: {
      type: 'string',
      valueHint: 'DIR',
      description: 'Take them from DIR/<language>/<module>.json, not from the service',
    },
    frozen: {
      type: 'boolean',
      description:
        'Open no connection: check the committed texts (the default with CI=true and a lock)',
    },
    json: jsonFlag,
  },
  async run(flags, io) {
    const started = performance.now()
    const config = await readConfig(flags.root ?? '.')
    const languages = list(flags.languages)
    const modules = list(flags.modules)
    const project = openProject({
      ...config.localization,
      ...projectOptions(flags),
      ...(languages === undefined ? {} : { languages }),
      ...(modules === undefined ? {} : { modules }),
      ...(flags.from === undefined ? {} : { from: resolve(flags.from) }),
      ...(flags.frozen === undefined ? {} : { frozen: flags.frozen }),
      root: flags.root ?? '.',
    })
    const frozen = await project.frozen()
    const report = frozen ? undefined : await pullWithProgress(project, io)
    const model = await project.load()
    const types = report?.types ?? (await project.writeTypes(model))

    const ms = Math.round(performance.now() - started)
    const { problems: fetchProblems = [], types: _types, ...totals } = report ?? {}
    const problems = [...fetchProblems, ...problemsOf(model)]
    if (flags.json) {
      const { changed: _texts, ...counts } = totals as Partial<PullReport>
      io.stdout(`${JSON.stringify({ frozen, ...counts, types, problems, ms })}\n`)
      return exitCode.ok
    }
    for (const line of problemLines(problems)) io.stderr(`${line}\n`)
    if (report) {
      io.stdout(
        `${counted(report.languages, 'language')}, ${counted(report.modules, 'module')}: ` +
          `${counted(report.files, 'file')}, ${bytes(report.bytes)}, ${writing(report)}\n`,
      )
    } else io.stdout('The committed texts are complete; nothing was asked for\n')
    io.stdout(`types: ${counted(types.files, 'file')}, ${types.written} written, ${duration(ms)}\n`)
    return exitCode.ok
  },
})

async function pullWithProgress(project: Project, io: Io): Promise<PullReport> {
  const progress = await startProgress(io, 'Fetching translations')
  try {
    return await project.pull({
      types: true,
      signal: io.signal,
      onProgress: ({ done, total, pauseMs }) =>
        pauseMs === undefined ? progress.report(done, total) : progress.pause(pauseMs),
    })
  } finally {
    progress.end()
  }
}

/** Formats `9 written` or `1 written, 16 removed`: pulling fewer languages removes files. */
const writing = ({ written, removed }: PullReport): string =>
  `${written - removed} written${removed === 0 ? '' : `, ${removed} removed`}`
