import { addKeys, openProject } from '@servicekit/catalog'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag, projectFlags, projectOptions, required } from '../flags.ts'
import { conflictLine, keyLine } from '../key-lines.ts'
import { readConfig } from '../read-config.ts'

const usage = 'add MODULE KEY TEXT'

/** `servicekit add`: creates a key with its source text. */
export const add = defineCommand({
  description: 'Create a key with its source text, as a draft, and type it',
  flags: {
    module: { type: 'positional', description: 'Module of the key, e.g. cart' },
    key: { type: 'positional', description: 'New key, e.g. CHECKOUT' },
    text: { type: 'positional', description: 'Source text, e.g. "Check out"' },
    context: {
      type: 'string',
      valueHint: 'TEXT',
      description: 'Where and how the message is shown, for translators',
    },
    'max-length': {
      type: 'integer',
      range: [1],
      valueHint: 'N',
      description: 'Maximum number of characters of every translation',
    },
    language: {
      type: 'string',
      valueHint: 'CODE',
      description: 'Language of the text (default: the default language)',
    },
    'new-modules': { type: 'boolean', description: 'Create the module if it does not exist' },
    'dry-run': { type: 'boolean', description: 'Print what would be written, and write nothing' },
    ...projectFlags,
    json: jsonFlag,
  },
  async run(flags, io) {
    const draft = {
      module: required(flags.module, 'MODULE', usage),
      key: required(flags.key, 'KEY', usage),
      text: required(flags.text, 'TEXT', usage),
      ...(flags.context === undefined ? {} : { context: flags.context }),
      ...(flags['max-length'] === undefined ? {} : { maxLength: flags['max-length'] }),
    }
    const config = await readConfig(flags.root)
    const options = { ...config.localization, ...projectOptions(flags), root: config.root }
    const report = await addKeys(openProject(options, { config }), [draft], {
      dryRun: flags['dry-run'] === true,
      newModules: flags['new-modules'] === true,
      signal: io.signal,
      ...(flags.language === undefined ? {} : { language: flags.language }),
    })
    const { target, added, existing, conflicts } = report
    const isOk = conflicts.length === 0
    if (flags.json) {
      io.stdout(`${JSON.stringify({ dryRun: flags['dry-run'] === true, ...report })}\n`)
      return isOk ? exitCode.ok : exitCode.findings
    }
    for (const one of added)
      io.stdout(`${flags['dry-run'] ? 'would add' : 'added'} ${keyLine(one)}\n`)
    for (const one of existing) io.stdout(`exists with this text: ${keyLine(one)}\n`)
    for (const one of conflicts) io.stderr(`${conflictLine(one)}\n`)
    if (added.length > 0)
      io.stdout(`${flags['dry-run'] ? 'Nothing was written to' : 'Written to'} ${target}\n`)
    return isOk ? exitCode.ok : exitCode.findings
  },
})
