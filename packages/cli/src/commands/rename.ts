import { resolve } from 'node:path'
import { openProject } from '@servicekit/catalog'
import { formatCount, withoutUndefined } from '@servicekit/core'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { hookFlag, jsonFlag, projectFlags, projectOptions, required } from '../flags.ts'
import { loadCheck } from '../optional-packages.ts'
import { readConfig } from '../read-config.ts'

const usage = 'rename MODULE OLD NEW'

/** `servicekit rename`: renames a key in its drafts, in the code and in the snapshot. */
export const renameCommand = defineCommand({
  description: 'Rename a key together with its drafts and its uses in code',
  flags: {
    module: { type: 'positional', description: 'Module of the key, e.g. cart' },
    old: { type: 'positional', description: 'Key to rename' },
    new: { type: 'positional', description: 'New key' },
    ...projectFlags,
    sources: {
      type: 'list',
      valueHint: 'DIRS',
      description: 'Source folders, e.g. src,lib (default: the whole root)',
    },
    hook: hookFlag,
    force: { type: 'boolean', description: 'Rename even if some uses cannot be renamed' },
    'dry-run': { type: 'boolean', description: 'Print the changes, and write nothing' },
    json: jsonFlag,
  },
  async run(flags, io) {
    const module = required(flags.module, 'MODULE', usage)
    const from = required(flags.old, 'OLD', usage)
    const to = required(flags.new, 'NEW', usage)
    const { check, ...config } = await readConfig(flags.root)
    const sources = flags.sources?.map((one) => resolve(flags.root ?? '.', one)) ?? check.sources
    const hooks = flags.hook ?? check.hooks
    const checker = await loadCheck()
    const options = { ...config.localization, ...projectOptions(flags), root: config.root }
    const report = await checker.rename({
      project: openProject(options, { config }),
      module,
      from,
      to,
      ...withoutUndefined({ sources, aliases: check.aliases, hooks }),
      force: flags.force === true,
      dryRun: flags['dry-run'] === true,
      signal: io.signal,
    })
    const { files, unrenamed, keys, target, written } = report
    const isOk = written || (flags['dry-run'] === true && unrenamed.length === 0)
    if (flags.json) {
      const changed = files.map(({ file, edits }) => ({ file, edits }))
      io.stdout(`${JSON.stringify({ target, keys, files: changed, unrenamed, written })}\n`)
      return isOk ? exitCode.ok : exitCode.findings
    }
    for (const { diff } of written ? [] : files) io.stdout(diff)
    for (const { file, line, column, reason } of unrenamed) {
      io.stderr(`not renamed: ${file}:${line}:${column}  ${reason}\n`)
    }
    const edits = files.reduce((sum, file) => sum + file.edits, 0)
    io.stdout(
      `${formatCount(keys.length, 'key')} in ${target}, ${formatCount(edits, 'use')} in ${formatCount(files.length, 'file')} ` +
        `${written ? 'renamed' : 'to rename'}\n`,
    )
    if (unrenamed.length > 0 && !written) {
      io.stderr('Nothing was written. Rename these uses by hand, or add --force.\n')
    }
    return isOk ? exitCode.ok : exitCode.findings
  },
})
