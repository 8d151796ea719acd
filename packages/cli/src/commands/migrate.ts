import { resolve } from 'node:path'
import { openProject } from '@servicekit/catalog'
import { formatCount, withoutUndefined } from '@servicekit/core'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { hookFlag, jsonFlag, projectFlags } from '../flags.ts'
import { loadCheck } from '../optional-packages.ts'
import { readConfig } from '../read-config.ts'
import { untilStopped } from '../stopping.ts'

/** `servicekit migrate`: rewrites calls of i18next, next-intl and vue-i18n to typed imports. */
export const migrate = defineCommand({
  description: "Rewrite calls t('KEY') of i18next, next-intl and vue-i18n to typed imports",
  flags: {
    root: projectFlags.root,
    sources: {
      type: 'list',
      valueHint: 'DIRS',
      description: 'Source folders, e.g. src,lib (default: the whole root)',
    },
    hook: hookFlag,
    write: { type: 'boolean', description: 'Write the files (default: only print the changes)' },
    json: jsonFlag,
  },
  async run(flags, io) {
    const { localization, check, root } = await readConfig(flags.root)
    const sources = flags.sources?.map((one) => resolve(flags.root ?? '.', one)) ?? check.sources
    const hooks = flags.hook ?? check.hooks
    const { migrate: runMigrate } = await loadCheck()
    const steps = runMigrate({
      project: openProject({ ...localization, root }),
      ...withoutUndefined({ sources, aliases: check.aliases, hooks }),
      ...(flags.write ? { write: true } : {}),
    })
    const run = untilStopped(steps, io.signal)
    let step = await run.next()
    for (; !step.done; step = await run.next()) if (!flags.json) io.stdout(step.value.diff)
    const { files, skipped, calls, written } = step.value
    if (flags.json) {
      const rewritten = files.map(({ file, calls }) => ({ file, calls }))
      io.stdout(`${JSON.stringify({ files: rewritten, skipped, calls, written })}\n`)
      return exitCode.ok
    }
    for (const { file, line, column, code, reason } of skipped) {
      io.stdout(`not rewritten: ${file}:${line}:${column}  ${code}\n  ${reason}\n`)
    }
    io.stdout(
      `${formatCount(calls, 'call')} in ${formatCount(files.length, 'file')} ` +
        `${flags.write ? 'rewritten' : 'can be rewritten'}, ${skipped.length} not rewritten\n`,
    )
    if (!flags.write && files.length > 0)
      io.stderr('No file was written. Add --write to apply the changes.\n')
    return exitCode.ok
  },
})
