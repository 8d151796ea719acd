import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import {
  type Catalog,
  folderSource,
  isCi,
  openProject,
  pathWarnings,
  type Project,
  type PullReport,
} from '@servicekit/catalog'
import { ConfigError } from '@servicekit/client'
import { escapeOutput, formatCount, withoutUndefined } from '@servicekit/core'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag, projectFlags, projectOptions } from '../flags.ts'
import { bytes, duration } from '../format.ts'
import type { Io } from '../io.ts'
import { problemLines, problemsOf } from '../problems.ts'
import { startProgress } from '../progress.ts'
import { formatPullSummary } from '../pull-summary.ts'
import { readConfig } from '../read-config.ts'

/** `servicekit pull`: updates the committed translations and writes their types. */
export const pull = defineCommand({
  description: 'Fetch the translations to uilm/ and write the types of their keys',
  flags: {
    ...projectFlags,
    languages: {
      type: 'list',
      valueHint: 'CODES',
      description: 'Languages to pull, e.g. en-US,de-DE; removes the files of others',
    },
    modules: {
      type: 'list',
      valueHint: 'NAMES',
      description: 'Modules to pull, e.g. auth,common; removes the files of others',
    },
    from: {
      type: 'string',
      valueHint: 'DIR',
      description:
        'Copy DIR/<language>/<module>.json to uilm/, instead of fetching from the service',
    },
    frozen: {
      type: 'boolean',
      description:
        'Verify the committed files, without network (default with CI=true and a lock file)',
    },
    summary: {
      type: 'string',
      valueHint: 'FILE',
      description: 'Also write the changes as Markdown, e.g. for a pull request',
    },
    json: jsonFlag,
  },
  async run(flags, io) {
    const started = performance.now()
    const config = await readConfig(flags.root)
    const { languages, modules } = flags
    const options = {
      ...config.localization,
      ...projectOptions(flags),
      ...withoutUndefined({ languages, modules }),
      root: config.root,
    }
    if (flags.from !== undefined && options.from !== undefined) {
      throw new ConfigError('Cannot use --from with the option from', {
        ...(config.file === undefined ? {} : { details: { file: config.file } }),
        help: 'The folder of the option is read at each build and is not copied. Leave out --from, or remove the option.',
      })
    }
    const source = flags.from === undefined ? undefined : folderSource(resolve(flags.from))
    const project = openProject(options, { config, ...(source ? { source } : {}) })
    const frozen =
      flags.frozen ??
      (isCi(process.env) && (project.folder !== undefined || existsSync(project.options.lockFile)))
    const before = flags.summary === undefined ? undefined : await committed(project)
    const report = frozen && !project.folder ? undefined : await pullWithProgress(project, io)
    const model = report?.model ?? (await project.load())
    if (flags.summary !== undefined) {
      const file = resolve(flags.summary)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, escapeOutput(formatPullSummary(before, model)))
    }
    const types = report?.types ?? (await project.writeTypes(model))

    const ms = Math.round(performance.now() - started)
    const { problems: fetchProblems = [], types: _types, model: _model, ...totals } = report ?? {}
    const problems = [...fetchProblems, ...problemsOf(model)]
    if (flags.json) {
      const { changed: _texts, lockText: _lock, ...counts } = totals as Partial<PullReport>
      io.stdout(`${JSON.stringify({ frozen, ...counts, types, problems, ms })}\n`)
      return exitCode.ok
    }
    const warnings = await pathWarnings(project.options.root)
    for (const line of [...problemLines(problems), ...warnings]) io.stderr(`${line}\n`)
    if (project.folder && report) {
      const folder = relative(process.cwd(), project.folder.path) || '.'
      io.stdout(
        `${formatCount(report.languages, 'language')}, ${formatCount(report.modules, 'module')}: ` +
          `${formatCount(report.files, 'file')} in ${folder}, ${bytes(report.bytes)}. They are read where they are; nothing was copied.\n`,
      )
    } else if (report) {
      io.stdout(
        `${formatCount(report.languages, 'language')}, ${formatCount(report.modules, 'module')}: ` +
          `${formatCount(report.files, 'file')}, ${bytes(report.bytes)}, ${writing(report)}\n`,
      )
    } else io.stdout('The committed translations are complete. No request was sent.\n')
    io.stdout(
      `types: ${formatCount(types.files, 'file')}, ${types.written} written, ${duration(ms)}\n`,
    )
    return exitCode.ok
  },
})

/** Returns the committed translations; undefined if there are none, or not the ones of the lock. */
const committed = (project: Project): Promise<Catalog | undefined> =>
  project.load({ onDrift: () => {} }).then(
    ({ catalog }) => catalog,
    () => undefined,
  )

async function pullWithProgress(project: Project, io: Io): Promise<PullReport> {
  const progress = await startProgress(
    io,
    project.folder ? 'Reading translations' : 'Fetching translations',
  )
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
