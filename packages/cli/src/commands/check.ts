import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openProject } from '@servicekit/catalog'
import type * as Checker from '@servicekit/check'
import { ConfigError } from '@servicekit/client'
import { escapeOutput, withoutUndefined } from '@servicekit/core'
import manifest from '../../package.json' with { type: 'json' }
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { hookFlag, projectFlags } from '../flags.ts'
import { loadCheck } from '../optional-packages.ts'
import { readConfig } from '../read-config.ts'
import { untilStopped } from '../stopping.ts'

const formats = ['text', 'json', 'sarif', 'github', 'gitlab'] as const
type Format = (typeof formats)[number]

/** `servicekit check`: compares messages, code and generated types. */
export const check = defineCommand({
  description: 'Find missing, unused and unknown messages, and wrong parameters',
  flags: {
    root: projectFlags.root,
    sources: {
      type: 'list',
      valueHint: 'DIRS',
      description: 'Source folders, e.g. src,lib (default: the whole root)',
    },
    hook: hookFlag,
    threshold: {
      type: 'string',
      valueHint: 'PERCENT',
      description: 'Required coverage of every language',
    },
    baseline: {
      type: 'string',
      valueHint: 'FILE',
      description: 'File with findings to ignore',
    },
    glossary: {
      type: 'string',
      valueHint: 'FILE',
      description: 'File with preferred and forbidden terms',
    },
    remote: {
      type: 'boolean',
      description: 'Also compare the committed translations with the service',
    },
    'update-baseline': { type: 'boolean', description: 'Write the findings to the baseline' },
    format: {
      type: 'string',
      valueHint: 'FORMAT',
      description: `${formats.join(', ')} (default: text)`,
    },
    html: {
      type: 'string',
      valueHint: 'FILE',
      description: 'Also write an HTML report with the coverage of languages and modules',
    },
    json: { type: 'boolean', description: 'Same as --format json' },
  },
  async run(flags, io) {
    const path = (given: string): string => resolve(flags.root ?? '.', given)
    const format = formatOf(flags.json ? 'json' : (flags.format ?? 'text'))
    const config = await readConfig(flags.root)
    const baseline = flags.baseline === undefined ? config.check.baseline : path(flags.baseline)
    if (flags['update-baseline'] && baseline === undefined) {
      throw new ConfigError('--update-baseline requires a baseline', {
        help: 'Add --baseline FILE.',
      })
    }
    const checker = await loadCheck()
    const { outDir = 'src/gateway' } = config.gateway
    const steps = checker.check({
      labels: `${outDir}/gateway.labels.json`,
      ...config.check,
      project: openProject({ ...config.localization, root: config.root }, { config }),
      ...withoutUndefined({
        sources: flags.sources?.map(path),
        hooks: flags.hook,
        thresholds: flags.threshold === undefined ? undefined : percent(flags.threshold),
        baseline,
        glossary: flags.glossary === undefined ? undefined : path(flags.glossary),
        remote: flags.remote,
        updateBaseline: flags['update-baseline'],
      }),
    })
    const report = await checker.finish(untilStopped(steps, io.signal))
    io.stdout(formatReport(checker, format, report))
    if (flags.html !== undefined) {
      const file = path(flags.html)
      await writeFile(file, escapeOutput(checker.formatHtml(report)))
      io.stderr(`Wrote the HTML report to ${file}\n`)
    }
    return report.ok ? exitCode.ok : exitCode.findings
  },
})

function formatOf(name: string): Format {
  const format = formats.find((one) => one === name)
  if (format) return format
  throw new ConfigError(`--format must be ${formats.join(', ')} (received "${name}")`)
}

function formatReport(
  { formatGithub, formatGitlab, formatJson, formatSarif, formatText }: typeof Checker,
  format: Format,
  report: Checker.CheckReport,
): string {
  switch (format) {
    case 'text':
      return formatText(report)
    case 'json':
      return formatJson(report)
    case 'sarif':
      return formatSarif(report, manifest)
    case 'github':
      return formatGithub(report)
    case 'gitlab':
      return formatGitlab(report)
  }
}

function percent(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= 100) return value
  throw new ConfigError(`--threshold must be a number from 0 to 100 (received "${text}")`)
}
