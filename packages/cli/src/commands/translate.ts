import { join, resolve } from 'node:path'
import { openProject, rejectLinkedFolders } from '@servicekit/catalog'
import type { TranslateReport } from '@servicekit/check'
import { ConfigError, type Core } from '@servicekit/client'
import { createToolCore, requireService } from '@servicekit/client/environment'
import { suggest } from '@servicekit/client/translation'
import { formatCount, toSingleLine } from '@servicekit/core'
import { defineCommand } from '../command.ts'
import { draftTarget } from '../draft-target.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag, projectFlags, projectOptions } from '../flags.ts'
import type { Io } from '../io.ts'
import { loadCheck } from '../optional-packages.ts'
import { startProgress } from '../progress.ts'
import { readConfig } from '../read-config.ts'
import { untilStopped } from '../stopping.ts'
import { openSuggestionStore } from '../suggestion-store.ts'

/** `servicekit translate`: fills missing translations with suggestions, as drafts. */
export const translate = defineCommand({
  description: 'Draft missing translations with the suggestions of the service',
  flags: {
    ...projectFlags,
    languages: {
      type: 'list',
      valueHint: 'CODES',
      description: 'Languages to translate to (default: all)',
    },
    modules: {
      type: 'list',
      valueHint: 'NAMES',
      description: 'Modules to translate (default: all)',
    },
    glossary: {
      type: 'string',
      valueHint: 'FILE',
      description: 'File with preferred and forbidden terms (default: check.glossary)',
    },
    application: {
      type: 'string',
      valueHint: 'TEXT',
      description: 'Description of the application for the service',
    },
    'min-confidence': {
      type: 'string',
      valueHint: 'NUMBER',
      description: 'Minimum confidence of a draft, from 0 to 1 (default: 0)',
    },
    limit: {
      type: 'string',
      valueHint: 'COUNT',
      description: 'Maximum number of requests of this run',
    },
    out: {
      type: 'string',
      valueHint: 'FILE',
      description: 'JSON file for the drafts (default: the drafts of the local platform)',
    },
    'dry-run': { type: 'boolean', description: 'Only print the number of requests and characters' },
    json: jsonFlag,
  },
  async run(flags, io) {
    const { localization, check, root, ...config } = await readConfig(flags.root)
    const path = (given: string): string => resolve(flags.root ?? '.', given)
    const checker = await loadCheck()
    const project = openProject(
      { ...localization, ...projectOptions(flags), root },
      { config: { ...config } },
    )
    const { baseUrl, projectKey, outDir, timeoutMs, concurrency } = project.options
    const glossary =
      flags.glossary === undefined
        ? check.glossary && resolve(root, check.glossary)
        : path(flags.glossary)
    const minConfidence = numberOf('min-confidence', flags['min-confidence'], { max: 1 })
    const limit = numberOf('limit', flags.limit, { isInteger: true })
    const isDryRun = flags['dry-run'] === true
    const target = isDryRun
      ? undefined
      : draftTarget({ baseUrl, projectKey }, flags.out && path(flags.out), io.signal)
    rejectLinkedFolders(root, [outDir])
    let core: Core | undefined
    const steps = checker.translate({
      project,
      languages: flags.languages,
      modules: flags.modules,
      glossary: glossary ? await checker.readGlossary(glossary) : undefined,
      application: flags.application ?? 'Web application',
      minConfidence,
      limit,
      dryRun: isDryRun,
      signal: io.signal,
      drafted: (await target?.list()) ?? new Set(),
      store: await openSuggestionStore(join(outDir, 'suggestions.json')),
      write: async (drafts) => target?.write(drafts),
      suggest: async (request, signal) => {
        core ??= createToolCore({
          ...requireService(project.options),
          timeoutMs,
          maxConcurrency: concurrency,
        })
        return suggest(core, request, { signal })
      },
    })
    const progress = await startProgress(io, 'Translating')
    const run = untilStopped(steps, io.signal)
    try {
      let step = await run.next()
      for (; !step.done; step = await run.next()) {
        progress.report(step.value.done, step.value.total)
        if (step.value.pauseMs) progress.pause(step.value.pauseMs)
      }
      progress.end()
      if (flags.json) io.stdout(`${JSON.stringify({ dryRun: isDryRun, ...step.value })}\n`)
      else print(step.value, target?.name, io)
      return exitCode.ok
    } finally {
      progress.end()
    }
  },
})

function print(
  { estimate, drafts, skipped, requests }: TranslateReport,
  target: string | undefined,
  io: Io,
): void {
  if (target === undefined) {
    for (const [language, count] of Object.entries(estimate.byLanguage)) {
      io.stdout(`${language}: ${formatCount(count, 'missing translation')}\n`)
    }
    const { characters, minutes } = estimate
    const time = minutes > 0 ? `, at least ${formatCount(minutes, 'minute')} by the rate limit` : ''
    io.stdout(
      `${formatCount(estimate.requests, 'request')} with ${formatCount(characters, 'character')} of source text${time}\n`,
    )
    return
  }
  for (const { module, key, language, value, confidence } of drafts) {
    const sure = confidence === undefined ? '' : `  (${Math.round(confidence * 100)} %)`
    io.stdout(`${language}  ${module} ${toSingleLine(key)}: ${toSingleLine(value)}${sure}\n`)
  }
  for (const { module, key, language, reason } of skipped) {
    io.stderr(
      `${language}  ${module} ${toSingleLine(key)} is not translated: ${toSingleLine(reason)}\n`,
    )
  }
  io.stdout(
    `${formatCount(drafts.length, 'draft')} written to ${target}, ${skipped.length} skipped, ${formatCount(requests, 'request')}\n`,
  )
  if (drafts.length > 0) io.stderr('Nothing is published. Review the drafts first.\n')
}

function numberOf(
  name: string,
  text: string | undefined,
  { max = Infinity, isInteger = false }: { readonly max?: number; readonly isInteger?: boolean },
): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (
    text.trim() !== '' &&
    value >= (isInteger ? 1 : 0) &&
    value <= max &&
    (!isInteger || Number.isInteger(value))
  )
    return value
  const range = isInteger ? 'a positive integer' : `a number from 0 to ${max}`
  throw new ConfigError(`--${name} must be ${range} (received "${text}")`)
}
