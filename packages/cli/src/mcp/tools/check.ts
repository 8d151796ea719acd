import { z } from 'zod'
import { rejectUnknown } from '../reject-unknown.ts'
import { defineTool } from '../tool.ts'
import { limitOf } from './message-shape.ts'

/** Runs `servicekit check`. */
export const checkTool = defineTool({
  name: 'check',
  title: 'Check messages and code',
  description:
    'Runs servicekit check: unknown, unused and untranslated keys, wrong parameters, outdated files. Writes nothing. Findings of severity error fail a build.',
  input: z.strictObject({
    rules: z.array(z.string()).min(1).optional().describe('Only findings of these rules'),
    languages: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('Only findings of these languages, and those without language'),
    limit: limitOf(100, 1000),
  }),
  output: z.object({
    ok: z.boolean().describe('True if the whole project has no finding of severity error'),
    total: z.int().describe('Number of findings of the selection, also of those beyond the limit'),
    counts: z.record(z.string(), z.int()).describe('Findings of the whole project by rule'),
    coverage: z.record(z.string(), z.number()).describe('Translated messages in percent'),
    findings: z.array(
      z.object({
        rule: z.string(),
        severity: z.enum(['error', 'warning', 'info']),
        message: z.string(),
        language: z.string().optional(),
        module: z.string().optional(),
        key: z.string().optional(),
        file: z.string().optional(),
        line: z.int().optional(),
        column: z.int().optional(),
      }),
    ),
  }),
  async run({ rules, languages, limit }, context) {
    const { config, packages, sources, hooks } = context.options
    const { checker } = packages
    for (const rule of rules ?? []) rejectUnknown('rule', rule, Object.keys(checker.rules))
    const { outDir = 'src/gateway' } = config.gateway
    const report = await checker.finish(
      checker.check({
        labels: `${outDir}/gateway.labels.json`,
        ...config.check,
        project: context.project,
        ...(sources === undefined ? {} : { sources }),
        ...(hooks === undefined ? {} : { hooks }),
      }),
    )
    for (const code of languages ?? []) rejectUnknown('language', code, report.coverage.languages)
    const findings = report.findings.filter(
      ({ rule, language }) =>
        (rules === undefined || rules.includes(rule)) &&
        (languages === undefined || language === undefined || languages.includes(language)),
    )
    const all = report.coverage.totals.reduce((sum, one) => sum + one, 0)
    const coverage = report.coverage.languages.map((language, index) => {
      const done = report.coverage.translated[index]!.reduce((sum, one) => sum + one, 0)
      return [language, all === 0 ? 100 : Math.round((1000 * done) / all) / 10] as const
    })
    return {
      ok: report.ok,
      total: findings.length,
      counts: report.counts,
      coverage: Object.fromEntries(coverage),
      findings: findings.slice(0, limit),
    }
  },
})
