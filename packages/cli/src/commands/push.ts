import { resolve } from 'node:path'
import { type KeyDraft, openProject, readText } from '@servicekit/catalog'
import type { PushReport, SourceTexts, WantedKey } from '@servicekit/check'
import { ConfigError } from '@servicekit/client'
import {
  escapeInvisible,
  formatCount,
  isObject,
  parseJson,
  withoutUndefined,
} from '@servicekit/core'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { hookFlag, jsonFlag, projectFlags, projectOptions } from '../flags.ts'
import type { Io } from '../io.ts'
import { conflictLine, keyLine } from '../key-lines.ts'
import { loadCheck } from '../optional-packages.ts'
import { readConfig } from '../read-config.ts'

/** `servicekit push`: creates the keys that code uses and the platform does not have. */
export const push = defineCommand({
  description: 'Create the keys that code uses and the platform does not have, as drafts',
  flags: {
    ...projectFlags,
    sources: {
      type: 'list',
      valueHint: 'DIRS',
      description: 'Source folders, e.g. src,lib (default: the whole root)',
    },
    hook: hookFlag,
    texts: {
      type: 'string',
      valueHint: 'FILE',
      description: 'JSON file with source texts: {"cart": {"CHECKOUT": "Check out"}}',
    },
    'new-modules': { type: 'boolean', description: 'Create modules that do not exist' },
    prune: {
      type: 'boolean',
      description: 'Remove the keys that no code uses, after confirmation or with --yes',
    },
    'dry-run': { type: 'boolean', description: 'Print what would be written, and write nothing' },
    json: jsonFlag,
  },
  async run(flags, io) {
    const { check, ...config } = await readConfig(flags.root)
    const path = (given: string): string => resolve(flags.root ?? '.', given)
    const sources = flags.sources?.map(path) ?? check.sources
    const hooks = flags.hook ?? check.hooks
    const texts = flags.texts === undefined ? undefined : await readTexts(path(flags.texts))
    const ask = flags.json || flags['dry-run'] ? undefined : askFor(io)
    const checker = await loadCheck()
    const options = { ...config.localization, ...projectOptions(flags), root: config.root }
    const report = await checker.push({
      project: openProject(options, { config }),
      ...withoutUndefined({ sources, aliases: check.aliases, hooks, texts, ask }),
      newModules: flags['new-modules'] === true,
      prune: flags.prune === true,
      confirmPrune: confirmPruneFor(io),
      dryRun: flags['dry-run'] === true,
      signal: io.signal,
    })
    const { conflicts, missing, newModules, unresolved } = report
    const isOk = [conflicts, missing, newModules, unresolved].every(({ length }) => length === 0)
    if (flags.json) {
      io.stdout(`${JSON.stringify({ dryRun: flags['dry-run'] === true, ...report })}\n`)
    } else print(report, flags['dry-run'] === true, io)
    return isOk ? exitCode.ok : exitCode.findings
  },
})

/** Returns a function that shows the keys to remove and asks for confirmation. */
const confirmPruneFor =
  (io: Io) =>
  async (keys: readonly KeyDraft[]): Promise<boolean> => {
    for (const one of keys) io.stderr(`to remove: ${keyLine(one)}\n`)
    const question = `Remove ${formatCount(keys.length, 'key')} that no code uses`
    if (io.assumesYes) return true
    if (!io.confirm) {
      throw new ConfigError(`${question} requires confirmation`, {
        help: 'Add --yes to confirm, or --dry-run to write nothing.',
      })
    }
    return io.confirm(`${question}?`)
  }

/** Returns a function that prompts for a source text; undefined without a terminal. */
function askFor({ prompts }: Io): ((key: WantedKey) => Promise<string | undefined>) | undefined {
  if (!prompts) return undefined
  return ({ module, key, file, line }) =>
    prompts.text(escapeInvisible(`Text of ${module} ${key} (${file}:${line})`))
}

async function readTexts(file: string): Promise<SourceTexts> {
  const text = await readText(file)
  if (text === undefined) {
    throw new ConfigError(`${file} does not exist`, { help: 'Set --texts to a JSON file.' })
  }
  const texts = parseJson(text)
  const isText = (one: unknown): boolean =>
    typeof one === 'string' || (isObject(one) && typeof one['text'] === 'string')
  const isValid =
    isObject(texts) &&
    Object.values(texts).every((keys) => isObject(keys) && Object.values(keys).every(isText))
  if (isValid) return texts as SourceTexts
  throw new ConfigError(`${file} does not contain texts by module and key`, {
    help: 'Write it as {"cart": {"CHECKOUT": "Check out"}}, or with {"text": …, "context": …, "maxLength": …}.',
  })
}

function print(report: PushReport, isDryRun: boolean, io: Io): void {
  const { target, added, existing, conflicts, missing, newModules, unresolved } = report
  const { pruned, kept } = report
  for (const one of added) io.stdout(`${isDryRun ? 'would add' : 'added'} ${keyLine(one)}\n`)
  for (const one of pruned) {
    io.stdout(`${isDryRun ? 'would remove' : 'removed'} ${keyLine(one)}\n`)
  }
  for (const one of kept) {
    io.stderr(
      `${one.file}:${one.line} has the name of ${escapeInvisible(`${one.module} ${one.key}`)}, which is kept\n`,
    )
  }
  for (const one of conflicts) io.stderr(`${conflictLine(one)}\n`)
  for (const one of missing) io.stderr(`${location(one)} ${name(one)} has no source text\n`)
  for (const one of newModules) {
    io.stderr(`${location(one)} ${name(one)}: module ${one.module} does not exist\n`)
  }
  for (const one of unresolved) {
    io.stderr(
      `${location(one)} uses an unknown key of an unknown module, or a whole module that does not exist\n`,
    )
  }
  if (missing.length > 0) {
    io.stderr('Add a comment beside the use, // uilm KEY: text, or use --texts FILE.\n')
  }
  if (newModules.length > 0) io.stderr('Correct the import, or add --new-modules.\n')
  const removed =
    pruned.length === 0 ? '' : `, ${pruned.length} ${isDryRun ? 'to remove' : 'removed'}`
  io.stdout(
    `${target}: ${formatCount(added.length, 'key')} ${isDryRun ? 'to add' : 'added'}${removed}, ` +
      `${existing.length} existing, ${formatCount(conflicts.length, 'conflict')}, ${missing.length + newModules.length} without text or module\n`,
  )
}

const location = ({ file, line, column }: { file: string; line: number; column: number }): string =>
  `${file}:${line}:${column}`

const name = ({ module, key }: WantedKey): string => escapeInvisible(`${module} ${key}`)
