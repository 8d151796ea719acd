import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openProject } from '@servicekit/catalog'
import {
  check as runCheck,
  type CheckReport,
  finish,
  formatGithub,
  formatHtml,
  formatJson,
  formatSarif,
  formatText,
} from '@servicekit/check'
import { ConfigError } from '@servicekit/client'
import manifest from '../../package.json' with { type: 'json' }
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { hookFlag, list, projectFlags, valuesOf } from '../flags.ts'
import { readConfig } from '../read-config.ts'
import { untilStopped } from '../stopping.ts'

const formats: Readonly<Record<string, (report: CheckReport) => string>> = {
  text: (report) => formatText(report),
  json: formatJson,
  sarif: (report) => formatSarif(report, manifest),
  github: formatGithub,
}

/** `servicekit check`: compares messages, code and generated types. */
export const check = defineCommand({
  description: 'Find missing, unused and unknown texts, and wrong parameters',
  flags: {
    root: projectFlags.root,
    sources: {
      type: 'string',
      valueHint: 'DIRS',
      description: "Folders of the application's code: src,lib (the whole root)",
    },
    hook: hookFlag,
    threshold: {
      type: 'string',
      valueHint: 'PERCENT',
      description: 'How much of every language has to be translated',
    },
    baseline: {
      type: 'string',
      valueHint: 'FILE',
      description: 'Findings to pass over, so that only new ones count',
    },
    remote: {
      type: 'boolean',
      description: 'Compare the committed texts with those of the service too',
    },
    'update-baseline': { type: 'boolean', description: 'Write what is found to the baseline' },
    format: {
      type: 'string',
      valueHint: Object.keys(formats).join('|'),
      description: 'How the findings are printed (text)',
    },
    html: {
      type: 'string',
      valueHint: 'FILE',
      description: 'Also write one page with a map of all languages and modules',
    },
    json: { type: 'boolean', description: 'The same as --format json' },
  },
  async run(flags, io, rawArgs) {
    const root = flags.root ?? '.'
    const format = formatOf(flags.json ? 'json' : (flags.format ?? 'text'))
    const config = await readConfig(root)
    const sources = list(flags.sources)
    const hooks = valuesOf(rawArgs, 'hook')
    const baseline = flags.baseline ?? config.check.baseline
    if (flags['update-baseline'] && baseline === undefined) {
      throw new ConfigError('There is no baseline to update', { help: 'Add --baseline FILE.' })
    }
    const steps = runCheck({
      ...config.check,
      project: openProject({ ...config.localization, root }),
      ...(sources === undefined ? {} : { sources }),
      ...(hooks === undefined ? {} : { hooks }),
      ...(flags.threshold === undefined ? {} : { thresholds: percent(flags.threshold) }),
      ...(baseline === undefined ? {} : { baseline }),
      ...(flags.remote ? { remote: true } : {}),
      ...(flags['update-baseline'] ? { updateBaseline: true } : {}),
    })
    const report = await finish(untilStopped(steps, io.signal))
    io.stdout(format(report))
    if (flags.html !== undefined) {
      const file = resolve(root, flags.html)
      await writeFile(file, formatHtml(report))
      io.stderr(`The page is in ${file}\n`)
    }
    return report.ok ? exitCode.ok : exitCode.findings
  },
})

function formatOf(name: string): (report: CheckReport) => string {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined
  if (format) return format
  throw new ConfigError(`There is no format ${name}`, {
    help: `There are ${Object.keys(formats).join(', ')}.`,
  })
}

function percent(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= 100) return value
  throw new ConfigError(`--threshold ${text} is no number from 0 to 100`)
}
